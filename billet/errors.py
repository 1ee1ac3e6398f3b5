"""The errors of the console command, each as one line."""

from games.errors import ArchiveAway, TakesNoWrites, Unavailable


class StartError(Exception):
    """Something cannot start; the text is one line with the problem and its remedy."""


def outage_text(error: Unavailable) -> str:
    """Returns the line that a `billet` command prints when Redis or the archive lets it down."""
    if isinstance(error, ArchiveAway):
        return f"the archive cannot be used: {error}"
    return f"{'Redis takes no writes' if isinstance(error, TakesNoWrites) else 'Redis does not answer'}: {error}"
