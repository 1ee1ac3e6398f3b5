"""Reads the actions that players submit."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from engine.actions import Action
from engine.errors import MalformedAction
from engine.logs import codec
from games.errors import invalid


class Submitted(NamedTuple):
    """An action as its sender put it."""

    action: Action
    data: Mapping[str, Any]
    """A repeat of the call with the same idempotency key must say the same."""

    @classmethod
    def read(cls, data: Mapping[str, Any]) -> "Submitted":
        """Reads an action to submit from plain data.

        Raises:
            Refused: `invalid_request`, it is malformed.
        """
        try:
            return cls(codec.read_action(data), data)
        except MalformedAction:
            raise invalid("action", "fault.no_action") from None
