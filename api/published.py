"""Renders the published OpenAPI document as text."""

import json

from api.app import described


def render() -> str:
    """Returns the OpenAPI document for `billet openapi`, which is the same whenever the code is; needs no Redis."""
    return json.dumps(described(), indent=2, ensure_ascii=False) + "\n"
