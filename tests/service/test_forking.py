"""Forks in memory: from any point of any game, as everybody saw it there, to an end that can be verified."""

import random

import pytest

from engine import codec
from engine.editions import EDITIONS
from engine.events import GameStarted
from engine.options import legal_actions
from engine.rules import fold_log
from engine.state import ACTIVE
from engine.views import ALL, WATCHER, present, view
from service.causes import Act, Leave, Thought
from service.forking import new_fork, occupants_of, point_of
from service.log import stored_form
from service.portable import as_json, parsed, portable
from service.times import ms_of
from service.verification import verify
from tests.service.whole_logs import TABLES, Story, whole_story

POINTS = 5
"""At each of the twenty tables: a hundred in all."""
OF_CLOCKS = ("away", "bank_ms")


class Fork(Story):
    """A fork of a game, of the player of one seat and bots."""

    def __init__(self, parent, version, me="p0", seat=None, **body):
        point = point_of(stored(parent), version)
        seat = point.state.in_game()[0] if seat is None else seat
        made = new_fork("fork", me, parent.snapshot, point, occupants_of(point, me, {"seat": seat, **body}))
        self.me, self.point = me, point
        self._begin(made)

    def _begin(self, made):
        self.begun, self.snapshot, self.stored, self.first = made.after, made.after, stored_form(made), False
        self.now = ms_of(made.entries[-1].at)

    def play(self, rng, leaving=0.0):
        """Plays at random to the end; now and then the player resigns."""
        while self.snapshot.state.status == ACTIVE:
            seat = self.snapshot.state.to_act
            mine = self.snapshot.players[seat] == self.me
            if mine and rng.random() < leaving:
                self.tell(Leave(seat))
            else:
                action = rng.choice(legal_actions(self.snapshot.state))
                self.tell(Act(seat, action, None if mine else Thought("random", "1")))
        return self

    def log(self):
        """Returns the log as one reads it who was sent it."""
        return parsed(as_json(portable(self.stored)))


def stored(story):
    """Returns a log as it is read from Redis."""
    return list(enumerate(story.stored, 1))


def events_of(story):
    return [codec.read_event(one) for one in story.stored]


def seen(state):
    """Returns what there is to be seen in a state, but for what a fork has of its own."""
    shown = present(state)
    del shown["version"]
    for seat in shown["seats"]:
        for name in OF_CLOCKS:
            del seat[name]
    return shown


def first_point(story):
    """Returns the first version from which a game can go on."""
    causes = [version for version, one in stored(story) if one.get("cause")]
    began = next(i for i, event in enumerate(events_of(story), 1) if isinstance(event, GameStarted))
    return next(version for version in causes if version > began) - 1


@pytest.mark.parametrize(("edition", "seats"), TABLES)
def test_forks_from_random_points_go_on_as_everybody_saw_it_and_their_logs_are_true(edition, seats):
    rng = random.Random(f"fork {edition} {seats}")
    for seed in range(POINTS):
        parent = whole_story(edition, seats, seed)
        fork = Fork(parent, rng.randrange(first_point(parent), len(parent.stored)))
        log = events_of(parent)[: fork.point.version]
        for viewer in (*range(seats), WATCHER, ALL):
            assert seen(fork.begun.view(viewer)) == seen(view(log, viewer)), (seed, viewer)
        assert legal_actions(fork.begun.view(fork.begun.state.to_act)) == legal_actions(fold_log(log))
        fork.play(rng, leaving=0.01)
        verdict = verify(fork.log())
        assert verdict.valid, (seed, verdict)


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_fork_can_be_forked_at_a_move_that_it_has_repeated_and_later(edition):
    rng = random.Random(edition)
    parent = whole_story(edition, 3, 2)
    fork = Fork(parent, len(parent.stored) - 1).play(rng)
    repeated = [version for version, one in stored(fork) if (one.get("cause") or {}).get("type") == "repeat"]
    for version in (repeated[len(repeated) // 2] - 1, len(fork.stored) - 1):
        twig = Fork(fork, version)
        assert twig.begun.table.forked_from == {"game": "fork", "version": twig.point.version}
        for viewer in (*range(3), WATCHER):
            assert seen(twig.begun.view(viewer)) == seen(view(events_of(fork)[: twig.point.version], viewer))
        assert verify(twig.play(rng).log()).valid
