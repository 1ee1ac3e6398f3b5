"""The one error of the console command."""


class StartError(Exception):
    """Something cannot start; the text is one line with the problem and its remedy."""
