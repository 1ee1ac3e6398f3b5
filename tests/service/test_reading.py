"""Reading games: views now and as they were, of others once a game has ended, entity tags, and the events."""

import random
from functools import partial

import pytest

from engine import views
from engine.views import WATCHER
from games.views.page_limits import LONGEST_WAIT_SECONDS, MOST_EVENTS
from service.store import keys
from tests.service.at_table import EN, Game, guest, read, refusal
from tests.service.stored import read_log, write_log

# --- views as they were ---


@pytest.mark.parametrize(("edition", "seats"), [("standard", 6), ("classic", 4)])
def test_every_version_is_the_redacted_log_up_to_there(service, log, edition, seats):
    """Also those that nobody was served. What was served live is in `play/test_replay.py`."""
    game = Game.begin(service, seats, edition=edition).play(random.Random(edition), 60).cut_short()
    events = [entry.event for entry in log.entries(game.id, 0)]
    for viewer in (None, seats - 1):
        as_viewer = WATCHER if viewer is None else viewer
        state = views.view(events[:1], as_viewer)
        for version in range(1, len(events) + 1):
            if version > 1:
                views.advance(state, events[version - 1 : version], as_viewer)
            seen, expected = game.view(viewer, at=version), views.present(state)
            for seat in seen["seats"]:
                del seat["player"], seat["invited"], seat["hints"], seat["break_until"], seat["break_days_left"]
            if seen["decision"] is not None:
                assert seen["decision"].pop("text")
            assert {name: seen[name] for name in expected} == expected


def test_nothing_of_an_ended_game_is_hidden_from_one_who_reads_all_of_it(service):
    game = Game.begin(service, 4).play(random.Random(1))
    for version in range(1, game.view()["version"] + 1):
        view = game.view(as_="all", at=version)
        assert (view["legal_actions"], view["viewer"]) == ([], None)
        assert not [seat for seat in view["seats"] if None in seat["hand"]]
        if view["round"] is not None and view["status"] == "active":
            assert view["round"]["set_aside"] is not None or view["round"]["deck_size"] == 0


def test_the_past_of_a_view_holds_no_more_than_its_log(service):
    """What a viewer learns later is not in its earlier views."""
    rounds = [{"starter": 0, "order": ["spy", "priest", "king", "handmaid", "guard"]}]
    game = Game.begin(service, 3, sandbox={"rounds": rounds})
    before = game.view(0)["version"]
    game.act(0, {"type": "play_card", "card": "priest", "targets": [1]})
    assert game.view(0)["seats"][1]["hand"][0] == "king"
    assert game.view(0, at=before)["seats"][1]["hand"] == [None]
    assert game.view(2)["seats"][1]["hand"] == [None, None]


@pytest.mark.parametrize("at", [0, -1, 10_000])
def test_a_version_there_never_was_is_invalid(service, at):
    refused = refusal(lambda: Game.begin(service).view(0, at=at))
    assert refused.code == "invalid_request"
    assert refused.faults[0].field == "at"


# --- ended games ---


@pytest.mark.parametrize("as_", [3, -1, "1", "ALL", ""])
def test_a_seat_there_is_not_cannot_be_read(service, as_):
    game = Game.begin(service, 3)
    service.tables.leave(game.token(0), game.id, words=EN)
    service.tables.leave(game.token(1), game.id, words=EN)
    refused = refusal(lambda: game.view(as_=as_))
    assert refused.code == "invalid_request"
    assert refused.faults[0].field == "as"


# --- tags ---


def test_a_view_that_is_known_is_not_sent_again(service):
    game = Game.begin(service)
    first = service.games.view(game.token(0), game.id, words=EN)
    again = service.games.view(game.token(0), game.id, known=first.tag.__eq__, words=EN)
    assert (again.unchanged, again.body, again.tag) == (True, b"", first.tag)
    assert service.games.view(game.token(0), game.id, known="x".__eq__, words=EN) == first
    game.step(random.Random(1))
    assert not service.games.view(game.token(0), game.id, known=first.tag.__eq__, words=EN).unchanged


