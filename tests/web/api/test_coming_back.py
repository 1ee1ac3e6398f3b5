"""When a page asks at once, and what of its invitations is kept when their stream begins anew."""

import json
import subprocess
from pathlib import Path

import pytest

PATH = Path(__file__).with_name("coming_back.mjs")


@pytest.fixture(scope="module")
def done():
    run = subprocess.run(["node", PATH], capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout)


def test_a_page_that_is_hidden_counts_as_no_return(done):
    assert (done["hidden"], done["online"], done["back"]) == ([], ["back"], ["back"])


def test_an_answer_that_asks_to_send_the_call_again_counts_as_none(done):
    assert done["unheard"] == []


def test_invitations_are_forgotten_where_their_stream_begins_without_a_cursor(done):
    assert done["after"] == [None, None, "7"]
    assert (done["first"], done["anew"], done["kept"]) == (["game-1"], [], ["game-2"])
