"""What the running application holds for its view functions; how it came there is for the factory to say."""

from flask import current_app

from api.limits import Limits
from service import Service


def service() -> Service:
    """Returns the service behind the application."""
    held: Service = current_app.extensions["billet.service"]
    return held


def limits() -> Limits | None:
    """Returns the limits of the application, if it has a service behind it."""
    held: Limits | None = current_app.extensions.get("billet.limits")
    return held
