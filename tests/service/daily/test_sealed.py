"""The deal of the day can neither be known before one's own try nor tried twice."""

import json
import logging

import pytest

from games.daily.days import Day
from service.store import keys
from service.upkeep.ended_logs import stored_logs
from tests.service.at_table import EN, guest, read, refusal
from tests.service.daily.trying import at_noon, begin, end, let_the_bot_try, person, play, today

pytestmark = pytest.mark.usefixtures("noon")


@pytest.fixture
def noon(clock, client):
    at_noon(clock, client)


@pytest.fixture
def ann(service, clock):
    return person(service, clock)


@pytest.fixture
def tried(service, ann):
    """Ann's try, played to its end."""
    return play(service, ann, begin(service, ann)["id"])


def secret_of(service, clock):
    return today(clock).secret(service.players.installation_secret()).hex()


@pytest.mark.parametrize("of", ["a person", "the bot"])
def test_nobody_else_looks_at_a_try_before_the_day_ends(service, clock, ann, tried, of):
    bob = person(service, clock, "Bob")
    begin(service, bob)
    game = tried["id"] if of == "a person" else let_the_bot_try(service, today(clock))
    for token in (None, bob.token, guest(service).token):
        for look in (
            lambda token=token: service.games.view(token, game, words=EN),
            lambda token=token: service.games.view(token, game, as_="all", words=EN),
            lambda token=token: service.games.events(token, game),
            lambda token=token: service.games.rounds(token, game),
            lambda token=token: service.games.log(token, game),
            lambda token=token: service.frames.page(token, game, words=EN),
            lambda token=token: service.game_streams.begin(token, game, words=EN),
        ):
            assert refusal(look).code == "game_not_finished"
    code = tried["join_code"]
    assert refusal(lambda: service.games.view(bob.token, tried["id"], join_code=code, words=EN)).code == (
        "game_not_finished"
    ), "its join code opens nothing either"


def test_whoever_tried_sees_what_their_seat_saw_and_no_more(service, clock, ann, tried):
    for more in ({"as_": "all"}, {"as_": 1}):
        refused = refusal(lambda more=more: service.games.view(ann.token, tried["id"], words=EN, **more))
        assert refused.code == "game_not_finished"
    assert refusal(lambda: service.games.log(ann.token, tried["id"])).code == "game_not_finished"
    fork = {"version": tried["version"] - 2}
    assert refusal(lambda: service.tables.fork(ann.token, tried["id"], fork, words=EN)).code == "game_not_finished"
    events = read(service.games.events(ann.token, tried["id"]))["events"]
    assert "secret_revealed" not in {event["type"] for event in events}
    assert secret_of(service, clock) not in json.dumps([events, tried, service.own_data.of(ann.token)])


def test_after_the_day_a_try_is_its_players_alone(service, clock, ann, tried):
    """Its player may hide their history; the crowd's choices name nobody."""
    end(service, clock, today(clock))
    assert read(service.games.view(ann.token, tried["id"], as_="all", words=EN))["status"] == "finished"
    assert refusal(lambda: service.games.view(guest(service).token, tried["id"], words=EN)).code == "join_code_wrong"
    assert read(service.tables.fork(ann.token, tried["id"], {"version": 9}, words=EN))["sandbox"]


def test_a_rematch_is_dealt_otherwise(service, ann, tried):
    again = read(service.tables.rematch(ann.token, tried["id"], words=EN))
    assert (again["deal"], again["commitment"] == tried["commitment"]) == (None, False)
    assert begin(service, ann)["id"] == tried["id"]


def test_who_resigns_has_tried(service, ann):
    first = begin(service, ann)
    service.tables.leave(ann.token, first["id"], words=EN)
    again = begin(service, ann)
    assert (again["id"], again["seats"][0]["left"]) == (first["id"], True)
    assert refusal(lambda: service.tables.abort(ann.token, first["id"], words=EN)).code == "illegal_action"
    service.tables.take_seat(ann.token, first["id"], {}, words=EN)
    assert begin(service, ann)["seats"][0]["left"], "nobody comes back"


