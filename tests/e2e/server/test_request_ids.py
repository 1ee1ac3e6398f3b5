"""A failed request is found in the log by the id that its answer has."""

import json
import re
import urllib.error
import urllib.request

import pytest

from tools.testbed.installation import installed
from tools.testbed.waiting import wait_until

ACCESS_LOG = "api.access"


@pytest.fixture(scope="module")
def one(tmp_path_factory):
    folder = tmp_path_factory.mktemp("ids")
    with installed(folder, LOG_FORMAT="json", ACCESS_LOG="1") as made:
        yield made


def asked(one, path="/v1/games", method="GET", body=None, **headers):
    """Returns the status of an answer and its id."""
    data = json.dumps(body).encode() if body is not None else None
    headers = {name.replace("_", "-"): value for name, value in headers.items()} | {"Content-Type": "application/json"}
    request = urllib.request.Request(one.base + path, data, headers, method=method)
    try:
        with urllib.request.urlopen(request, timeout=40) as answer:
            return answer.status, answer.headers["X-Request-ID"]
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.headers["X-Request-ID"]


def lines(one):
    whole, _, _ = one.said().rpartition("\n")  # the last line may not have been written to its end
    return [json.loads(line) for line in whole.splitlines() if line.startswith("{")]


def accessed(one, request):
    """The line of a request in the access log, which may be written a little after its answer and after other lines."""
    asked = (ACCESS_LOG, request)
    [line] = wait_until(lambda: [line for line in lines(one) if (line["logger"], line["request"]) == asked], one.said)
    return line


def test_a_well_formed_id_comes_back_and_any_other_is_replaced(one):
    for given in ("my-request_1", "my-request_1 \t"):
        assert asked(one, X_Request_ID=given) == (200, "my-request_1")
    for given in ("short", "a" * 65, "player.secret-of-a-token", "two words"):
        status, answered = asked(one, X_Request_ID=given)
        assert status == 200
        assert re.fullmatch("[0-9a-f]{16}", answered)
    assert len({asked(one)[1] for _ in range(5)}) == 5


@pytest.mark.parametrize(("path", "status"), [("/nowhere", 404), ("/healthz", 200), ("/metrics", 200)])
def test_every_path_answers_with_an_id(one, path, status):
    assert asked(one, path, X_Request_ID="my-request_2") == (status, "my-request_2")


def test_a_failed_request_leaves_a_line_with_its_id(one):
    _, created = one.call("POST", "/v1/players", {"name": "Ann"})
    with one.redis() as client:
        client.config_set("min-replicas-to-write", 1)
        try:
            status, answered = asked(
                one, "/v1/players/me/token?key=secret-in-the-query", "POST", Authorization=f"Bearer {created['token']}"
            )
        finally:
            client.config_set("min-replicas-to-write", 0)
    assert status == 503
    line = accessed(one, answered)
    assert line["level"] == "ERROR"
    assert re.fullmatch(r"POST /v1/players/me/token answered 503 after \d+ ms", line["message"])
    assert "secret-in-the-query" not in one.said()


def test_every_line_is_an_object_and_requests_have_one_each(one):
    asked(one, "/v1/editions", X_Request_ID="my-request_3")
    line = accessed(one, "my-request_3")
    assert all(line.startswith("{") for line in one.said().splitlines())
    assert [said for said in lines(one) if said["request"] == "my-request_3"] == [line]
    assert re.fullmatch(r"GET /v1/editions answered 200 after \d+ ms", line["message"])
    assert all({"time", "level", "logger", "request", "message"} <= line.keys() for line in lines(one))
