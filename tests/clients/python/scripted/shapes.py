"""Answers of a service for scripts: the examples of the published document."""

import json

from tools.testbed.installed import ROOT

PATHS = json.loads((ROOT / "openapi" / "openapi.json").read_text())["paths"]


def example(path, method, status):
    return PATHS[path][method]["responses"][str(status)]["content"]["application/json"]["example"]


VIEW = example("/v1/games/{game_id}", "get", 200)
ACTED = example("/v1/games/{game_id}/actions", "post", 201)
PLAYER = example("/v1/players/me", "get", 200)
ACCESS = example("/v1/players", "post", 201)
TICKET = example("/v1/games/{game_id}/tickets", "post", 201)
GAMES = example("/v1/games", "get", 200)
EDITIONS = example("/v1/editions", "get", 200)
EDITION = example("/v1/editions/{edition_id}", "get", 200)
NOTICES = example("/v1/players/me/events", "get", 200)
BOTS = example("/v1/bots", "get", 200)
MATCH = example("/v1/matches/{match_id}", "get", 200)
EVENTS = [event | {"version": version} for version, event in enumerate(ACTED["events"], 1)]
"""A few events, from the first version on."""


def page(events, *, finished=False):
    return {"events": events, "version": events[-1]["version"] if events else 0, "finished": finished}
