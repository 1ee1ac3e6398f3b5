"""How the tags of `If-Match` and `If-None-Match` are read."""

import pytest
from flask import Request

from api.request.tags import if_match, if_none_match

TAG = "7-seat0-en"
QUOTED = f'"{TAG}"'


def asked(**headers):
    return Request({f"HTTP_{name}": value for name, value in headers.items()})


@pytest.mark.parametrize("header", [QUOTED, f'"x", {QUOTED}', f'{QUOTED} ,"x"', "*", '"x", *'])
def test_a_tag_matches_itself_in_a_list_and_a_star(header):
    assert TAG in if_match(asked(IF_MATCH=header))
    assert TAG in if_none_match(asked(IF_NONE_MATCH=header))


@pytest.mark.parametrize(
    "header", ['"x"', "", "nonsense", TAG, f'"{TAG}', f'{TAG}"', f"W{QUOTED}", QUOTED.replace("-seat", "-W/seat")]
)
def test_nothing_else_matches(header):
    assert TAG not in if_match(asked(IF_MATCH=header))
    assert TAG not in if_none_match(asked(IF_NONE_MATCH=header))


def test_a_weak_tag_matches_where_caches_ask_and_not_where_actions_do():
    assert TAG in if_none_match(asked(IF_NONE_MATCH=f'"x", W/{QUOTED}'))
    assert TAG not in if_match(asked(IF_MATCH=f"W/{QUOTED}"))


def test_without_the_header_any_view_will_do_and_no_answer_is_known():
    assert if_match(asked()) is None
    assert TAG not in if_none_match(asked())
