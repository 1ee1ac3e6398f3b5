"""The HTTP interface: parses a request, makes one service call, and returns a response."""

from api.app import create_app, create_front

__all__ = ["create_app", "create_front"]
