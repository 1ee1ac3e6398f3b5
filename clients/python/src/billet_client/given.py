"""Checks what a caller gives when it is given; a later error would look like one of the network or of the answer."""

import re
from collections.abc import Mapping
from typing import Any, Protocol, TypeVar, cast

import httpx

from billet_client.core.types import UNSET, Unset


class Model(Protocol):
    """A class of the core."""

    def to_dict(self) -> dict[str, Any]:
        """Returns it as JSON."""


M = TypeVar("M", bound=Model)


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


class Plain:
    """A mapping in the place of a class of the core; the service says whether it is right."""

    def __init__(self, members: Mapping[str, Any]) -> None:
        self._members = dict(members)

    def to_dict(self) -> dict[str, Any]:
        """Returns it as JSON."""
        return self._members


def model(value: M | Mapping[str, Any]) -> M:
    """Returns a part of a body, which may be given as a mapping with the members of the document.

    Raises:
        TypeError: it is neither that nor of a class of `billet_client.models`.
    """
    if isinstance(value, Mapping):
        return cast("M", Plain(value))
    if not hasattr(value, "to_dict"):
        raise TypeError(f"{value!r} is neither a mapping nor of a class of billet_client.models")
    return value


def optional_model(value: M | Mapping[str, Any] | None) -> M | Unset:
    """Returns a part of a body that may be left out.

    Raises:
        TypeError: as `model`.
    """
    return UNSET if value is None else model(value)
