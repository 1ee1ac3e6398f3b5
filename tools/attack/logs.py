"""Attacks by logs that are to be verified."""

import gzip
import json

from games.records.portable import as_json, digest_of, parsed
from tests.games.whole_logs import whole_log
from tools.attack.target import Target

VERIFY = "/v1/logs/verify"


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


ATTACKS = (doctored, unpacked, nested)
