"""Playing a seat: when the player is asked, and what is done when the game did not wait for the answer."""

import pytest

from tests.clients.python.scripted.server import Scripted, answer, problem
from tests.clients.python.scripted.shapes import ACTED, EVENTS, VIEW, page

LEGAL = VIEW["legal_actions"]


def seen(version, status="active", legal=()):
    """A view."""
    return answer(200, VIEW | {"version": version, "status": status, "legal_actions": list(legal)}, ETag=f'"{version}"')


def came_of_it(version, status="active"):
    """The answer to an action."""
    game = VIEW | {"version": version, "status": status, "legal_actions": []}
    return answer(201, ACTED | {"game": game}, ETag=f'"{version}"')


OVER = seen(99, "finished")
HAPPENED = answer(200, page(EVENTS[:1]))
NOTHING = answer(200, page([]))


@pytest.fixture
def played(impatient):
    """Plays by a script; returns the last view, the versions at which the player was asked, and the calls."""

    def played(*steps):
        asked = []

        def choose(view):
            asked.append(view.version)
            return view.legal_actions[0]

        with Scripted(*steps) as server:
            end = impatient(server.url).play("g", choose)
        return end, asked, [call.path.rpartition("/")[2] for call in server.asked]

    return played


def test_the_player_is_asked_when_there_is_something_to_do(played):
    end, asked, calls = played(seen(7), HAPPENED, seen(8, legal=LEGAL), came_of_it(11), HAPPENED, OVER)
    assert end.status == "finished"
    assert asked == [8]
    assert calls == ["g", "events", "g", "actions", "events", "g"]


def test_it_waits_until_it_must_act_and_not_for_every_event(impatient):
    with Scripted(seen(7), HAPPENED, OVER) as server:
        impatient(server.url).play("g", lambda view: pytest.fail("nothing is to be done"))
    assert server.asked[1].query["until"] == "turn"


def test_a_player_who_was_removed_does_not_play_on(impatient):
    removed = answer(200, VIEW | {"status": "open", "legal_actions": [], "viewer": None})
    with Scripted(seen(2, "open"), HAPPENED, removed) as server, pytest.raises(ValueError, match="no seat"):
        impatient(server.url).play("g", lambda view: pytest.fail("nothing is to be done"))


def test_it_waits_for_the_others_to_sit_down(billet_client, played, monkeypatch):
    pauses = []
    monkeypatch.setattr(billet_client.client, "pause", pauses.append)
    waiting = [seen(1, "open"), NOTHING, seen(1, "open"), HAPPENED]
    _, asked, calls = played(*waiting, seen(3, legal=LEGAL), came_of_it(9, "finished"))
    assert asked == [3]
    assert calls == ["g", "events", "g", "events", "g", "actions"]
    assert len(pauses) == 1, "a wait that is cut short each time is no flood"


@pytest.mark.parametrize("status", ["finished", "aborted"])
def test_what_is_over_is_not_played(played, status):
    assert played(seen(7, status))[1:] == ([], ["g"])


MOVED_ON = [
    problem(412, "stale_version", version=8),
    problem(409, "not_your_turn"),
    problem(409, "game_over"),
    problem(403, "not_seated"),
]


@pytest.mark.parametrize("refusal", MOVED_ON, ids=["stale_version", "not_your_turn", "game_over", "not_seated"])
def test_the_player_is_asked_again_when_the_game_has_moved_on(played, refusal):
    _, asked, _ = played(seen(7, legal=LEGAL), refusal, seen(8, legal=LEGAL), came_of_it(11, "finished"))
    assert asked == [7, 8]


@pytest.mark.parametrize("refusal", MOVED_ON, ids=["stale_version", "not_your_turn", "game_over", "not_seated"])
def test_a_refusal_of_what_is_offered_still_is_not_tried_for_ever(billet_client, played, refusal):
    with pytest.raises(billet_client.Refused):
        played(seen(7, legal=LEGAL), refusal, seen(7, legal=LEGAL))


def test_an_illegal_choice_is_the_players_own_affair(billet_client, played):
    with pytest.raises(billet_client.IllegalAction):
        played(seen(7, legal=LEGAL), problem(409, "illegal_action"), OVER)


def test_who_watches_cannot_play(played):
    with pytest.raises(ValueError, match="no seat"):
        played(answer(200, VIEW | {"viewer": None}))
