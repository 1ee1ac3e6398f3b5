"""Reads events as they lie in Redis, in the long and the short format, without the service's code (decision 047)."""

import json
from datetime import UTC, datetime

from engine.events import EVENTS

MEMBERS = ("v", "type", "at", "data", "cause", "rules")


def event_in(raw):
    """Returns the event of an entry of a stream, in the long format."""
    stored = json.loads(raw)
    if isinstance(stored, dict):
        return stored
    event = dict(zip(MEMBERS, stored, strict=False))
    seconds, ms = divmod(event["at"], 1000)
    event["at"] = f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%dT%H:%M:%S}.{ms:03d}Z"
    event["data"] = dict(zip(EVENTS[event["type"]].fields, event["data"], strict=True))
    return event
