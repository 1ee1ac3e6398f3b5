"""Plays a running game: players' actions, bots' turns, timeouts."""

import time
from collections.abc import Callable

from engine.actions import Action
from engine.errors import GAME_NOT_STARTED, GAME_OVER, NOT_YOUR_TURN, IllegalAction
from engine.logs.codec import action_data
from games.bots.turns import ThinkBudget, is_ahead
from games.causes import Act
from games.clocks.expired import bot_turn
from games.errors import Refused, stale
from games.messages import Message
from games.player import Player
from games.snapshot import Snapshot
from games.steps import Step, step_of
from games.texts.catalogue import LANGUAGES, Catalogue
from games.texts.refusals import Attempt, reason_text
from games.views.events import frame
from games.views.seated import names_of
from games.views.view import legal_actions, tag_of
from service.changing.changes import Changes
from service.changing.retry import PlayerCall, retry_action
from service.inputs.chance import new_tag
from service.inputs.clock import now_ms
from service.jobs.schedule import Task, bots_task
from service.metrics.measures import Measures
from service.players import Players
from service.store.log.event_log import EventLog, VersionConflict
from service.store.log.stored_answers import Answer


class Play:
    """Takes actions and bots' turns."""

    def __init__(
        self, log: EventLog, players: Players, changes: Changes, measures: Measures, budget: ThinkBudget
    ) -> None:
        """`budget` is how long the service's own bots may think when they play a turn."""
        self._log = log
        self._players = players
        self._changes = changes
        self._measures = measures
        self._budget = budget

    def act(
        self,
        token: str | None,
        game: str,
        action: Action,
        seen: Callable[[str], bool] | None = None,
        idempotency_key: str | None = None,
        *,
        as_seat: int | None = None,
        words: Catalogue,
        texts: bool = False,
    ) -> Answer:
        """Takes an action for the caller's seat; with `seen`, only if the caller has seen the present view, by its tag.

        `as_seat` chooses among several seats of the caller; by default it is the one that must act. With `texts` the
        events of the answer include their texts.

        Raises:
            Refused: the token is not valid, there is no such game, the caller has no seat, the view is out of date, the
                action is not legal, or the key was used for another request.
        """
        request = ("act", game, action_data(action), as_seat)  # a repeat may reach another version of the service

        def decide(snapshot: Snapshot, player: Player) -> tuple[Step, Answer]:
            seat = acting_seat(snapshot, player.id, as_seat)
            if snapshot.state.seats[seat].left:
                raise Refused("not_seated", Message("detail.left_for_good"))
            if seen is not None:
                _check_seen(seen, snapshot, seat, player)
            try:
                new = step_of(snapshot, Act(seat, action), now_ms(), new_tag())
            except IllegalAction as illegal:
                raise self._refusal(snapshot, seat, action, illegal.reason, words) from None
            body = frame(new, seat, self._players, player.id, words, texts=texts)
            return new, Answer.of(body, tag_of(new.after, seat, player.id, words.language), words.language)

        return retry_action(self._changes, PlayerCall.of(token, game, idempotency_key, request), decide)

    def bot_turns(self, game: str, seconds: float) -> Task | None:
        """Plays consecutive turns of quick bots, for at most so many seconds.

        Returns a task to continue if a bot is still to act, otherwise None.
        """
        until = time.monotonic() + seconds
        snapshot = self._log.read(game).snapshot
        while (task := _task(snapshot)) is not None and task.kind == "bots":
            try:
                snapshot = self._bot_turn(snapshot)
            except VersionConflict:
                snapshot = self._log.read(game).snapshot
            if time.monotonic() >= until:
                return _task(snapshot)
        return task

    def think(self, game: str) -> Task | None:
        """Plays one turn of a bot, which may think.

        Returns a task to continue if a bot acts next; None if not, or if another worker does so.
        """
        try:
            return _task(self._bot_turn(self._log.read(game).snapshot))
        except VersionConflict:
            return None

    def _bot_turn(self, snapshot: Snapshot | None) -> Snapshot | None:
        """Plays the turn of a bot, if it is one's, and returns the game after it.

        Raises:
            VersionConflict: another change came first.
        """
        begun = time.perf_counter()
        cause = bot_turn(snapshot, self._budget, now_ms()) if snapshot is not None else None
        if snapshot is None or cause is None:
            return snapshot
        self._measures.chosen(snapshot, time.perf_counter() - begun)
        return self._changes.by_service(snapshot, cause)

    def time_out(self, game: str, version: int) -> None:
        """Carries out a timeout in a running game if its clock has expired, and else does nothing.

        If the question seems to have been asked in the future, the clock was set back. Then a caller who names the
        present version has measured that the time is up.
        """
        snapshot = self._log.read(game).snapshot
        if snapshot is None:
            return
        if snapshot.version == version and snapshot.asked is not None and is_ahead(snapshot.asked, now_ms()):
            self._changes.time_out(snapshot)
        else:
            self._log.confirm(self._changes.apply_clock(snapshot))

    def _refusal(self, snapshot: Snapshot, seat: int, action: Action, reason: str, words: Catalogue) -> Refused:
        """Returns the refusal of an illegal action, made only from what the seat may know."""
        view = snapshot.view(seat)
        detail = reason_text(words, reason, Attempt(view, names_of(snapshot, self._players, words), action))
        if reason in (NOT_YOUR_TURN, GAME_NOT_STARTED, GAME_OVER):
            return Refused(reason, detail, version=snapshot.version)
        return Refused(
            "illegal_action",
            detail,
            reason=reason,
            legal_actions=legal_actions(view, seat, snapshot, self._players, words),
            version=snapshot.version,
        )


def _task(snapshot: Snapshot | None) -> Task | None:
    return bots_task(snapshot, now_ms()) if snapshot is not None else None


def acting_seat(snapshot: Snapshot, player: str | None, chosen: int | None) -> int:
    """Returns which of a player's seats is to act: the chosen one, else the one to act, else the first.

    Raises:
        Refused: `not_seated`, the player has no seat, or not that one.
    """
    must_act = snapshot.state.to_act
    if chosen is None and must_act is not None and snapshot.players[must_act] == player and player is not None:
        return must_act
    seats = snapshot.seats_of(player)
    if not seats or (chosen is not None and chosen not in seats):
        raise Refused("not_seated", Message("detail.no_seat" if not seats else "detail.not_your_seat"))
    return chosen if chosen is not None else seats[0]


def _check_seen(seen: Callable[[str], bool], snapshot: Snapshot, seat: int, player: Player) -> None:
    """Checks that the caller acts on the current view, in whatever language they read it."""
    if not any(seen(tag_of(snapshot, seat, player.id, language)) for language in LANGUAGES):
        raise stale(snapshot.version)
