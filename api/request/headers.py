"""Takes the blanks around the value of each header of a request away: they are no part of it (RFC 9110, 5.5)."""

from typing import Any, Final

BLANKS: Final = " \t"


def trim_headers(environ: dict[str, Any]) -> None:
    """Trims the headers of a request in its WSGI environment; some servers leave blanks behind a value."""
    for name, value in environ.items():
        if name.startswith(("HTTP_", "CONTENT_")) and (value[-1:] in BLANKS or value[:1] in BLANKS):
            environ[name] = value.strip(BLANKS)
