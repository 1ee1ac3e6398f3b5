"""Gives view functions the running application's services and the caller."""

from collections.abc import Callable
from typing import Final

from flask import Flask, Request, current_app, request

from api.request.limits import Limits, address_of
from service import Service

current_request: Final[Callable[[], Request]] = request._get_current_object  # type: ignore[attr-defined]  # typed as a `Request`
"""Returns the current request itself: Flask's proxy takes three calls each time that something is asked of it."""

application: Final[Callable[[], Flask]] = current_app._get_current_object  # type: ignore[attr-defined]  # typed as a `Flask`
"""Returns the application that has the current request."""


def service() -> Service:
    """Returns the service behind the application."""
    held: Service = application().extensions["billet.service"]
    return held


def limits() -> Limits | None:
    """Returns the rate limits, if the application has a service behind it."""
    held: Limits | None = application().extensions.get("billet.limits")
    return held


def address() -> str:
    """Returns the caller's address, or its network for IPv6."""
    return address_of(request.environ)