def test_different_views_have_different_tags(service):
    """Over a whole game, of every viewer: two views of one tag are the same."""
    by_tag = {}

    def note_all(game, stranger):
        tokens = [None, stranger.token, game.creator.token, *[guest.token for guest in game.guests.values()]]
        for token in tokens:
            answers = [service.games.view(token, game.id, join_code=code, words=EN)]
            if game.view(creator=True)["status"] == "finished":
                answers.append(service.games.view(token, game.id, join_code=code, as_="all", words=EN))
            for answer in answers:
                assert by_tag.setdefault(answer.tag, answer.body) == answer.body

    stranger = guest(service)
    game = Game.open(service, "open", "open", "random", visibility="unlisted")
    code = game.view(creator=True)["join_code"]
    note_all(game, stranger)
    game.fill()
    rng = random.Random(1)
    while game.step(rng):
        note_all(game, stranger)
    service.tables.rematch(game.token(0), game.id, words=EN)
    note_all(game, stranger)
    assert len(by_tag) > 20


def test_the_tags_of_viewers_without_a_card_say_nothing_of_hands(service):
    tags = set()
    for card in ("princess", "guard"):
        rounds = [{"starter": 0, "order": ["spy", card, "king"]}]
        game = Game.begin(service, sandbox={"rounds": rounds})
        tags.add(
            tuple(service.games.view(token, game.id, words=EN).tag for token in (None, game.token(0), game.token(1)))
        )
    assert len(tags) == 1


# --- unlisted games ---


def test_an_unlisted_game_is_seen_with_its_code_or_from_its_table(service):
    game = Game.begin(service, 2, visibility="unlisted")
    code, stranger = game.view(0)["join_code"], guest(service)
    for token in (None, stranger.token):
        for wrong in (None, "", code[:-1], "x"):
            assert (
                refusal(lambda t=token, w=wrong: service.games.view(t, game.id, join_code=w, words=EN)).code
                == "join_code_wrong"
            )
            assert (
                refusal(lambda t=token, w=wrong: service.games.events(t, game.id, join_code=w)).code
                == "join_code_wrong"
            )
        assert read(service.games.view(token, game.id, join_code=code, words=EN))["join_code"] is None
        assert read(service.games.events(token, game.id, join_code=code))["events"]
    for viewer in (0, 1):
        assert game.view(viewer)["join_code"] == code


# --- events ---


def test_events_are_dense_the_same_for_all_and_end_with_the_secret(service):
    game = Game.begin(service, 3).play(random.Random(4))
    seen = {viewer: game.events(viewer) for viewer in (None, 0, 1, 2)}
    for events in seen.values():
        assert [event["version"] for event in events] == list(range(1, len(events) + 1))
        assert [(e["type"], e["at"], sorted(e["data"])) for e in events] == [
            (e["type"], e["at"], sorted(e["data"])) for e in seen[None]
        ]
        assert [event["type"] for event in events[-2:]] == ["game_finished", "secret_revealed"]
        assert len(events[-1]["data"]["secret"]) == 64


def test_events_come_in_pages_without_gap_or_repeat(service, another):
    game = Game.begin(service, 3).play(random.Random(4))
    whole = game.events(1)
    for one in (service, another()):
        for limit in (1, 7, 50, len(whole), len(whole) + 1):
            pages, after, finished = [], 0, False
            while not finished:
                page = read(one.games.events(game.token(1), game.id, after=after, limit=limit))
                assert 0 < len(page["events"]) <= limit
                pages += page["events"]
                after, finished = page["version"], page["finished"]
                assert after == page["events"][-1]["version"]
            assert pages == whole


