"""Games from positions after their end: archived, indexed anew, exported, replayed, forked, played again."""

import random

import pytest

from billet.replay.frames import frames_of, viewer_of
from billet.replay.source import in_file
from games.errors import Refused
from games.records.portable import as_json, parsed
from games.records.verification import verify
from service import Settings, build
from service.upkeep.rebuild import rebuild
from tests.engine.random_positions import as_position, in_part, random_state
from tests.service.at_table import EN, Game, all_events, read
from tests.service.upkeep.archived import answers, made

TABLES = [("standard", 2), ("premium", 3), ("lovecraft", 3)]
EVERYWHERE = pytest.mark.parametrize(("edition", "seats"), TABLES)


@pytest.fixture(autouse=True)
def environment(monkeypatch, redis_url, tmp_path):
    monkeypatch.setenv("REDIS_URL", redis_url)
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def settings(redis_url, tmp_path):
    return Settings(redis_url=redis_url, archive_url=str(made(tmp_path / "archive")), retain_finished_days=1)


def played(service, edition, seats, seed=1):
    """Returns an ended game from a random position; the creator has all seats but the last, which is another's."""
    state = random_state(edition, seats, seed)
    position = in_part(as_position(state), random.Random(seed)) if seed % 2 else as_position(state)
    kinds = ["creator"] * (seats - 1) + ["open"]
    sandbox = {"positions": [position, {}, {"tokens": [1]}]}
    game = Game.open(service, *kinds, edition=edition, options=state.book.options, sandbox=sandbox).fill()
    return game.play(random.Random(seed))


def begun(service, game, token):
    """Returns what begins the rounds of a game, as one sees it who may see everything."""
    events = all_events(service, token, game, as_="all")
    return [event["data"] for event in events if event["type"] == "round_started"]


@EVERYWHERE
def test_they_are_answered_alike_from_the_archive_and_after_indexes_are_made_anew(service, settings, edition, seats):
    game = played(service, edition, seats)
    before = answers(service, game)
    assert rebuild(settings)["games"] == 1
    assert answers(build(settings), game) == before
    assert service.retention.archive(game.id) == "archived"
    assert answers(build(settings), game) == before
    assert verify(parsed(as_json(build(settings).games.log(game.creator.token, game.id)))).valid


@EVERYWHERE
def test_a_replay_shows_every_seat_what_it_saw(service, tmp_path, edition, seats):
    game = played(service, edition, seats, 3)
    (tmp_path / "log").write_bytes(as_json(service.games.log(None, game.id)))
    source = in_file("log", EN)
    for viewer in (None, "0", str(seats - 1)):
        as_ = "all" if viewer is None else int(viewer)
        for frame in frames_of(source, viewer_of(source, viewer, EN), EN)[:40:7]:
            view = frame["game"]
            seen = game.view(at=view["version"], as_=as_)
            assert view["round"] == seen["round"]
            assert [one["hand"] for one in view["seats"]] == [one["hand"] for one in seen["seats"]]
            assert [one["discards"] for one in view["seats"]] == [one["discards"] for one in seen["seats"]]


@EVERYWHERE
def test_a_fork_goes_on_from_any_turn_of_a_position_and_is_a_game_like_others(service, edition, seats):
    turns, rng = [], random.Random(5)
    while len(turns) < 4:  # some games are soon over
        game = played(service, edition, seats, 4)
        rounds = read(service.games.rounds(None, game.id))["rounds"]
        # What ends a round as it begins asks nobody, so that nobody could go on from there.
        turns = [turn["act_version"] for one in rounds for turn in one["turns"] if turn["act_version"] is not None][:-1]
    for version in (turns[0], rng.choice(turns[1:])):
        fork = read(service.tables.fork(game.creator.token, game.id, {"version": version, "seat": 0}, words=EN))
        assert (fork["status"], fork["sandbox"]) == ("active", True)
        there, now = (
            read(service.games.view(game.creator.token, one, at=at, as_="all", words=EN))
            for one, at in ((game.id, version), (fork["id"], None))
        )
        assert now["round"] == there["round"]
        assert [seat["hand"] for seat in now["seats"]] == [seat["hand"] for seat in there["seats"]]
        assert begun(service, fork["id"], game.creator.token)[0] == begun(service, game.id, None)[0]
        gone_on = Game(service, fork["id"], game.creator, {0: game.creator}).play(rng)
        assert gone_on.view(creator=True)["status"] == "finished"
        assert verify(parsed(as_json(service.games.log(game.creator.token, fork["id"])))).valid


@EVERYWHERE
def test_a_rematch_begins_with_the_same_positions_whoever_asks_for_it(service, edition, seats):
    game = played(service, edition, seats, 6)
    other = game.guests[seats - 1]
    again = read(service.tables.rematch(other.token, game.id, words=EN))
    invited = [seat["invited"] and seat["invited"]["id"] for seat in again["seats"]]
    assert invited == [game.creator.id, *[None] * (seats - 1)], "one invitation for each player"
    rematch = Game(service, again["id"], game.creator, {seats - 1: other})
    service.tables.take_seat(game.creator.token, again["id"], {}, words=EN)
    rematch.guests[0] = game.creator
    for seat in range(1, seats - 1):
        service.tables.take_seat(game.creator.token, again["id"], {"seat": seat}, words=EN)
        rematch.guests[seat] = game.creator
    for viewer in (None, seats - 1):
        assert rematch.events(viewer)[0]["data"]["sandbox_positions"] == [None] * 3
        with pytest.raises(Refused):
            rematch.view(viewer, as_="all")
    assert again["creator"] == game.creator.id
    assert rematch.view(creator=True, as_="all")["status"] == "active"
    first, second = begun(service, game.id, None)[0], begun(service, again["id"], game.creator.token)[0]
    assert second["position"] == first["position"]
    assert (second["starter"], second["scores"]) == (first["starter"], first["scores"])
    rematch.play(random.Random(1))
    assert verify(parsed(as_json(service.games.log(other.token, again["id"])))).valid
