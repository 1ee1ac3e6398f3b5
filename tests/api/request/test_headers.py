"""Blanks around the value of a header are no part of it, whichever header it is and whoever reads it."""

import pytest

from api.request.headers import trim_headers
from games.errors import Refused
from games.messages import Message

ACTION = {"type": "redraw_hand", "redraw": True}
BEARER = {"AUTHORIZATION": "Bearer pabc.secret"}
CALLS = {
    "act": (
        "POST",
        "/v1/games/g1/actions",
        {"IF_MATCH": '"7-0-en"', "IDEMPOTENCY_KEY": "k-1", "ACCEPT_LANGUAGE": "de", "CONTENT_ENCODING": "identity"},
    ),
    "look": ("GET", "/v1/games/g1", {"IF_NONE_MATCH": 'W/"7-0"', "ACCEPT_LANGUAGE": "de"}),
    "register": ("POST", "/v1/players", {"REGISTRATION_KEY": "key", "IDEMPOTENCY_KEY": "k" * 22}),
    "whether to send": ("OPTIONS", "/v1/games", {"ACCESS_CONTROL_REQUEST_METHOD": "POST"}),
}
"""By what they do: calls with each header that the application reads."""


@pytest.mark.parametrize("blanks", [" {} ", "{}\t", "\t {} \t "])
@pytest.mark.parametrize("name", CALLS)
def test_blanks_around_a_header_change_nothing(http, noting, name, blanks):
    method, path, headers = CALLS[name]
    body = {"act": ACTION, "register": {"name": "Ann"}}.get(name)

    def outcome(form):
        sent = {f"HTTP_{header}": form.format(value) for header, value in (BEARER | headers).items()}
        noting.part.calls.clear()
        answer = http.open(path, method=method, json=body, environ_overrides=sent)
        return answer.status_code, answer.data, [*noting.part.calls]

    noting.part.result = Refused("not_found", Message("detail.no_such_path"))
    status, data, calls = outcome("{}")
    assert calls or status == 204
    assert outcome(blanks) == (status, data, calls)


def test_only_headers_are_trimmed():
    environ = {"HTTP_X": " a b ", "CONTENT_TYPE": "text/plain ", "CONTENT_LENGTH": "\t7", "PATH_INFO": "/a ", "n": 1}
    trim_headers(environ)
    trimmed = {"HTTP_X": "a b", "CONTENT_TYPE": "text/plain", "CONTENT_LENGTH": "7"}
    assert environ == trimmed | {"PATH_INFO": "/a ", "n": 1}
