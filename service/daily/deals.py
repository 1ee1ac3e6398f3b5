"""Shows the deals of the day, lets each player try each once, and shows what came of it when the day is over."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any, Final

from engine.editions import EDITIONS
from engine.logs.codec import read_action
from engine.shuffle import commitment
from engine.state import FINISHED
from games.daily.crowd import Choice, Line, along, has_won, line_of
from games.daily.days import AGAINST, CLOCK, EXPERT, SEAT, SEATS, Day
from games.errors import Refused
from games.messages import Message
from games.player import bot_player
from games.snapshot import Snapshot
from games.tables.opening import whole_clock
from games.texts.actions import action_texts
from games.texts.catalogue import Catalogue
from games.times import text_of
from games.views.editions import check_edition
from games.views.seated import names_of
from games.views.view import game_view, tag_of, viewer_of
from service.changing.changes import Changes
from service.inputs.chance import fresh
from service.inputs.clock import now_ms
from service.players import Players
from service.store.daily.stored_days import StoredDays
from service.store.log.event_log import EventLog, VersionConflict
from service.store.log.meta import read_metas
from service.store.log.stored_answers import Answer
from service.store.redis.client import RedisClient
from service.tables import Tables

LONGEST_STREAK: Final = 366
"""A longer row of days is not counted further."""
LOOKED_AT: Final = 4
"""How many days of a row are read at a time."""


class Deals:
    """The deals of the day. Every call may raise `Unavailable`."""

    def __init__(self, redis: RedisClient, log: EventLog, changes: Changes, players: Players, tables: Tables) -> None:
        self._redis = redis
        self._stored = StoredDays(redis)
        self._event_log = log
        self._changes = changes
        self._players = players
        self._tables = tables

    def today(self, token: str | None) -> dict[str, Any]:
        """Returns the day's deals of all editions, as the player of a token sees them.

        Raises:
            Refused: the token is not valid.
        """
        player = self._players.authenticate(token).id if token is not None else None
        now = now_ms()
        return {"items": [self._deal(Day.at(edition, now), player) for edition in EDITIONS]}

    def one(self, token: str | None, edition: str) -> dict[str, Any]:
        """Returns the day's deal of an edition, as the player of a token sees it.

        Raises:
            Refused: the token is not valid, or `not_found`, there is no such edition.
        """
        player = self._players.authenticate(token).id if token is not None else None
        check_edition(edition)
        return self._deal(Day.at(edition, now_ms()), player)

    def begin(self, token: str | None, edition: str, *, address: str = "", words: Catalogue) -> Answer:
        """Begins the caller's try at the day's deal of an edition; again it returns the same game.

        Its id follows from edition, day and player, so there is one, however often and wherever this is called.

        Raises:
            Refused: the token is not valid; `not_found`, there is no such edition; `not_accepted`, the caller is a
                program; `game_over`, the day has just ended; too many games of the player or from the address have not
                ended.
        """
        player = self._players.authenticate(token)
        check_edition(edition)
        now = now_ms()
        day, installation = Day.at(edition, now), self._players.installation_secret()
        game = day.game(installation, player.id)
        if self._event_log.read(game).snapshot is None:
            if player.kind == "bot":
                raise Refused("not_accepted", Message("detail.daily_for_people"))
            opener = self._tables.check_may_open(token, address)
            counts = int(opener.before.fields.get("created_at", now)) < day.begins
            if not self._stored.begin(day.id, player.id, counts=counts, now=now):
                raise Refused("game_over", Message("detail.day_over"))
            new = day.opening(installation, player.id, now, fresh())
            new.after.address_hash = opener.address_hash  # nobody else has it yet
            with suppress(VersionConflict):  # another call of the player was faster
                self._changes.append(new)
        snapshot = self._current(game)
        self._event_log.confirm(snapshot)
        viewer = viewer_of(snapshot, player.id)
        view = game_view(snapshot, viewer, self._players, player.id, words)
        return Answer.of(view, tag_of(snapshot, viewer, player.id, words.language), words.language)

    def past(self, token: str | None, edition: str, date: str, words: Catalogue) -> dict[str, Any]:
        """Returns what came of a day's deal: the secret, what the crowd chose, and the caller's line if they tried.

        Raises:
            Refused: the token is not valid; `not_found`, there is no such edition or day, or nobody tried its deal;
                `game_not_finished`, the day is not over, or the workers are about to look at its tries.
        """
        player = self._players.authenticate(token).id if token is not None else None
        check_edition(edition)
        day = Day.read(edition, date)
        if day is not None and now_ms() < day.ends:
            raise Refused("game_not_finished", Message("detail.day_not_over"))
        progress = self._stored.read(day.id) if day is not None else None
        if day is None or progress is None:
            raise Refused("not_found", Message("detail.no_such_day"))
        if progress.summary is None:
            raise Refused("game_not_finished", Message("detail.day_not_over"))
        return self._past(day, progress.summary, player, words)

    # --- views ---

    def _deal(self, day: Day, player: str | None) -> dict[str, Any]:
        installation = self._players.installation_secret()
        numbers, before = self._stored.numbers(day.id), day.before(1)
        own = self._snapshot(day.game(installation, player)) if player is not None else None
        return {
            **_described(day),
            "commitment": commitment(day.secret(installation)),
            "tried": numbers.tried,
            "won": numbers.won,
            "previous": before.date if self._stored.has_summary(before.id) else None,
            "try": _try(own) if own is not None else None,
            "streak": self._streak(day, player) if player is not None else None,
        }

    def _streak(self, today: Day, player: str) -> int:
        """Returns on how many days in a row, up to this one or the one before, a player has played the deal to the end.

        It follows from the games, so nothing is kept that could be wrong.
        """
        installation = self._players.installation_secret()
        length = 0
        for first in range(0, LONGEST_STREAK, LOOKED_AT):
            days = [today.before(i) for i in range(first, first + LOOKED_AT)]
            games = [day.game(installation, player) for day in days]
            for i, meta in enumerate(read_metas(self._redis, games, "status"), first):
                if meta is not None and meta[0] == FINISHED.encode():
                    length += 1
                elif i > 0:
                    return length
        return length

    def _past(self, day: Day, summary: Mapping[str, Any], player: str | None, words: Catalogue) -> dict[str, Any]:
        installation = self._players.installation_secret()
        expert = Line.read(summary["expert"]) if summary["expert"] is not None else None
        table = day.opening(installation, player or bot_player(EXPERT), now_ms(), fresh()).after
        texts = _Texts(table, names_of(table, self._players, words), words)

        def shown(line: Line, game: str | None = None) -> dict[str, Any]:
            return _line(line, summary, expert, texts, game)

        own = self._snapshot(day.game(installation, player)) if player is not None else None
        tried = self._snapshot(day.game(installation, bot_player(EXPERT)))
        secret = day.secret(installation)
        return {
            **_described(day),
            "commitment": commitment(secret),
            "secret": secret.hex(),
            "tried": summary["tried"],
            "won": summary["won"],
            "expert": shown(expert, tried.id if tried is not None else None) if expert is not None else None,
            "own": shown(line_of(own, self._event_log.causes(own)), own.id)
            if own is not None and own.ended and not own.sealed
            else None,
            "best": [shown(Line.read(one)) for one in summary["best"]],
        }

    def _snapshot(self, game: str) -> Snapshot | None:
        """Returns a try as it is now; None if there is none."""
        snapshot = self._event_log.read(game).snapshot
        return self._changes.apply_clock_if_writable(snapshot) if snapshot is not None else None

    def _current(self, game: str) -> Snapshot:
        snapshot = self._snapshot(game)
        assert snapshot is not None, "it has begun"
        return snapshot


class _Texts:
    """Says in words what whoever tried a deal chose."""

    def __init__(self, table: Snapshot, names: Sequence[str], words: Catalogue) -> None:
        self._table = table
        self._names = names
        self._words = words

    def of(self, choice: Choice) -> str:
        """Returns a choice in words."""
        actions = [read_action(choice.action)]
        return action_texts(self._words, actions, SEAT, self._names, self._table.state.book)[0]


def _described(day: Day) -> dict[str, Any]:
    return {
        "edition": day.edition,
        "date": day.date,
        "begins_at": text_of(day.begins),
        "ends_at": text_of(day.ends),
        "seats": SEATS,
        "against": AGAINST,
        "tokens_to_win": day.book.tokens_to_win,
        "clock": whole_clock(CLOCK),
    }


def _try(snapshot: Snapshot) -> dict[str, Any]:
    """Returns what came of a try so far, which its player sees at the table as well."""
    return {
        "game": snapshot.id,
        "status": snapshot.state.status,
        "won": has_won(snapshot) if snapshot.ended else None,
        "tokens": [seat.tokens for seat in snapshot.state.seats],
    }


def _line(
    line: Line, summary: Mapping[str, Any], expert: Line | None, texts: _Texts, game: str | None
) -> dict[str, Any]:
    """Returns a line with what others chose in the same positions; the bot is there until the lines part."""
    choices, together = [], expert is not None
    for i, (choice, taken) in enumerate(zip(line.choices, along(summary, line), strict=True)):
        other = expert.choices[i] if together and expert is not None and i < len(expert.choices) else None
        crowd = sorted(taken.items(), key=lambda one: (-one[1], one[0]))
        others = [(Choice.of(choice.version, key), tries) for key, tries in crowd]
        choices.append(
            {
                "version": choice.version,
                "action": choice.action,
                "text": texts.of(choice),
                "expert": {"action": other.action, "text": texts.of(other)} if other is not None else None,
                "crowd": [{"action": one.action, "text": texts.of(one), "tries": tries} for one, tries in others],
            }
        )
        together = other is not None and other.key == choice.key
    return {"game": game, "won": line.won, "tokens": [*line.tokens], "choices": choices}
