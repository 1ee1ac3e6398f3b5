"""Portable logs of whole games of every kind, made from causes alone: without Redis, the same for the same seed."""

import random
from dataclasses import replace
from functools import cache

from engine.actions import DECLINABLE
from engine.bots.question import DEFAULT_THINK_MS
from engine.editions import EDITIONS, rulebook
from engine.events import GameCreated
from engine.logs import codec
from engine.options import legal_actions
from engine.rules import RULES_VERSION, bare_table
from engine.shuffle import commitment, nonce_digest
from engine.state import ACTIVE
from games.causes import (
    Abort,
    Act,
    ComeBack,
    Decline,
    EndReveal,
    Invite,
    Join,
    Leave,
    Open,
    Remove,
    Reveal,
    TakeBreak,
    Thought,
    TimeOut,
    Unseal,
    Withdraw,
    store_cause,
)
from games.clocks.breaks import days_left
from games.records.portable import as_json, parsed, portable
from games.reveals import REVEAL_MS
from games.snapshot import Entry, first_snapshot
from games.steps import step_of
from games.times import text_of

BEGIN_MS = 1_900_000_000_000
CLOCKS = (
    None,
    {"kind": "decision", "seconds": 30, "increment": 0, "on_timeout": "bot_plays", "break_days": 0},
    {"kind": "bank", "seconds": 86_400, "increment": 5, "on_timeout": "bot_plays", "break_days": 7},
    {"kind": "decision", "seconds": 30, "increment": 0, "on_timeout": "forfeit", "break_days": 0},
)
COMMITTING = 6
"""Of so many consecutive seeds one has a table whose players commit to nonces."""
TABLES = [(edition.id, seats) for edition in EDITIONS.values() for seats in edition.seats]


class Story:
    """A game that is told cause by cause."""

    def __init__(self, created, secret):
        self.now = BEGIN_MS
        self.snapshot = first_snapshot(Entry(1, text_of(self.now), created), secret, "")
        self.stored = [codec.store_event(created, text_of(self.now))]
        self.steps = []
        self.first = True

    def tell(self, cause, after_ms=1000):
        self.now += after_ms
        made = step_of(self.snapshot, cause, self.now if not self.first else BEGIN_MS, "")
        new = [codec.store_event(entry.event, entry.at) for entry in made.entries]
        begin = self.stored if self.first else new
        begin[0] |= {"cause": store_cause(cause), "rules": RULES_VERSION}
        self.stored += new
        opened = replace(made, before=None, entries=[self.snapshot.created, *made.entries])
        self.steps.append(opened if self.first else made)
        self.snapshot, self.first = made.after, False


def whole_log(edition, seats, seed):
    """Returns the portable log of a game; consecutive seeds have every kind of clock, and many a cause."""
    return portable(stored_log(edition, seats, seed))


def stored_log(edition, seats, seed):
    """Returns the log of such a game as it is stored."""
    return _told(edition, seats, seed).stored


def read_log(edition, seats, seed):
    """Returns the portable log of such a game, as its recipient reads it."""
    return parsed(_sent_log(edition, seats, seed))


@cache
def _sent_log(edition, seats, seed):
    return as_json(whole_log(edition, seats, seed))


@cache
def whole_story(edition, seats, seed):
    """Returns such a game, told to its end. All who ask share it, so do not change it."""
    return _told(edition, seats, seed)


def _told(edition, seats, seed):
    rng = random.Random(f"{edition} {seats} {seed}")
    clock = CLOCKS[seed % len(CLOCKS)]
    secret = rng.randbytes(32)
    sandbox, shared = seed % 7 == 6, seed % 7 == 5
    created = GameCreated(
        game=f"game{seed}",
        edition=edition,
        options=dict(rulebook(edition, seats, {}).options),
        seats=seats,
        visibility="public",
        clock=clock,
        starter=0 if seed % 5 == 4 else None,
        creator="p0",
        previous_game=None,
        commitment=commitment(secret),
        sandbox=sandbox,
        rated=seed % 3 == 1 and not sandbox and not shared,
        aids=seed % 3 != 1 and not shared,
        sandbox_rounds=({"starter": 1, "order": [rulebook(edition, seats, {}).deck[0]]},) if sandbox else (),
        forked_from=None,
        sandbox_positions=(),
        match={"id": "m", "number": seed} if shared else None,
        deal=f"m/{seed // 2}" if shared else None,
    )
    story = Story(created, secret)
    if seed % COMMITTING == COMMITTING - 2:
        _sit_down_and_reveal(story, seats, missing=seed % 5 == 0)
    else:
        _sit_down(story, seats)
    while story.snapshot.state.status == ACTIVE:
        _go_on(story, rng, clock)
    if story.snapshot.sealed:
        story.tell(Unseal(), 5_000)
    return story