def test_after_the_last_event_there_is_nothing(service):
    game = Game.begin(service)
    newest = game.view()["version"]
    assert read(service.games.events(None, game.id, after=newest)) == {
        "events": [],
        "version": newest,
        "finished": False,
    }
    beyond = refusal(lambda: service.games.events(None, game.id, after=newest + 1, wait=5))
    assert [beyond.code, beyond.faults[0].field] == ["invalid_request", "after"]
    service.tables.leave(game.token(0), game.id, words=EN)
    page = read(service.games.events(None, game.id, after=newest))
    assert page["finished"]
    assert read(service.games.events(None, game.id, after=page["version"]))["finished"]


def test_a_page_has_a_limit_of_its_own(service, client):
    game = Game.begin(service)
    newest = game.view()["version"]
    events = read_log(client, game.id)
    protected = {**events[-1], "type": "seat_protected", "data": {"seat": 0}}
    write_log(client, game.id, [*events, *[protected] * (MOST_EVENTS + 99 - newest)])
    client.hset(keys.meta(game.id), "head", f"{MOST_EVENTS + 99}:00000000")
    for limit in (None, MOST_EVENTS + 1):
        page = read(service.games.events(None, game.id, limit=limit))
        assert (len(page["events"]), page["version"], page["finished"]) == (MOST_EVENTS, MOST_EVENTS, False)


def test_the_lists_of_events_and_of_actions_are_of_one_course(service):
    rng = random.Random(8)
    game = Game.begin(service, 3)
    told = game.events(1)
    while (seat := game.to_act()) is not None:
        done = game.act(seat, rng.choice(game.legal(seat)))
        told += game.events(1, after=told[-1]["version"])
        if seat == 1:
            assert told[-len(done["events"]) :] == done["events"]
    assert told == game.events(1)


# --- waiting ---


def test_the_waiter_learns_what_to_wait_for_and_what_has_come_is_read(service, another):
    game = Game.begin(service)
    newest = game.view()["version"]
    told = []

    def waiter(*what):
        told.append(what)
        game.step(random.Random(1))

    page = read(another().games.events(None, game.id, after=newest, wait=20, waiter=waiter))
    assert told == [(game.id, newest, 20)]
    assert page["events"] == game.events(after=newest)


def test_who_loses_their_token_while_they_wait_is_told_nothing(service):
    game = Game.begin(service)
    rotate = lambda *what: service.players.rotate(game.token(1))  # noqa: E731
    after = game.view()["version"]
    asked = partial(service.games.events, game.token(1), game.id, after=after, wait=20, waiter=rotate)
    assert refusal(asked).code == "unauthenticated"


def test_what_is_there_is_not_waited_for_nor_what_will_never_come(service):
    game = Game.begin(service)
    newest = game.view()["version"]
    asked = partial(service.games.events, None, game.id, wait=20, waiter=lambda *what: pytest.fail("it waits"))
    assert len(read(asked(after=newest - 1))["events"]) == 1
    service.tables.leave(game.token(0), game.id, words=EN)
    assert read(asked(after=game.view()["version"]))["finished"]


def test_waiting_in_vain_ends_without_events(service):
    game = Game.begin(service)
    after = game.view()["version"]
    assert read(service.games.events(None, game.id, after=after, wait=20, waiter=lambda *what: None))["events"] == []


def test_waiting_ends_with_the_clock_that_makes_an_event(service, clock):
    game = Game.begin(service, 2, clock={"seconds": 3, "on_timeout": "forfeit"})
    begun = game.view()["version"]

    def waiter(game, after, seconds):
        clock.advance(seconds)

    page = read(service.games.events(None, game.id, after=begun, wait=20, waiter=waiter))
    assert [event["type"] for event in page["events"]][:1] == ["seat_left"]
    assert page["finished"]


def test_no_one_waits_longer_than_is_allowed(service):
    waited = []
    game = Game.begin(service)
    after = game.view()["version"]
    service.games.events(None, game.id, after=after, wait=10_000, waiter=lambda *what: waited.append(what[-1]))
    assert waited == [LONGEST_WAIT_SECONDS]
