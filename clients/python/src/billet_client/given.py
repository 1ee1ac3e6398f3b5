"""Says what is wrong with an address or a token once it is given; later it would look like a lost network."""

import re

import httpx


def address(url: str) -> str:
    """Returns the address of a service as it was given.

    Raises:
        ValueError: nobody can be reached there.
    """
    try:
        parsed = httpx.URL(url)
    except httpx.InvalidURL as error:
        raise ValueError(f"{url!r} is no address: {error}") from None
    if parsed.scheme not in ("http", "https") or not parsed.host:
        raise ValueError(f"{url!r} is no address of a service: those begin with http:// or https://")
    return url


def token(given: str) -> str:
    """Returns a token as it was given; what is wrong with it is said without it, for it is a secret.

    Raises:
        ValueError: it can be no player's.
    """
    if not re.fullmatch(r"[!-~]+", given):
        raise ValueError("this is no token: it is empty, or has spaces, line ends or other than ASCII characters in it")
    return given
