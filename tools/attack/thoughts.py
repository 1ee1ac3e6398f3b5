"""Attacks on the time in which bots think."""

import json
import time

from tools.attack.target import OTHER, Target

SLOWEST_SECONDS = 5.0
"""How long a person waits for a bot at most."""


def flood_of_experts(target: Target) -> None:
    """Opens 150 tables with an `expert` for 150 players of one address; another person's bot must not wait for them."""
    rounds = {"rounds": [{"starter": 1}]}
    target.many(150, lambda _: target.table(target.player(), "expert", sandbox=rounds))
    token = target.player(OTHER)
    begun = time.monotonic()
    game = target.table(token, "expert", address=OTHER, sandbox=rounds)
    version = game["version"]
    while version == game["version"] and time.monotonic() < begun + 2 * SLOWEST_SECONDS:
        version = json.loads(target.call("GET", f"/v1/games/{game['id']}", token=token, address=OTHER)[1])["version"]
        time.sleep(0.05)
    waited = time.monotonic() - begun
    with target.redis() as client:
        jobs = sum(client.llen(name) for name in client.keys("rq:queue:*"))
    assert waited < SLOWEST_SECONDS, f"somebody else's bot took {waited:.1f} s"
    assert jobs <= 2 * 152, f"{jobs} jobs are queued for 151 games"


ATTACKS = (flood_of_experts,)
