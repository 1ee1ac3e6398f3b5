"""Attacks by logs that are to be verified."""

import gzip
import json
from typing import Any

from engine.rules import RULES_VERSION
from games.records.portable import as_json, digest_of, parsed
from tests.games.whole_logs import whole_log
from tools.attack.target import Target

VERIFY = "/v1/logs/verify"
INVENTED = 6
"""Beside the two true cards of a hand: together as many as any decision is about."""


def with_invented_hands(number: int, hands: int = 1) -> bytes:
    """Returns a true log up to its first action, before which other rules put many cards that there are not into hands.

    What is asked of such a hand has 40,320 answers, and each log and hand names other cards.
    """
    log = parsed(as_json(whole_log("standard", 2, 0)))
    acts = next(i for i, event in enumerate(log["events"]) if (event["cause"] or {}).get("type") == "act")
    events, like = log["events"][:acts], log["events"][acts]
    for hand in range(hands):
        cards = [f"c{number}-{hand}-{n}" for n in range(INVENTED)]
        step: list[tuple[str, dict[str, Any]]] = [
            *(("card_drawn", {"seat": 0, "card": card, "source": "deck"}) for card in cards),
            ("decision_opened", {"seat": 0, "card": "chancellor", "kind": "keep_card", "seats": []}),
            ("decision_taken", {"seat": 0, "card": "chancellor", "kind": "keep_card"}),
            ("cards_returned", {"seat": 0, "cards": cards}),
        ]
        action = {"type": "keep_card", "keep": cards[0], "bottom": cards[1:]}
        for kind, data in step:
            # Steps by rules that nobody knows any more are believed; those of today ask what a hand may do.
            rules = {"card_drawn": 1 if data.get("card") == cards[0] else None, "decision_taken": RULES_VERSION}.get(
                kind
            )
            cause = {"type": "act", "seat": 0, "action": action} if rules else None
            event = {**like, "type": kind, "v": 1, "data": data, "cause": cause, "rules": rules}
            events.append({**event, "version": len(events) + 1})
    log["events"] = events
    return as_json({**log, "digest": digest_of(log)})


def invented_cards(target: Target) -> None:
    """Has 150 logs verified whose hands hold cards that nobody has ever heard of, and one packed log of 60 hands."""
    target.many(150, lambda i: target.call("POST", VERIFY, with_invented_hands(i)), threads=4)
    target.call("POST", VERIFY, gzip.compress(with_invented_hands(0, hands=60)), Content_Encoding="gzip")


def doctored(target: Target) -> None:
    """Changes the release and a bot's thinking time of a true log, which nothing in it can tell: the answer says so."""
    log = parsed(as_json(whole_log("standard", 3, 0)))
    thoughts = [event["cause"]["thought"] for event in log["events"] if (event["cause"] or {}).get("thought")]
    assert thoughts, "a bot has thought in this game"
    log["package_version"], thoughts[0]["think_ms"] = "9.9.9", 1
    status, raw = target.call("POST", VERIFY, as_json({**log, "digest": digest_of(log)}))
    verdict = json.loads(raw)
    assert status == 200, f"answered {status}"
    assert verdict["valid"], verdict["text"]
    assert {"package_version", "thought"} <= {*verdict["unproven"]}, verdict["unproven"]


def unpacked(target: Target) -> None:
    """Has 24 small bodies unpacked that become 3 MB each, twelve at a time."""
    body = gzip.compress(json.dumps({"events": [{"a": [0] * 50}] * 15_000}).encode())
    target.many(24, lambda _: target.call("POST", VERIFY, body, Content_Encoding="gzip"), threads=12)


def nested(target: Target) -> None:
    """Has 50 bodies verified that are nested 100,000 deep."""
    target.many(50, lambda _: target.call("POST", VERIFY, b"[" * 100_000), threads=8)


ATTACKS = (invented_cards, doctored, unpacked, nested)
