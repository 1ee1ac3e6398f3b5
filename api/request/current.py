"""Gives view functions the running application's services and the caller."""

from flask import current_app, request

from api.metrics.exposition import Exposition
from api.request.limits import Limits, address_of
from service import Service


def service() -> Service:
    """Returns the service behind the application."""
    held: Service = current_app.extensions["billet.service"]
    return held


def limits() -> Limits | None:
    """Returns the limits of the application, if it has a service behind it."""
    held: Limits | None = current_app.extensions.get("billet.limits")
    return held


def address() -> str:
    """Returns the caller's address, or its network for IPv6."""
    return address_of(request.environ)


def exposition() -> Exposition:
    """Returns the exposition of the metrics."""
    held: Exposition = current_app.extensions["billet.exposition"]
    return held
