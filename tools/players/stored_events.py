"""Reads events as they lie in Redis, without the service's code (decision 032)."""

import json
from datetime import UTC, datetime
from typing import Any

from engine.events import EVENTS

MEMBERS = ("v", "type", "at", "data", "cause", "rules")


def event_in(raw: bytes) -> dict[str, Any]:
    """Returns the event of an entry of a stream, as an object."""
    event = dict(zip(MEMBERS, json.loads(raw), strict=False))
    seconds, ms = divmod(event["at"], 1000)
    event["at"] = f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%dT%H:%M:%S}.{ms:03d}Z"
    event["data"] = dict(zip(EVENTS[event["type"]].fields, event["data"], strict=True))
    return event
