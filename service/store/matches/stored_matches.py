"""Stores matches. All of one is in one hash: what it is, its state, and by game what came of it."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from functools import partial
from typing import Final

import orjson

from engine.shuffle import SECRET_BYTES
from games.matches.setup import ENDED, INVITED, STATES, MatchSetup
from games.matches.standings import Outcome
from service.store import keys
from service.store.damaged import sound
from service.store.lists.by_time import ListByTime
from service.store.lists.due import DueList
from service.store.redis.client import Command, RedisClient, hash_of
from service.store.redis.scans import scan
from service.store.scripts import BEGIN_MATCH, MOVE_MATCH, NOTE_THERE, OPEN_GAME

_GAME, _DEAL, _ACCEPTED = "game:", "deal:", "accepted:"
"""What the names of fields begin with: games that were opened, deals that are over, programs that have accepted."""
_THERE = "there"
"""The value of the field of a game that was seen, until it has ended."""
AT_ONCE: Final = 500
"""How many matches are read from a list at once."""


@dataclass(frozen=True, slots=True)
class Match:
    """A match as it stands."""

    setup: MatchSetup
    name: str
    """What its creator calls it; empty once they are erased."""
    state: str
    secret: bytes
    """From it follow the secrets of deals that its games share."""
    opened: frozenset[int] = frozenset()
    """The games that were opened, by number."""
    there: frozenset[int] = frozenset()
    """Those that run and were seen."""
    outcomes: Mapping[int, Outcome] = field(default_factory=dict)
    """By number, what came of those that have ended."""
    unsealed: frozenset[int] = frozenset()
    """The shared deals whose secrets are revealed."""
    accepted: frozenset[str] = frozenset()
    """The programs that have accepted to play."""

    @property
    def running(self) -> list[int]:
        """Returns the games of a match that have not ended, as far as is known."""
        return sorted(self.opened - self.outcomes.keys())

    @property
    def over(self) -> bool:
        """Returns whether all of a match is done, and nothing is sealed any more."""
        if self.state != ENDED or self.running:
            return False
        return not self.setup.shares_deals or {self.setup.slot(number).deal for number in self.opened} <= self.unsealed

    @classmethod
    def read(cls, fields: Mapping[str, str]) -> "Match":
        """Returns a match from its stored fields. A damaged outcome is read from its game's log again."""
        setup = MatchSetup.read(fields["setup"])
        numbers = {number: name for number in range(setup.games) if (name := f"{_GAME}{number}") in fields}
        found = {
            number: sound(f"{name} of match {setup.id}", partial(_outcome, setup, fields[name]))
            for number, name in numbers.items()
            if fields[name] not in ("", _THERE)
        }
        if fields["state"] not in STATES or len(secret := bytes.fromhex(fields["secret"])) != SECRET_BYTES:
            raise ValueError("a match has a state and a secret")
        return cls(
            setup=setup,
            name=fields.get("name", ""),
            state=fields["state"],
            secret=secret,
            opened=frozenset(numbers),
            there=frozenset(number for number, name in numbers.items() if fields[name] == _THERE),
            outcomes={number: outcome for number, outcome in found.items() if outcome is not None},
            unsealed=frozenset(deal for deal in range(setup.games) if f"{_DEAL}{deal}" in fields),
            accepted=frozenset(_named(fields, _ACCEPTED)),
        )


