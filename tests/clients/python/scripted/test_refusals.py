"""Which exception a problem becomes, and what it carries."""

import copy
import json
import pickle
import re

import httpx
import pytest

from tests.clients.python.scripted.server import Scripted, answer, problem
from tests.clients.python.scripted.shapes import VIEW
from tools.testbed.installed import ROOT

PROBLEM = json.loads((ROOT / "openapi" / "openapi.json").read_text())["components"]["schemas"]["Problem"]
CODES = dict(re.findall(r"^- `(\w+)` \((\d+)\)", PROBLEM["description"], re.MULTILINE))


def refusal(billet_client, status, body, **headers):
    response = httpx.Response(
        status, json=body, headers=headers, request=httpx.Request("GET", "http://cards.example/v1")
    )
    return billet_client.refusals.refusal_of(response)


def body(status, code, **more):
    return {"type": "/p", "title": "T", "status": status, "detail": "Why.", "instance": "/v1", "code": code} | more


@pytest.mark.parametrize(("code", "status"), CODES.items(), ids=CODES)
def test_every_code_of_the_document_has_a_class(billet_client, code, status):
    made = refusal(billet_client, int(status), body(int(status), code))
    by_status = billet_client.refusals.BY_STATUS.get(int(status), billet_client.Refused)
    assert isinstance(made, by_status)
    assert (made.code, made.status, made.detail, str(made)) == (code, int(status), "Why.", "Why.")


def test_no_class_is_for_a_code_that_there_is_not(billet_client):
    assert billet_client.refusals.BY_CODE.keys() <= CODES.keys()
    assert {int(status) for status in CODES.values()} - billet_client.refusals.BY_STATUS.keys() == {405, 408}


@pytest.mark.parametrize(
    ("status", "kind"), [(409, "Conflict"), (403, "Forbidden"), (418, "Refused"), (507, "Refused")]
)
def test_an_unknown_code_is_raised_as_its_status(billet_client, status, kind):
    assert type(refusal(billet_client, status, body(status, "brand_new"))) is getattr(billet_client, kind)


def test_an_illegal_action_says_which_rule_and_what_is_legal(billet_client, impatient):
    said = {"reason": "must_play_countess", "legal_actions": VIEW["legal_actions"]}
    refused = pytest.raises(billet_client.IllegalAction)
    with Scripted(problem(409, "illegal_action", **said)) as server, refused as illegal:
        impatient(server.url).join("game-1")
    assert illegal.value.reason == "must_play_countess"
    assert [legal.to_dict() for legal in illegal.value.legal_actions] == VIEW["legal_actions"]


def test_what_is_not_said_is_empty(billet_client):
    assert refusal(billet_client, 409, body(409, "illegal_action")).legal_actions == []
    assert refusal(billet_client, 409, body(409, "illegal_action")).reason is None
    assert refusal(billet_client, 412, body(412, "stale_version")).version is None
    assert refusal(billet_client, 422, body(422, "invalid_request")).errors == []
    assert refusal(billet_client, 429, body(429, "rate_limited")).limit is None


def test_what_is_said_is_carried(billet_client):
    faults = [{"field": "seats", "detail": "Too many."}]
    assert refusal(billet_client, 412, body(412, "stale_version", version=8)).version == 8
    assert refusal(billet_client, 422, body(422, "invalid_request", errors=faults)).errors[0].field == "seats"
    assert refusal(billet_client, 429, body(429, "rate_limited", limit="acting")).limit == "acting"


def test_members_of_later_versions_are_kept(billet_client):
    made = refusal(billet_client, 409, body(409, "illegal_action", hint="Play the Countess."))
    assert made.problem["hint"] == "Play the Countess."


def test_an_error_that_is_none_of_the_service_is_raised_by_its_status(billet_client, impatient):
    barred = pytest.raises(billet_client.Forbidden, match="403 Forbidden from 127")
    with Scripted(answer(403, b"<h1>Forbidden</h1>", "text/html")) as server, barred as refused:
        impatient(server.url).me()
    assert refused.value.code == ""


@pytest.mark.parametrize(
    ("header", "least", "most"),
    [("7", 7, 7), ("Wed, 21 Oct 2015 07:28:00 GMT", 0, 0), ("Fri, 21 Oct 2601 07:28:00 GMT", 10**9, 10**11)],
    ids=["seconds", "past", "future"],
)
def test_a_pause_is_asked_for_in_seconds_or_by_a_date(billet_client, header, least, most):
    made = refusal(billet_client, 503, body(503, "unavailable"), **{"Retry-After": header})
    assert least <= made.retry_after <= most


@pytest.mark.parametrize("header", ["soon", "-1", ""])
def test_a_pause_that_makes_no_sense_is_none(billet_client, header):
    assert refusal(billet_client, 503, body(503, "unavailable"), **{"Retry-After": header}).retry_after is None


@pytest.mark.parametrize("copied", [copy.copy, lambda error: pickle.loads(pickle.dumps(error))], ids=["copy", "pickle"])
def test_exceptions_come_whole_from_other_processes(billet_client, copied):
    made = refusal(billet_client, 412, body(412, "stale_version", version=8), **{"Retry-After": "7"})
    made.maybe_done, made.key = True, "KEY"
    again = copied(made)
    assert (type(again), str(again), again.version) == (billet_client.StaleVersion, "Why.", 8)
    assert (again.retry_after, again.maybe_done, again.key) == (7, True, "KEY")
