"""What the client repeats and what not, with which key, how long, and what it says when it gives up."""

import importlib
from types import SimpleNamespace

import pytest

from tests.clients.python.scripted.server import Scripted, answer, cut, hang_up, late, lose, problem, silent
from tests.clients.python.scripted.shapes import ACCESS, ACTED, EVENTS, PLAYER, TICKET, VIEW, page
from tools.testbed.installation import deaf_port

TAG = '"7-seat0-en"'
ACCEPTED = answer(201, ACTED, ETag='"11-seat0-en"')
PASSING = {
    "lost": lose,
    "hung up": hang_up,
    "cut": cut,
    "garbled": answer(201, b"{}", Content_Encoding="gzip"),
    "silent": silent(0.5),
    "request_timeout": problem(408, "request_timeout"),
    "rate_limited": problem(429, "rate_limited", limit="acting"),
    "bad_gateway": answer(502, b"<h1>Bad Gateway</h1>", "text/html"),
    "unavailable": problem(503, "unavailable"),
    "gateway_timeout": answer(504, b"", "text/plain"),
}
FINAL = {
    "malformed_request": (400, "InvalidRequest"),
    "unauthenticated": (401, "Unauthenticated"),
    "not_seated": (403, "NotSeated"),
    "not_accepted": (403, "NotAccepted"),
    "removed": (403, "Removed"),
    "not_found": (404, "NotFound"),
    "illegal_action": (409, "IllegalAction"),
    "not_your_turn": (409, "NotYourTurn"),
    "idempotency_key_reused": (409, "KeyReused"),
    "stale_version": (412, "StaleVersion"),
    "invalid_request": (422, "InvalidRequest"),
    "internal_error": (500, "Failed"),
}


@pytest.fixture
def pauses(billet_client, monkeypatch):
    """The pauses between attempts, in seconds: they are noted and not made, and no other time goes by."""
    taken = []
    tenacity = billet_client.retries.tenacity
    monkeypatch.setattr(tenacity.nap, "time", SimpleNamespace(sleep=taken.append))
    monkeypatch.setattr(tenacity, "time", SimpleNamespace(monotonic=lambda: sum(taken)))
    return taken


@pytest.fixture
def nobody():
    """An address where nobody listens."""
    with deaf_port() as port:
        yield f"http://127.0.0.1:{port}"


def timeout_for(failure):
    """How long an attempt may be silent: only where one is, that has to be over soon."""
    return 0.25 if failure is PASSING["silent"] else 60


@pytest.fixture
def view(impatient):
    with Scripted(answer(200, VIEW, ETag=TAG)) as server:
        return impatient(server.url).view("game-1")


def first_action(view):
    return view.legal_actions[0]


@pytest.mark.parametrize("failure", PASSING.values(), ids=PASSING)
def test_an_action_is_repeated_with_the_same_key_and_tag(impatient, view, failure):
    with Scripted(failure, failure, ACCEPTED) as server:
        result = impatient(server.url, timeout=timeout_for(failure)).act(view, first_action(view))
    assert result.version == ACTED["version"]
    assert len(server.asked) == 3 or (failure is PASSING["silent"] and len(server.asked) > 3)
    assert len({(asked.path, asked.body, asked.key, asked.headers["if-match"]) for asked in server.asked}) == 1
    assert server.asked[0].key
    assert server.asked[0].headers["if-match"] == TAG


@pytest.mark.parametrize("tag", [TAG, f"W/{TAG}"], ids=["strong", "weakened by a proxy"])
def test_the_tag_of_a_view_travels_with_it(billet_client, impatient, tag):
    with Scripted(answer(200, VIEW, ETag=tag), ACCEPTED) as server:
        player = impatient(server.url)
        kept = billet_client.Game.from_dict(player.view("game-1").to_dict())
        result = player.act(kept, first_action(kept))
        player.act(result.game, first_action(kept))
    assert [asked.headers.get("if-match") for asked in server.asked] == [None, TAG, '"11-seat0-en"']


@pytest.mark.parametrize("failure", PASSING.values(), ids=PASSING)
def test_looking_is_repeated(impatient, failure):
    with Scripted(failure, answer(200, PLAYER)) as server:
        assert impatient(server.url, timeout=timeout_for(failure)).me().id == PLAYER["id"]
    assert len(server.asked) == 2 or (failure is PASSING["silent"] and len(server.asked) > 2)
    assert {asked.key for asked in server.asked} == {None}


