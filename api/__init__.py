"""The HTTP interface: parsing, one service call, an answer; no rules and no storage belong here."""

from api.app import create_app, create_front

__all__ = ["create_app", "create_front"]
