"""Goes through every use case of the service, on whatever Redis it has."""

import tempfile
import time
from dataclasses import replace
from unittest.mock import patch

from games.daily.days import Day
from games.tables.lifetimes import DAY_MS
from service import build
from service.inputs.clock import now_ms
from service.upkeep.rebuild import rebuild
from tests.service.at_table import EN, Game, body, guest, read
from tests.service.matches.playing import finish


def play_everything(service, settings, rng):
    """Goes through every use case."""
    ann, bob = guest(service), guest(service)
    service.players.rotate(guest(service).token)
    made = service.tables.create(ann.token, body("creator", "open", "open"), "a key", words=EN)
    assert service.tables.create(ann.token, body("creator", "open", "open"), "a key", words=EN).body == made.body
    game = Game(service, read(made)["id"], ann, {0: ann, 1: bob})
    service.tables.take_seat(bob.token, game.id, {"seat": 1}, "a key", words=EN)
    service.tables.leave(bob.token, game.id, words=EN)
    service.tables.take_seat(bob.token, game.id, {"seat": 1}, words=EN)
    service.tables.take_seat(ann.token, game.id, {"bot": "cautious"}, words=EN)
    game.play(rng, 8)
    assert [item["id"] for item in service.lobby.public(None, "active")["items"]] == [game.id]
    assert [item["id"] for item in service.lobby.mine(ann.token)["items"]] == [game.id]
    service.tables.leave(bob.token, game.id, words=EN)
    del game.guests[1]
    game.play(rng)
    assert read(service.games.view(None, game.id, as_="all", words=EN))["status"] == "finished"
    assert [item["game"] for item in service.own_data.of(ann.token)["played"]] == [game.id]
    again, same = (read(service.tables.rematch(one.token, game.id, words=EN))["id"] for one in (ann, bob))
    rematch = Game(service, again, ann, {0: ann, 1: bob})
    assert same == rematch.id
    service.administration.abort(rematch.id)
    timed = Game.begin(service, 2, clock={"seconds": 1, "on_timeout": "forfeit"})
    service.games.events(None, timed.id, after=timed.view()["version"], wait=5, waiter=wait_out)
    assert timed.view()["status"] == "finished"
    Game.open(service, "random", "random")
    record_and_rate(service)
    service.health.record_heartbeat()
    rebuild(settings)
    archive_everything(settings)
    try_the_deal_of_a_day(service)
    for _ in range(3):
        service.schedule.tasks()
        time.sleep(0.7)


def record_and_rate(service):
    """Records results of rated games, shows what came of them, and removes one."""
    games = [Game.begin(service, 2, rated=True).cut_short() for _ in range(2)]
    for game in games:
        service.recording.record(game.id)
    assert [result["game"] for result in service.results.page(None)["results"]] == [game.id for game in games]
    service.administration.delete(games[0].id)
    winner = games[1].guests[0]
    assert service.players.change(winner.token, hidden=["online"])["hidden"] == ["online"]
    shown = service.pages.page(None, winner.id, EN)
    assert (shown["record"]["people"]["won"], len(shown["ratings"]), len(shown["games"])) == (1, 1, 1)
    assert len(service.pages.ratings(None, winner.id)["items"][0]["history"]) == 1
    assert service.leaderboards.page(None, shown["ratings"][0]["pool"])["items"] == []
    program = guest(service, "Pro", "bot")
    service.players.change(program.token, program={"version": "1"})
    assert [one["id"] for one in service.programs.page(None, edition="standard")["items"]] == [program.id]
    assert [one["id"] for one in service.search.page(None, name="pro")["items"]] == [program.id]
    setup = {"name": "M", "edition": "standard", "seats": 2, "games": 2, "deals": "rotated"}
    entrants = [{"bot": "random"}, {"bot": "cautious"}]
    match = service.matches.create(program.token, {**setup, "entrants": entrants}).match["id"]
    finish(service, match)
    service.match_waves.run(match)
    assert service.matches.view(None, match)["secret"] is not None
    assert [one["id"] for one in service.matches.page(None, player=program.id)["items"]] == [match]


def try_the_deal_of_a_day(service):
    """Tries the deal of a day that is over, and ends the day."""
    player, day = guest(service), Day.at("standard", now_ms() - DAY_MS)
    with patch.object(Day, "at", lambda edition, now: Day(edition, day.date)):
        game = read(service.daily.begin(player.token, "standard", words=EN))["id"]
        assert read(service.daily.begin(player.token, "standard", words=EN))["id"] == game
    service.day_waves.run(day.id)
    assert service.daily.past(player.token, "standard", day.date, EN)["own"]["game"] == game
    assert service.daily.today(player.token)["items"][0]["streak"] == 0, "it was called off"


def wait_out(game, after, seconds):
    time.sleep(seconds)


def archive_everything(settings):
    """Archives all games that have ended, and reads them then."""
    with tempfile.TemporaryDirectory() as folder:
        service = build(replace(settings, archive_url=folder, retain_finished_days=1))
        assert service.retention.claim() == []
        games = list(service.retention.all(0))
        assert len(games) >= 3
        before = [service.games.log(None, game) for game in games]
        assert [service.retention.archive(game) for game in games] == ["archived"] * len(games)
        assert list(service.retention.remove_matches(0))
        assert service.matches.page(None)["items"] == []
        anew = build(replace(settings, archive_url=folder))
        assert [anew.games.log(None, game) for game in games] == before
        assert [read(anew.games.view(None, game, words=EN))["id"] for game in games] == games
        rebuild(settings)
        assert list(service.retention.all(0)) == []
        assert anew.survey.state().games.not_archived == 0
