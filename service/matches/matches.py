"""Lets players make matches of programs and bots, look at them, and steer them."""

import csv
import io
import secrets
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import islice
from typing import Any, Final, NamedTuple

from engine.shuffle import SECRET_BYTES, commitment
from games.errors import Refused, full, invalid
from games.ids import derived_id, own_bot
from games.matches.setup import ENDED, INVITED, PAUSED, RUNNING, MatchSetup, deal_secret, match_invited
from games.matches.standings import Outcome, pairs, shares, standings
from games.messages import Message
from games.player import Player
from games.programs import Accepts
from games.times import text_of
from games.views.page_limits import MOST_GAMES
from service.inputs.chance import random_id
from service.inputs.clock import now_ms
from service.jobs.queue import Jobs
from service.jobs.schedule import Task
from service.lobby import page_cursor, read_cursor
from service.players import Players, described
from service.store.feeds.stored_notices import StoredNotices
from service.store.lists.by_time import NEVER
from service.store.log.stored_answers import Key
from service.store.matches.stored_matches import Match, StoredMatches
from service.store.redis.client import RedisClient

MOST_OPEN: Final = 5
"""How many matches that have not ended a player may have made."""
MOST_LOOKS: Final = 100
"""How many matches are examined for one page, which may therefore be short or empty."""
COLUMNS: Final = ("number", "deal", "game", "state", "seat", "player", "place", "tokens", "share")


class Made(NamedTuple):
    """A match as plain data, and whether the call that gave it is a repeat."""

    match: dict[str, Any]
    replayed: bool


