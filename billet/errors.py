"""The one error of the console command; what goes wrong inside a part belongs to that part."""


class StartError(Exception):
    """Something cannot be started; the text is one line that says what is wrong and what to do."""
