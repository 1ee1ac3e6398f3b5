"""Whole games of every edition through the client, with several players at one table and watchers beside it."""

import random
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

WAYS = ("stream", "poll")
TABLES = [("standard", 2, WAYS[:1]), ("classic", 2, WAYS[1:]), ("premium", 3, WAYS), ("lovecraft", 2, WAYS[:1])]
"""Editions, seats, and the ways in which the game is followed."""


@pytest.mark.parametrize(("edition", "seats", "ways"), TABLES)
def test_a_table_of_players_plays_to_the_end(register, edition, seats, ways):
    players = [register(f"Player {seat}", commit=True) for seat in range(seats)]
    game = players[0].create(edition, ["creator"] + ["open"] * (seats - 1))
    with ThreadPoolExecutor(seats + 4) as threads:
        drawn = [threads.submit(lambda by=by: list(players[0].frames(game, by=by))) for by in ways]
        followed = [threads.submit(lambda by=by: list(players[0].events(game, by=by))) for by in ways]
        for player in players[1:]:
            player.join(game)
        choices = [random.Random(seat).choice for seat in range(seats)]
        ends = threads.map(
            lambda player, choose: player.play(game, lambda view: choose(view.legal_actions)), players, choices
        )
        ends = list(ends)
    assert {end.status for end in ends} == {"finished"}
    assert len({tuple(end.winners) for end in ends}) == 1
    assert ends[0].winners
    events, *more = [one.result() for one in followed]
    assert [event.version for event in events] == list(range(1, ends[0].version + 1))
    assert more == [events] * (len(ways) - 1)
    frames, *more = [one.result() for one in drawn]
    assert [event for frame in frames for event in frame.events] == events
    assert all(frame.version == frame.game.version == frame.events[-1].version for frame in frames)
    assert more == [frames] * (len(ways) - 1)
    started = next(event.data for event in events if event.type_ == "game_started")
    assert (started.committed, started.unrevealed) == ([*range(seats)], [])
    assert players[0].verify(players[0].log(game)).valid


def test_the_service_judges_a_mapping_that_is_given_for_a_part_of_a_table(billet_client, register):
    client = register()
    game = client.create("standard", ["creator", "open"], clock={"seconds": 60, "on_timeout": "bot_plays"})
    assert game.clock.seconds == 60
    with pytest.raises(billet_client.InvalidRequest, match="clock"):
        client.create("standard", ["creator", "open"], clock={"secs": 60})


def test_a_player_who_leaves_and_comes_back_by_code_still_contributes_to_the_deal(register):
    ann, ben, cleo = register("Ann"), register("Ben", commit=True), register("Cleo")
    game = ann.create("classic", ["creator", "open", "open"], visibility="unlisted")
    ben.join(game, game.join_code)
    ben.leave(game)
    ben.join_by_code(game.join_code)
    cleo.join(game, game.join_code)
    assert ben.view(game).status == "active"
    started = next(event.data for event in ann.events(game) if event.type_ == "game_started")
    assert (started.committed, started.unrevealed) == ([1], [])


def test_two_devices_of_one_player_act_at_the_same_time(billet_client, connected, served, register):
    first = register()
    second = connected(served.base, first.token)
    game = first.create("standard", ["creator", "random"], starter=0)
    taken = 0
    with ThreadPoolExecutor(2) as threads:
        view = first.view(game)
        while view.status == "active":
            if view.legal_actions:
                both = threading.Barrier(2)
                done = [threads.submit(acted, both, device, view) for device in (first, second)]
                refused = [one.exception() for one in done if one.exception() is not None]
                moved_on = (billet_client.StaleVersion, billet_client.NotYourTurn, billet_client.IllegalAction)
                assert len(refused) == 1
                assert isinstance(refused[0], moved_on)
                assert not refused[0].maybe_done
                taken += 1
            view = first.view(game)
    own = [event for event in first.events(game) if event.type_ in ("card_played", "decision_taken")]
    assert len([event for event in own if event.data.seat == 0]) == taken


def acted(both, device, view):
    both.wait()
    return device.act(view, view.legal_actions[0])