class Matches:
    """The matches of an installation. Every call may raise `Unavailable`."""

    def __init__(self, redis: RedisClient, players: Players, jobs: Jobs) -> None:
        self._stored = StoredMatches(redis)
        self._notices = StoredNotices(redis)
        self._players = players
        self._jobs = jobs

    # --- make ---

    def create(self, token: str | None, body: Mapping[str, Any], idempotency_key: str | None = None) -> Made:
        """Makes a match; it begins once all its programs have accepted it, and at once if none plays.

        Raises:
            Refused: the token is not valid, no such match can be played, a program does not accept it, too many matches
                of the player have not ended, or the key was used for another match.
        """
        player = self._players.authenticate(token)
        key = Key.of(player.id, idempotency_key) if idempotency_key is not None else None
        # The same key leads to the same id, so a repeat finds its match.
        name = "m" + (random_id() if key is None else derived_id("match", player.id, key.digest))
        before = self._stored.read(name) if key is not None else None
        title = body.get("name", "")
        setup = MatchSetup.of(name, player.id, body, now_ms() if before is None else before.setup.created)
        if before is None:
            self._check_programs(setup, player)
            self._check_open(player.id)
            accepted = frozenset([player.id]) & {*setup.programs}
            state = RUNNING if accepted == {*setup.programs} else INVITED
            secret = secrets.token_bytes(SECRET_BYTES)
            self._stored.begin(Match(setup, title, state, secret, accepted=accepted))
        match = self._found(name)
        # Another call with the same key may have made it, also just now.
        if (match.setup, match.name) != (replace(setup, created=match.setup.created), title):
            raise Refused("idempotency_key_reused", Message("detail.key_of_another_request"))
        invited = [one for one in setup.programs if one not in match.accepted]
        self._notices.add([(name, one, [match_invited(setup)]) for one in invited])  # each once
        self._look(name)
        return Made(self._view(match), before is not None)

    def _check_programs(self, setup: MatchSetup, creator: Player) -> None:
        """Checks that a match's programs are there, take part in such games, and put up with one another.

        Raises:
            Refused: `invalid_request` or `not_accepted`.
        """
        programs, stored = setup.programs, self._players.stored
        named = self._players.named(programs)
        for i, one in enumerate(setup.entrants):
            if own_bot(one) is not None:
                continue
            openness = stored.openness(one, creator.id)
            if openness is None or named[one].kind != "bot":
                raise invalid(f"entrants.{i}.player", "fault.no_such_program")
            if openness.blocked or not {*programs}.isdisjoint(stored.blocked(one)):
                raise Refused("not_accepted", Message("detail.match_not_accepted"))
            accepts = openness.program.accepts if openness.program is not None else Accepts()
            if not accepts.fits(setup.terms):
                raise Refused("not_accepted", Message("detail.entrant_declines", {"program": named[one].name}))

    def _check_open(self, player: str) -> None:
        """Checks that a player may make one more match.

        Raises:
            Refused: `rate_limited`.
        """
        if len(self._stored.not_ended(player)) >= MOST_OPEN:
            raise full("open_matches", "detail.too_many_matches", most=MOST_OPEN)

    # --- read ---

    def page(
        self,
        token: str | None,
        *,
        state: str | None = None,
        player: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> dict[str, Any]:
        """Returns a page of matches, the newest first: all, or those that a player has made or is to play.

        Raises:
            Refused: the token is not valid, or the cursor is none of this list.
        """
        self._check_reader(token)
        most = min(limit or MOST_GAMES, MOST_GAMES)
        listed = self._stored.all if player is None else self._stored.of_player(player)
        _, newest, seen = read_cursor(cursor) if cursor is not None else (0, NEVER, "")
        found: list[dict[str, Any]] = []
        for looks, (match, at) in enumerate(islice(listed.newest(newest, seen), MOST_LOOKS + 1)):
            if len(found) == most or looks == MOST_LOOKS:
                return {"items": found, "next_cursor": page_cursor(0, newest, seen)}
            newest, seen = at, match
            stored = self._stored.read(match)
            if stored is not None and state in (None, stored.state):
                found.append(self._summary(stored))
        return {"items": found, "next_cursor": None}

    def view(self, token: str | None, match: str) -> dict[str, Any]:
        """Returns a match with its standings.

        Raises:
            Refused: the token is not valid, or `not_found`, there is no such match.
        """
        self._check_reader(token)
        return self._view(self._found(match))

    def games(
        self, token: str | None, match: str, *, limit: int | None = None, cursor: str | None = None
    ) -> dict[str, Any]:
        """Returns a page of the games of a match that were opened, the latest first.

        Raises:
            Refused: the token is not valid, `not_found`, there is no such match, or the cursor is none of this list.
        """
        self._check_reader(token)
        stored = self._found(match)
        before = read_cursor(cursor)[1] if cursor is not None else stored.setup.games
        most = min(limit or MOST_GAMES, MOST_GAMES)
        numbers = [number for number in sorted(stored.opened, reverse=True) if number < before]
        named = self._players.named({*stored.setup.entrants, *stored.setup.against})
        return {
            "items": [_game(stored, number, named) for number in numbers[:most]],
            "next_cursor": page_cursor(0, numbers[most - 1], "") if len(numbers) > most else None,
        }

    def table(self, token: str | None, match: str) -> str:
        """Returns all games of a match that were opened as CSV: a line for each seat.

        Raises:
            Refused: the token is not valid, or `not_found`, there is no such match.
        """
        self._check_reader(token)
        written = io.StringIO()
        lines = csv.writer(written, lineterminator="\r\n")
        lines.writerow(COLUMNS)
        lines.writerows(_lines(self._found(match)))
        return written.getvalue()

    # --- steer ---

    def change(self, token: str | None, match: str, state: str) -> dict[str, Any]:
        """Pauses a match of the caller, or resumes it; games that run are played to the end.

        Raises:
            Refused: the token is not valid, `not_found`, there is no such match; `not_creator`, somebody else has made
                it; `game_not_started`, it waits for programs; `game_over`, it has ended.
        """
        found = self._own(token, match)
        if not self._stored.move(match, state, RUNNING, PAUSED):
            self._check_going(self._found(match))
            raise Refused("game_not_started", Message("detail.match_not_accepted_yet"))
        self._look(match)
        return self._view(replace(found, state=state))

    def end(self, token: str | None, match: str) -> dict[str, Any]:
        """Ends a match of the caller: no further game is opened, and those that run are played to the end.

        Raises:
            Refused: the token is not valid, `not_found`, there is no such match; `not_creator`, somebody else has made
                it.
        """
        self._own(token, match)
        self._end(match)
        return self._view(self._found(match))

    def accept(self, token: str | None, match: str) -> dict[str, Any]:
        """Accepts a match to which the calling program is invited; the last one begins it.

        Raises:
            Refused: the token is not valid, `not_found`, there is no such match; `not_seated`, the caller is not to
                play it; `game_over`, it has ended.
        """
        found = self._to_play(token, match)
        caller = self._players.authenticate(token).id
        self._check_going(found)
        self._stored.accept(match, caller)
        found = self._found(match)
        if found.accepted >= {*found.setup.programs} and self._stored.move(match, RUNNING, INVITED):
            found = self._found(match)
        self._look(match)
        return self._view(found)

    def withdraw(self, token: str | None, match: str) -> dict[str, Any]:
        """Declines a match to which the calling program is invited, or leaves one that it plays: it ends.

        Raises:
            Refused: the token is not valid, `not_found`, there is no such match; `not_seated`, the caller is not to
                play it.
        """
        self._to_play(token, match)
        self._end(match)
        return self._view(self._found(match))

    def decline_all(self, token: str | None, creator: str | None = None) -> list[str]:
        """Declines all invitations of the caller to matches, or those from one player; returns the matches.

        Raises:
            Refused: the token is not valid.
        """
        player = self._players.authenticate(token).id
        invited = [one.setup for one in self._stored.invitations(player)]
        declined = [one.id for one in invited if creator in (None, one.creator)]
        for match in declined:
            self._end(match)
        return declined

    def leave(self, player: str, *, erased: bool) -> None:
        """Ends the matches that a banned or erased player has made or is to play; an erased one's are nameless."""
        for match, _ in self._stored.of_player(player).all():
            found = self._stored.read(match)
            if found is None:
                continue
            self._end(match)
            if erased and found.setup.creator == player:
                self._stored.forget_name(match)

    def forget(self, player: str) -> None:
        """Ends the matches of a player who is removed, and removes the lists of them."""
        self.leave(player, erased=True)
        self._stored.remove_lists(player)

    def _end(self, match: str) -> None:
        if self._stored.move(match, ENDED, INVITED, RUNNING, PAUSED):
            self._look(match)

    def _look(self, match: str) -> None:
        """Asks the workers to look at a match now; otherwise the sweepers do within a second."""
        self._stored.due.set(match, now_ms())
        self._jobs.enqueue_soon(Task("play", match, 0))

    # --- who asks, and for what ---

    def _check_reader(self, token: str | None) -> None:
        if token is not None:
            self._players.authenticate(token)

    def _found(self, match: str) -> Match:
        found = self._stored.read(match)
        if found is None:
            raise Refused("not_found", Message("detail.no_such_match"))
        return found

    def _own(self, token: str | None, match: str) -> Match:
        player = self._players.authenticate(token)
        found = self._found(match)
        if found.setup.creator != player.id:
            raise Refused("not_creator", Message("detail.not_your_match"))
        return found

    def _to_play(self, token: str | None, match: str) -> Match:
        player = self._players.authenticate(token)
        found = self._found(match)
        if player.id not in found.setup.programs:
            raise Refused("not_seated", Message("detail.not_in_match"))
        return found

    def _check_going(self, match: Match) -> None:
        if match.state == ENDED:
            raise Refused("game_over", Message("detail.match_over"))

    # --- views ---

    def _view(self, match: Match) -> dict[str, Any]:
        setup = match.setup
        return {
            **self._summary(match),
            "options": setup.options,
            "at_once": setup.at_once,
            "against": [own_bot(one) for one in setup.against],
            "commitment": commitment(match.secret) if setup.shares_deals else None,
            "secret": match.secret.hex() if setup.shares_deals and match.over else None,
            "standings": standings(setup, match.outcomes),
            "pairs": pairs(setup, match.outcomes),
        }

    def _summary(self, match: Match) -> dict[str, Any]:
        setup = match.setup
        named = self._players.named([setup.creator, *setup.entrants])
        return {
            "id": setup.id,
            "name": match.name,
            "creator": described(named[setup.creator]),
            "state": match.state,
            "edition": setup.edition,
            "seats": setup.seats,
            "clock": setup.clock,
            "rated": setup.rated,
            "deals": setup.deals,
            "entrants": [
                {
                    **described(named[one]),
                    "bot": own_bot(one),
                    "accepted": own_bot(one) is not None or one in match.accepted,
                }
                for one in setup.entrants
            ],
            "games": setup.games,
            "played": len(match.outcomes),
            "running": len(match.running),
            "created_at": text_of(setup.created),
        }


def _state(outcome: Outcome | None) -> str:
    """Returns where a game of a match stands."""
    if outcome is None:
        return "active"
    return "finished" if outcome.places else "aborted"


def _game(match: Match, number: int, named: Mapping[str, Player]) -> dict[str, Any]:
    slot, outcome = match.setup.slot(number), match.outcomes.get(number)
    shared = deal_secret(match.secret, slot.deal) if match.setup.shares_deals else None
    places, tokens = outcome if outcome is not None and outcome.places else ([None] * match.setup.seats,) * 2
    return {
        "number": number,
        "game": match.setup.game(number),
        "deal": slot.deal,
        "status": _state(outcome),
        "seats": [
            {"player": described(named[player]), "bot": own_bot(player), "place": place, "tokens": won}
            for player, place, won in zip(slot.players, places, tokens, strict=True)
        ],
        "commitment": commitment(shared) if shared is not None else None,
        "secret": shared.hex() if shared is not None and slot.deal in match.unsealed else None,
    }


def _lines(match: Match) -> Iterator[list[Any]]:
    """Yields a line of the table for each seat of each game of a match."""
    for number in sorted(match.opened):
        slot, outcome = match.setup.slot(number), match.outcomes.get(number)
        begin = [number, slot.deal, match.setup.game(number), _state(outcome)]
        won = shares(outcome) if outcome is not None else []
        for seat, player in enumerate(slot.players):
            results = [outcome.places[seat], outcome.tokens[seat], round(won[seat], 4)] if outcome and won else [""] * 3
            yield [*begin, seat, player, *results]
