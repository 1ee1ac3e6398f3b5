"""A path leads somewhere in one spelling alone, from the connection on."""

import http.client

import pytest

from tests.api_process import SECONDS


def status(installation, target, **headers):
    connection = http.client.HTTPConnection("127.0.0.1", installation.port, timeout=SECONDS)
    connection.request("GET", target, headers=headers)
    found = connection.getresponse().status
    connection.close()
    return found


@pytest.mark.parametrize("path", ["/healthz", "/metrics", "/openapi.json", "/v1/editions", "/v1/players/me"])
def test_a_proxy_that_blocks_a_path_is_not_passed_by_another_spelling(served, path):
    assert status(served, path) != 404
    last = f"{path[:-1]}%{ord(path[-1]):02x}"
    for other in (
        f"/{path}",
        f"//{path}",
        f"/%{ord(path[1]):02x}{path[2:]}",
        last,
        f"/.{path}",
        f"/x/..{path}",
        f"{path}/",
    ):
        assert status(served, other) == 404, other
        assert status(served, f"http://cards.example{other}") == 404, other
