"""Renders the published OpenAPI document as text."""

import json

from api.app import assemble
from service.settings import Settings


def render() -> str:
    """Returns the OpenAPI document: the same text whenever the code is the same. Needs no Redis."""
    return json.dumps(assemble(Settings()).extensions["billet.document"], indent=2, ensure_ascii=False) + "\n"