def joined_and_left(times):
    """Returns the log of a table at which somebody sat down and got up so often before it was called off."""
    opened = whole_story("classic", 3, 0).snapshot
    story = Story(opened.table, opened.secret)
    story.tell(Open((Join(0, "p0", ""),)))
    begun = len(story.stored)
    story.tell(Join(1, "p1", nonce_digest("any")), 0)
    story.tell(Leave(1), 0)
    came_and_went = story.stored[begun:]
    story.stored += came_and_went * (times - 1)  # to make each step anew would take long
    story.tell(Abort())
    return parsed(as_json(portable(story.stored)))


def aborted_log(player="p0", game="g"):
    """Returns the log of a game that was called off, of players with any ids."""
    secret = bytes(32)
    about = {"game": game, "creator": player, "previous_game": "before", "commitment": commitment(secret)}
    created = bare_table("classic", 2, **about)
    story = Story(created, secret)
    story.tell(Open((Join(0, player, ""),)))
    story.tell(Abort(), 90_000_000_123)
    return portable(story.stored)


def _sit_down(story, seats):
    story.tell(Open((Join(0, "p0", nonce_digest("mine")),), (Invite(1, "p1"),)))
    story.tell(Decline(1, "p1", "later"))
    story.tell(Invite(1, "p9"))
    story.tell(Withdraw(1, "p9"))
    if seats > 2:  # or the table would be full
        story.tell(Join(1, "p1", ""))
        story.tell(Leave(1))
        story.tell(Join(1, "p1", ""))
        story.tell(Remove(1, "p1"))
        story.tell(Invite(1, "p1"))
    for seat in range(1, seats - 1):
        story.tell(Join(seat, f"p{seat}", nonce_digest(f"of {seat}")))
    story.tell(Join(seats - 1, "bot-cautious", ""))


def nonce_of(seat):
    """Returns the nonce to which the player of a seat commits."""
    return f"the nonce of the player on seat {seat}"


def _sit_down_and_reveal(story, seats, missing):
    """Everybody but the bot commits to a nonce; with `missing` the creator does not reveal theirs in time."""
    story.tell(Open((Join(0, "p0", "", nonce_digest(nonce_of(0))),)))
    if seats > 2:  # or the table would be full
        story.tell(Join(1, "p1", "", nonce_digest("another nonce, of a player who gets up")))
        story.tell(Leave(1))
    for seat in range(1, seats - 1):
        plain = seats > 3 and seat == 1
        given = (nonce_digest(f"of {seat}"), "") if plain else ("", nonce_digest(nonce_of(seat)))
        story.tell(Join(seat, f"p{seat}", *given))
    story.tell(Join(seats - 1, "bot-cautious", ""))
    for seat in reversed(story.snapshot.reveals.waiting[missing:]):
        story.tell(Reveal(seat, nonce_of(seat)))
    if missing:
        story.tell(EndReveal(), REVEAL_MS)


def _go_on(story, rng, clock):
    state = story.snapshot.state
    if rng.random() < 0.005:
        return story.tell(Leave(rng.choice(state.in_game())))
    if state.away and rng.random() < 0.3:
        seat = rng.choice([i for i in range(len(state.seats)) if state.is_away(i)])
        if state.banks is None or state.banks[seat]:
            return story.tell(ComeBack(seat), 10)
    if clock is not None and clock["break_days"] and rng.random() < 0.05:
        seat = rng.choice([i for i in state.in_game() if story.snapshot.players[i] != "bot-cautious"])
        if days_left(clock, state, seat, text_of(story.now)):
            return story.tell(TakeBreak(seat, 1), 10)
    seat = state.to_act
    bot = story.snapshot.players[seat] == "bot-cautious"
    action = rng.choice(legal_actions(state))
    thought = Thought("cautious", 1, DEFAULT_THINK_MS, 3)
    deadline = story.snapshot.deadline
    if clock is not None and not bot and rng.random() < (0.02 if clock["on_timeout"] == "forfeit" else 0.15):
        late = max(0, deadline - story.now) + rng.randrange(3)
        return story.tell(_late(story, seat, action, thought, clock), late)
    return story.tell(Act(seat, action, thought if bot else None), rng.randrange(1, 900))


def _late(story, seat, action, thought, clock):
    decision = story.snapshot.state.decision
    if clock["on_timeout"] == "forfeit":
        return TimeOut(seat)
    if decision is not None and decision.kind in DECLINABLE:
        return TimeOut(seat, legal_actions(story.snapshot.view(seat))[0])
    return TimeOut(seat, action, thought)