class StoredMatches:
    """The matches in Redis. Every call may raise `Unavailable`."""

    def __init__(self, redis: RedisClient) -> None:
        self._redis = redis
        self.due = DueList(redis, keys.MATCHES_DUE)
        self.all = ListByTime(redis, keys.MATCHES)

    def begin(self, match: Match) -> MatchSetup:
        """Stores a match; returns what was stored with this id before, if it was.

        The lists come first, so that none misses it. Entries without a match are left out, and go.
        """
        setup = match.setup
        self._redis.send_each(*_entering(match, {setup.creator, *setup.programs}))
        fields = ["name", match.name, "state", match.state, "secret", match.secret.hex()]
        fields += [part for one in match.accepted for part in (_ACCEPTED + one, "1")]
        found: bytes = self._redis.run(BEGIN_MATCH, [keys.match(setup.id)], [setup.stored(), *fields])
        return MatchSetup.read(found.decode())

    def read(self, match: str) -> Match | None:
        """Reads a match; None if there is none, or it is damaged."""
        fields = self._redis.send(("HGETALL", keys.match(match)))[0]
        return sound(f"match {match}", lambda: Match.read(hash_of(fields))) if fields else None

    def made(self, match: str) -> int | None:
        """Reads when a match on the stored list was made, in milliseconds since 1970; None if it is not there."""
        found = self._redis.send(("ZSCORE", keys.MATCHES, match))[0]
        return int(float(found)) if found is not None else None

    def of_player(self, player: str) -> ListByTime:
        """Returns the stored list of the matches that a player has made or is to play, by when they were made."""
        return ListByTime(self._redis, keys.matches_of(player))

    def not_ended(self, creator: str) -> list[Match]:
        """Reads the matches that a player has made and that have not ended, the newest first."""
        return [*self._still_on(keys.matches_made(creator), lambda match: match.state != ENDED)]

    def invitations(self, program: str) -> Iterator[Match]:
        """Yields the matches that a program has not yet accepted, the newest first."""

        def is_invited(match: Match) -> bool:
            return match.state == INVITED and program in {*match.setup.programs} - match.accepted

        return self._still_on(keys.matches_invited(program), is_invited)

    def _still_on(self, name: str, belongs: Callable[[Match], bool]) -> Iterator[Match]:
        """Yields the matches that still belong on a stored list, the newest first; the others go off it."""
        for raw in self._redis.send(("ZREVRANGE", name, 0, -1))[0]:
            found = self.read(raw.decode())
            if found is not None and belongs(found):
                yield found
            elif found is not None:
                self._redis.send(("ZREM", name, raw))

    def move(self, match: str, state: str, *before: str) -> bool:
        """Brings a stored match from one of some states into another; returns whether it has come there now."""
        return bool(self._redis.run(MOVE_MATCH, [keys.match(match)], [state, *before]))

    def accept(self, match: str, program: str) -> None:
        """Stores that a program has accepted to play a match."""
        self._redis.send(("HSET", keys.match(match), _ACCEPTED + program, 1))

    def note_opened(self, match: str, number: int) -> bool:
        """Stores that a game of a match is opened now; returns False if the match does not run any more."""
        return bool(self._redis.run(OPEN_GAME, [keys.match(match)], [f"{_GAME}{number}"]))

    def note_outcomes(self, match: str, outcomes: Mapping[int, Outcome]) -> None:
        """Stores what came of games of a match."""
        pairs = [part for number, one in outcomes.items() for part in (f"{_GAME}{number}", orjson.dumps([*one]))]
        self._redis.send(("HSET", keys.match(match), *pairs))

    def note_unsealed(self, match: str, deal: int) -> None:
        """Stores that the secret of a shared deal is revealed."""
        self._redis.send(("HSET", keys.match(match), f"{_DEAL}{deal}", 1))

    def forget_name(self, match: str) -> None:
        """Removes the name of a stored match, whose creator is erased."""
        self._redis.send(("HSET", keys.match(match), "name", ""))

    def note_there(self, match: str, numbers: Iterable[int]) -> None:
        """Stores that games of a match are there; one that is gone afterwards was removed."""
        self._redis.run(NOTE_THERE, [keys.match(match)], [_THERE, *[f"{_GAME}{one}" for one in numbers]])

    def look_again(self, sealed: Iterable[tuple[str, int]], now: int) -> None:
        """Notes of deals, by match, that games with them are sealed still, and lets workers look at their matches."""
        for match, deal in sealed:
            self._redis.send(
                ("HDEL", keys.match(match), f"{_DEAL}{deal}"), ("ZADD", keys.MATCHES_DUE, "NX", now, match)
            )

    def remove_lists(self, player: str) -> None:
        """Removes the stored lists of a player's matches."""
        lists = (keys.matches_of(player), keys.matches_made(player), keys.matches_invited(player))
        self._redis.send(*[("UNLINK", one) for one in lists])

    def list_anew(self) -> None:
        """Enters all matches on their stored lists again, as their hashes say."""
        begin, end = keys.match("#").split("#")
        for name in scan(self._redis, keys.match("*"), "hash"):
            if (match := self.read(name.removeprefix(begin).removesuffix(end))) is not None:
                players = [match.setup.creator, *match.setup.programs]
                there = self._redis.send(*[("EXISTS", keys.player(one)) for one in players])
                self._redis.send(*_entering(match, {one for one, found in zip(players, there, strict=True) if found}))

    def note_over(self, match: str, now: int) -> None:
        """Takes a match that is over off the stored list of those to look at, and enters it on that of those over."""
        self._redis.send(("ZADD", keys.MATCHES_OVER, "NX", now, match))
        self.due.remove(match)

    def over(self, until: int) -> list[str]:
        """Reads which matches were found to be over up to a time, the first ones of them."""
        found = self._redis.send(("ZRANGEBYSCORE", keys.MATCHES_OVER, "-inf", until, "LIMIT", 0, AT_ONCE))[0]
        return [one.decode() for one in found]

    def remove(self, match: str) -> None:
        """Removes a match that is over from Redis; it stays on the list of those until all else is gone."""
        found = self.read(match)
        players = {found.setup.creator, *found.setup.programs} if found is not None else ()
        of_players = (keys.matches_of, keys.matches_made, keys.matches_invited)
        lists = [keys.MATCHES, keys.MATCHES_DUE, *[name(one) for one in players for name in of_players]]
        self._redis.send(*[("ZREM", name, match) for name in lists])
        self._redis.send(("UNLINK", keys.match(match)))
        self._redis.send(("ZREM", keys.MATCHES_OVER, match))

    def unlist(self, match: str) -> None:
        """Takes a match that is not there off the stored lists of all matches."""
        self._redis.send_each(("ZREM", keys.MATCHES, match), ("ZREM", keys.MATCHES_DUE, match))


def _entering(match: Match, players: Set[str]) -> list[Command]:
    """Returns the Redis commands that enter a match on its lists, and on those of these players."""
    setup = match.setup
    lists = [keys.MATCHES, *map(keys.matches_of, players)]
    lists += [keys.matches_made(one) for one in players & {setup.creator}]
    lists += [keys.matches_invited(one) for one in players & {*setup.programs} - match.accepted]
    look = ("ZADD", keys.MATCHES_DUE, "NX", setup.created, setup.id)
    return [look, *[("ZADD", one, setup.created, setup.id) for one in lists]]


def _outcome(setup: MatchSetup, stored: str) -> Outcome:
    places, tokens = orjson.loads(stored)
    if len(places) != len(tokens) or len(places) not in (0, setup.seats):
        raise ValueError("each seat has a place and tokens")
    return Outcome(tuple(places), tuple(tokens))


def _named(fields: Iterable[str], begin: str) -> Sequence[str]:
    return [name.removeprefix(begin) for name in fields if name.startswith(begin)]