def test_a_try_that_is_given_up_ends_by_its_clock(service, clock, ann):
    game = begin(service, ann)
    while (seen := read(service.games.view(ann.token, game["id"], words=EN)))["to_act"] != 0:
        service.play.bot_turns(game["id"], 60)
    clock.advance(121)
    service.play.time_out(game["id"], seen["version"])
    assert read(service.games.view(ann.token, game["id"], words=EN))["seats"][0]["left"]


def test_an_operator_who_calls_a_try_off_gives_no_other(service, clock, ann):
    game = begin(service, ann)["id"]
    service.administration.abort(game)
    assert (begin(service, ann)["id"], begin(service, ann)["status"]) == (game, "aborted")
    assert refusal(lambda: service.games.log(ann.token, game)).code == "game_not_finished"
    end(service, clock, today(clock))
    assert service.games.log(ann.token, game)["secret"] == service.daily.past(None, *day_of(clock), EN)["secret"]


def day_of(clock):
    day = today(clock).before(1)
    return day.edition, day.date


def test_who_is_erased_has_tried(service, clock):
    """A login leads to the same player for ever; without one, who comes back is younger than the day."""
    login = service.players.of_login("issuer ann", "Ann", lambda: None)
    begun = read(service.daily.begin(login, "standard", words=EN))["id"]
    service.administration.erase(login.partition(".")[0])
    again = service.players.of_login("issuer ann", "Ann", lambda: None)
    assert refusal(lambda: service.daily.begin(again, "standard", words=EN)).code == "unauthenticated"
    end(service, clock, today(clock))
    assert refusal(lambda: service.games.log(None, begun)).code == "join_code_wrong"
    assert service.daily.past(None, *day_of(clock), EN)["tried"] == 0


def test_a_try_is_in_no_list_of_others_and_no_result(service, client, clock, ann, tried):
    service.recording.record(tried["id"])
    assert service.results.page(None)["results"] == []
    for token in (None, ann.token):
        assert tried["id"] not in {game["id"] for game in service.lobby.public(token, words=EN)["items"]}
    assert service.pages.page(None, ann.id, EN)["games"] == []
    assert service.pages.page(None, ann.id, EN)["record"] == service.pages.page(None, guest(service).id, EN)["record"]
    assert client.zcard(keys.UNRECORDED) == 0
    end(service, clock, today(clock))
    assert service.results.page(None)["results"] == []
    assert service.pages.page(None, ann.id, EN)["games"] == []


def test_a_try_is_neither_packed_nor_archived_nor_exported_before_the_day_ends(service, clock, settings, tried):
    assert not service.packing.pack(tried["id"])
    assert service.retention.archive(tried["id"]) != "archived"
    assert [*stored_logs(settings)] == []
    end(service, clock, today(clock))
    assert service.packing.pack(tried["id"])
    assert tried["id"] in {one.place.game for one in stored_logs(settings)}


def test_no_log_line_names_a_card_or_the_secret(service, clock, ann, caplog):
    caplog.set_level(logging.DEBUG)
    play(service, ann, begin(service, ann)["id"])
    day = today(clock)
    let_the_bot_try(service, day)
    for line in caplog.messages:
        assert secret_of(service, clock) not in line
        assert not any(f"'{card}'" in line for card in day.book.copies)


def test_days_and_editions_have_secrets_of_their_own(service, clock):
    installation = service.players.installation_secret()
    days = [Day(edition, date) for edition in ("standard", "classic") for date in ("2026-01-31", "2026-02-01")]
    assert len({day.secret(installation) for day in days}) == len(days)
    assert len({day.game(installation, player) for day in days for player in ("a", "b")}) == 2 * len(days)
    assert installation.hex() not in {day.secret(installation).hex() for day in days}


def test_one_player_has_one_game_for_each_edition_and_day(service, clock, ann):
    games = {begin(service, ann, edition)["id"] for edition in ("standard", "classic", "premium", "lovecraft")}
    assert len(games) == 4
    assert begin(service, ann)["id"] in games
    end(service, clock, today(clock))
    assert begin(service, ann)["id"] not in games
