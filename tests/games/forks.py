"""Forks of games, made and played in memory."""

from engine.options import legal_actions
from engine.state import ACTIVE
from games.causes import Act, Leave, Thought
from games.records.portable import as_json, parsed, portable
from games.steps import stored_form
from games.tables.forking import new_fork, occupants_of, point_of
from games.times import ms_of
from service.inputs.chance import fresh
from service.inputs.clock import now_ms
from tests.games.whole_logs import Story


def stored(story):
    """Returns a log as it is read from Redis."""
    return list(enumerate(story.stored, 1))


class Fork(Story):
    """A fork of a game, of the player of one seat and bots."""

    def __init__(self, parent, version, **body):
        point = point_of(stored(parent), version)
        occupants = occupants_of(point, "p0", {"seat": point.state.in_game()[0], **body})
        made = new_fork("fork", "p0", parent.snapshot, point, occupants, now_ms(), fresh())
        self.me, self.point = "p0", point
        self._begin(made)

    def _begin(self, made):
        self.begun, self.snapshot, self.stored, self.first = made.after, made.after, stored_form(made), False
        self.now, self.steps = ms_of(made.entries[-1].at), [made]

    def play(self, rng, leaving=0.0):
        """Plays at random to the end; now and then the player resigns."""
        while self.snapshot.state.status == ACTIVE:
            seat = self.snapshot.state.to_act
            mine = self.snapshot.players[seat] == self.me
            if mine and rng.random() < leaving:
                self.tell(Leave(seat))
            else:
                action = rng.choice(legal_actions(self.snapshot.state))
                self.tell(Act(seat, action, None if mine else Thought("random", 1)))
        return self

    def log(self):
        """Returns the log as one reads it who was sent it."""
        return parsed(as_json(portable(self.stored)))
