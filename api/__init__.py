"""The HTTP interface: parses a request, makes one service call, and returns a response."""

from api.app import create_app
from api.asgi import create_asgi

__all__ = ["create_app", "create_asgi"]