@pytest.mark.parametrize(
    "call",
    [
        lambda client: client.create("standard", ["creator", "open"]),
        lambda client: client.join("game-1"),
        lambda client: client.add_bot("game-1", "random"),
        lambda client: client.rematch("game-1"),
        lambda client: client.fork("game-1", 9),
    ],
    ids=["create", "join", "add_bot", "rematch", "fork"],
)
def test_whatever_creates_has_a_key_of_its_own(impatient, call):
    with Scripted(lose, answer(201, VIEW), lose, answer(201, VIEW)) as server:
        player = impatient(server.url)
        call(player)
        call(player)
    first, again, second, second_again = (asked.key for asked in server.asked)
    assert first == again
    assert second == second_again
    assert first != second


@pytest.mark.parametrize(("code", "status", "kind"), [(code, *found) for code, found in FINAL.items()], ids=FINAL)
def test_what_is_refused_is_not_asked_again(billet_client, impatient, view, code, status, kind):
    with (
        Scripted(problem(status, code), ACCEPTED) as server,
        pytest.raises(getattr(billet_client, kind)) as refused,
    ):
        impatient(server.url).act(view, first_action(view))
    assert len(server.asked) == 1
    assert refused.value.code == code
    assert str(refused.value) == f"{code}!"
    assert refused.value.key == server.asked[0].key
    assert refused.value.maybe_done is (status == 500)


@pytest.mark.parametrize(("status", "code"), [(429, "rate_limited"), (503, "unavailable")])
def test_it_waits_as_long_as_it_is_asked_to(impatient, status, code):
    with Scripted(problem(status, code, retry_after=1), answer(200, PLAYER)) as server:
        impatient(server.url).me()
    first, second = (asked.at for asked in server.asked)
    assert second - first >= 1


def test_it_gives_up_at_once_if_that_is_too_long(billet_client, impatient, pauses):
    with (
        Scripted(problem(429, "rate_limited", retry_after=60, limit="acting")) as server,
        pytest.raises(billet_client.RateLimited) as limited,
    ):
        impatient(server.url, patience=5).me()
    assert pauses == []
    assert (limited.value.retry_after, limited.value.limit) == (60, "acting")
    assert not limited.value.maybe_done


def test_the_first_pauses_are_short(impatient, pauses):
    with Scripted(lose, lose, lose, lose, answer(200, PLAYER)) as server:
        impatient(server.url).me()
    assert all(taken <= most for taken, most in zip(pauses, (0.2, 0.4, 0.8, 1.6), strict=True))


def test_it_gives_up_when_the_time_is_over(billet_client, impatient, view, pauses):
    with Scripted(lose) as server, pytest.raises(billet_client.NoAnswer) as lost:
        impatient(server.url, patience=0.8).act(view, first_action(view))
    assert sum(pauses) < 0.8
    assert len(server.asked) == len(pauses) + 1 > 1
    assert lost.value.maybe_done
    assert {asked.key for asked in server.asked} == {lost.value.key}


def test_the_same_call_can_be_made_again_with_the_key_of_the_failure(billet_client, impatient, view):
    with Scripted(lose) as server, pytest.raises(billet_client.NoAnswer) as lost:
        impatient(server.url, patience=0).act(view, first_action(view))
    with Scripted(ACCEPTED) as again:
        impatient(again.url).act(view, first_action(view), key=lost.value.key)
    assert [asked.key for asked in again.asked] == [server.asked[0].key]


def test_nothing_is_done_where_nobody_listens(billet_client, impatient, view, nobody):
    with pytest.raises(billet_client.NoAnswer) as lost:
        impatient(nobody, patience=0.3).act(view, first_action(view))
    assert not lost.value.maybe_done
    assert lost.value.key


def test_a_new_token_is_asked_for_with_the_old_one_and_one_key_until_it_is_there(impatient):
    failures = (lose, cut, problem(503, "unavailable"), problem(429, "rate_limited"))
    with Scripted(*failures, answer(200, ACCESS), answer(200, PLAYER)) as server:
        player = impatient(server.url)
        token = player.rotate_token()
        player.me()
    assert token == player.token == ACCESS["token"]
    *rotating, looking = server.asked
    assert {asked.headers["authorization"] for asked in rotating} == {"Bearer TOKEN"}
    assert len({asked.key for asked in rotating}) == 1
    assert looking.headers["authorization"] == f"Bearer {token}"


