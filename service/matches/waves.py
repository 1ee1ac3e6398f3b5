"""Carries out matches: opens their games as there is room, and takes in what comes of them.

Which games there are, and their ids, follows from the match. So any number of workers may do this at once, and what was
interrupted the next wave does: each game is opened once, and its outcome is that of its log.
"""

from contextlib import suppress
from typing import Final

from engine.state import ABORTED, FINISHED
from games.ids import own_bot
from games.matches.setup import ENDED, MOST_GAMES, PAUSED, RUNNING, game_of
from games.matches.standings import CALLED_OFF, Outcome, outcome_of
from games.programs import Accepts
from games.queue.tickets import HERE_MS
from service.changing.changes import Changes
from service.changing.unsealing import unseal
from service.inputs.chance import fresh
from service.inputs.clock import now_ms
from service.jobs.schedule import Task
from service.store import damaged
from service.store.damaged import leaving_out
from service.store.lists.due import CLAIMED, claims
from service.store.lists.presence import Presence
from service.store.log.event_log import EventLog, VersionConflict
from service.store.log.meta import read_metas
from service.store.matches.stored_matches import Match, StoredMatches
from service.store.players.stored_players import StoredPlayers, program_in
from service.store.redis.client import RedisClient

LEASE_MS: Final = 1_000
"""The pause between looks at a match, unless one of its games ends."""
IDLE_MS: Final = 10_000
"""The same while none of its games runs: it waits for its creator or for programs, and may do so for ever."""
CLAIMED_AT_ONCE: Final = 100
SETTLED_MS: Final = 60_000
"""After this time, a match must be there that is on the lists: the entries are written just before."""
LOOKED_AT: Final = 100
"""How many games that are to be opened are looked at: some wait for programs that are away or busy."""
_OVER: Final = (FINISHED.encode(), ABORTED.encode())


class MatchWaves:
    """Carries out the matches of an installation. Every call may raise `Unavailable`."""

    def __init__(self, redis: RedisClient, log: EventLog, changes: Changes, presence: Presence) -> None:
        self._redis = redis
        self._stored = StoredMatches(redis)
        self._players = StoredPlayers(redis)
        self._event_log = log
        self._changes = changes
        self._presence = presence

    def tasks(self) -> list[Task]:
        """Claims matches that are due and returns tasks for the workers; counts how often each was claimed in vain."""
        now = now_ms()
        lease = now + LEASE_MS + CLAIMED
        claimed = self._stored.due.claim(now, lease, CLAIMED_AT_ONCE)
        again = {one: lease + min(asked, 14) * CLAIMED for one, due in claimed.items() if (asked := claims(due))}
        if again:
            self._stored.due.reschedule(lease, again)
        return [Task("play", one, 0) for one in claimed]

    def run(self, match: str) -> None:
        """Takes in what came of a match's games, reveals what is sealed no longer, and opens further games."""
        found = self._stored.read(match)
        if found is None:
            self._give_up(match)
            return
        found = self._settled(found)
        if len(found.outcomes) == found.setup.games:
            self._stored.move(match, ENDED, RUNNING, PAUSED)
        elif found.state == RUNNING:
            self._open(found)
        self._unseal(match)
        found = self._stored.read(match)
        if found is not None and found.over:
            self._stored.note_over(match, now_ms())
        elif found is not None:
            self._stored.due.set(match, now_ms() + (LEASE_MS if found.running else IDLE_MS))

    def _settled(self, match: Match) -> Match:
        """Returns a match with what came of the games that have ended since it was looked at."""
        running = match.running
        games = [match.setup.game(number) for number in running]
        outcomes: dict[int, Outcome] = {}
        there: list[int] = []
        for number, game, meta in zip(running, games, read_metas(self._redis, games, "status"), strict=True):
            if meta is None:
                continue  # a node that is away
            if meta[0] is None and number in match.there:
                outcomes[number] = CALLED_OFF  # it was removed: nobody is dealt its cards again
            elif meta[0] is None:
                self._open_game(match, number)  # whoever was to open it was interrupted
            elif meta[0] in _OVER:
                with leaving_out(game, "the outcomes of a match"):
                    snapshot = self._event_log.read_uncached(game)
                    if snapshot is not None:
                        outcomes[number] = outcome_of(snapshot)
            elif number not in match.there:
                there.append(number)
        if there:
            self._stored.note_there(match.setup.id, there)
        if not outcomes:
            return match
        self._stored.note_outcomes(match.setup.id, outcomes)
        return self._stored.read(match.setup.id) or match

    def _open(self, match: Match) -> None:
        """Opens further games of a match, as many as it, its programs and their presence let."""
        setup = match.setup
        room = setup.at_once - len(match.running)
        if room <= 0:
            return
        left = [number for number in range(setup.games) if number not in match.opened][:LOOKED_AT]
        free = self._room(setup.programs)
        for number in left:
            programs = [one for one in setup.slot(number).players if own_bot(one) is None]
            if all(free[one] > 0 for one in programs):
                for one in programs:
                    free[one] -= 1
                if not self._stored.note_opened(setup.id, number):
                    return
                self._open_game(match, number)
                room -= 1
                if room == 0:
                    return

    def _open_game(self, match: Match, number: int) -> None:
        """Opens a game of a match, once however often it is called."""
        with leaving_out(match.setup.game(number), "a match"):
            with suppress(VersionConflict):  # it is open
                self._changes.append(match.setup.opening(number, match.secret, now_ms(), fresh()))
            self._stored.note_there(match.setup.id, [number])

    def _room(self, programs: list[str]) -> dict[str, int]:
        """Returns how many more games each program takes now: none while it is away."""
        fields = self._players.some_fields(programs, ("program",))
        seen, since = self._presence.seen(programs), now_ms() - HERE_MS
        room = {}
        for one in programs:
            program = program_in(one, fields.get(one, {}))
            most = (program.accepts if program is not None else Accepts()).at_once
            room[one] = most - self._players.playing(one) if seen[one] > since else 0
        return room

    def _unseal(self, name: str) -> None:
        """Reveals the secrets of the shared deals of which every game has ended that is ever opened."""
        match = self._stored.read(name)
        if match is None or not match.setup.shares_deals:
            return
        setup = match.setup
        for deal in sorted({setup.slot(number).deal for number in match.outcomes} - match.unsealed):
            of_deal = setup.slots_of(deal)
            waiting = [one for one in of_deal if one not in match.outcomes]
            if waiting and (match.state != ENDED or any(one in match.opened for one in waiting)):
                continue
            if all(
                unseal(self._event_log, self._changes, setup.game(number))
                for number in of_deal
                if number in match.outcomes
            ):
                self._stored.note_unsealed(setup.id, deal)

    def _give_up(self, match: str) -> None:
        """Ends a match that is lost or damaged, unless it may just be coming: nobody else is dealt its decks.

        Once the games that are open have ended, they reveal their secrets, and the match goes off the lists.
        """
        self._stored.due.set(match, now_ms() + IDLE_MS)
        made = self._stored.made(match)
        if made is not None and abs(now_ms() - made) <= SETTLED_MS:
            return
        damaged.note(self._redis, match)
        games = [game_of(match, number) for number in range(MOST_GAMES)]
        metas = zip(games, read_metas(self._redis, games, "status"), strict=True)
        statuses = {game: meta[0] if meta is not None else None for game, meta in metas if meta != [None]}
        if not all(status in _OVER for status in statuses.values()):
            return
        revealed = [unseal(self._event_log, self._changes, game) for game in statuses]
        if all(revealed):
            self._stored.unlist(match)
