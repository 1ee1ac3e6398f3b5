"""Renders the published OpenAPI document as text."""

import json

from api.app import described


def render() -> str:
    """Returns the API's published OpenAPI document: the same text whenever the code is the same. Needs no Redis."""
    return json.dumps(described(), indent=2, ensure_ascii=False) + "\n"