def test_a_new_token_whose_answer_never_came_can_be_asked_for_later(billet_client, impatient):
    with Scripted(lose) as server, pytest.raises(billet_client.NoAnswer) as lost:
        impatient(server.url, patience=0.1).rotate_token()
    assert lost.value.maybe_done
    with Scripted(answer(200, ACCESS)) as later:
        assert impatient(later.url).rotate_token(key=lost.value.key) == ACCESS["token"]
    assert later.asked[0].key == server.asked[0].key


def ticket(client):
    """Calls the generated core, which has no parameter for a key."""
    core = importlib.import_module("billet_client.core.api.following.create_ticket")
    return core.sync("game-1", client=client.core)


REPEATED = [
    (ticket, answer(201, TICKET)),
    (lambda client: client.register("Ann", kind="bot"), answer(201, ACCESS)),
    (lambda client: client.leave("game-1"), answer(200, VIEW)),
    (lambda client: client.abort("game-1"), answer(200, VIEW)),
]


@pytest.mark.parametrize(("call", "accepted"), REPEATED, ids=["ticket", "register", "leave", "abort"])
def test_a_call_is_repeated_with_one_key(impatient, call, accepted):
    with Scripted(lose, cut, problem(503, "unavailable"), accepted) as server:
        call(impatient(server.url))
    assert len(server.asked) == 4
    assert len({(asked.method, asked.path, asked.body, asked.key) for asked in server.asked}) == 1
    assert server.asked[0].key


@pytest.mark.parametrize("tagged", [True, False])
def test_a_refusal_after_a_lost_answer_is_the_last_word_only_about_a_view(billet_client, impatient, view, tagged):
    with (
        Scripted(lose, problem(409, "not_your_turn")) as server,
        pytest.raises(billet_client.NotYourTurn) as refused,
    ):
        impatient(server.url).act(view if tagged else view.id, first_action(view))
    assert ["if-match" in asked.headers for asked in server.asked] == [tagged, tagged]
    assert refused.value.maybe_done is not tagged


def test_who_was_told_to_come_later_knows_nothing_of_an_answer_that_was_lost(billet_client, impatient, view):
    with (
        Scripted(lose, problem(429, "rate_limited", retry_after=60)) as server,
        pytest.raises(billet_client.RateLimited) as limited,
    ):
        impatient(server.url, patience=50).act(view, first_action(view))
    assert limited.value.maybe_done


def test_who_has_not_sat_cannot_leave(billet_client, impatient):
    with Scripted(problem(403, "not_seated")) as server, pytest.raises(billet_client.NotSeated):
        impatient(server.url).leave("game-1")
    assert len(server.asked) == 1


@pytest.mark.parametrize(
    "strange",
    [
        answer(200, b"<h1>Sign in to this network</h1>", "text/html"),
        answer(200, {"unknown": 1}),
        answer(301, b"", "text/html", Location="https://elsewhere.example/"),
    ],
    ids=["page", "members", "redirect"],
)
def test_what_cannot_be_understood_is_not_asked_for_again(billet_client, impatient, view, strange):
    with Scripted(strange) as server:
        with pytest.raises(billet_client.NotUnderstood) as looking:
            impatient(server.url).me()
        with pytest.raises(billet_client.NotUnderstood) as acting:
            impatient(server.url).act(view, first_action(view))
    assert len(server.asked) == 2
    assert not looking.value.maybe_done
    assert acting.value.maybe_done
    assert acting.value.key == server.asked[1].key


def test_a_wait_is_no_loss_of_patience(impatient):
    # The long-poll is silent for longer than an attempt and all patience may be, and is cut off then.
    over = answer(200, VIEW | {"status": "finished", "legal_actions": []})
    with Scripted(answer(200, VIEW | {"legal_actions": []}), silent(2.5), answer(200, page([])), over) as server:
        assert impatient(server.url, timeout=2, patience=0.3).play("game-1", first_action).status == "finished"
    assert [asked.path.rpartition("/")[2] for asked in server.asked] == ["game-1", "events", "events", "game-1"]


def test_an_attempt_that_waits_may_be_silent_for_longer(impatient):
    with Scripted(late(0.5, answer(200, page(EVENTS, finished=True)))) as server:
        assert len(list(impatient(server.url, timeout=0.25).events("game-1", by="poll"))) == len(EVENTS)
    assert len(server.asked) == 1
