"""Checks an address or a token when it is given; a later error would look like one of the network."""

import re

import httpx


def address(url: str) -> str:
    """Returns a service's address unchanged, after checking it.

    Raises:
        ValueError: it is not the address of a service.
    """
    try:
        parsed = httpx.URL(url)
    except httpx.InvalidURL as error:
        raise ValueError(f"{url!r} is no address: {error}") from None
    if parsed.scheme not in ("http", "https") or not parsed.host:
        raise ValueError(f"{url!r} is no address of a service: those begin with http:// or https://")
    return url


def token(given: str) -> str:
    """Returns a token unchanged, after checking its form. The error does not repeat the token, which is a secret.

    Raises:
        ValueError: the token is malformed.
    """
    if not re.fullmatch(r"[!-~]+", given):
        raise ValueError("this is no token: it is empty, or has spaces, line ends or other than ASCII characters in it")
    return given
