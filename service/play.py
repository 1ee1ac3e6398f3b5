"""Acting in a running game: a player's action, a bot's turn, a seat whose time is up."""

import time
from collections.abc import Mapping
from typing import Any

from engine import codec, rules
from engine.actions import Action
from engine.errors import GAME_NOT_STARTED, GAME_OVER, NOT_YOUR_TURN, MalformedAction
from service.answers import Answer
from service.causes import Act
from service.changes import Changes, encoded
from service.clocks import bot_turn
from service.due import Hint, bots_hint
from service.errors import Refused, invalid
from service.event_list import event_list
from service.game_view import etag_of, game_view, legal_actions, names_of
from service.log import EventLog, Moved, Step
from service.own_bots import Patience
from service.players import Player, Players
from service.said import Said
from service.snapshot import Snapshot
from service.texts.catalogue import LANGUAGES, Catalogue
from service.texts.past import Past
from service.texts.refusals import Attempt, reason_text
from service.times import now_ms


class Play:
    """Takes actions and turns."""

    def __init__(self, log: EventLog, players: Players, changes: Changes, patience: Patience) -> None:
        """Makes what acts; `patience` is that with the service's own bots."""
        self._log = log
        self._players = players
        self._changes = changes
        self._patience = patience

    def act(
        self,
        token: str | None,
        game: str,
        data: Mapping[str, Any],
        if_match: str | None = None,
        idempotency_key: str | None = None,
        *,
        words: Catalogue,
        texts: bool = False,
    ) -> Answer:
        """Takes an action for the caller's seat; `if_match` is the header's text with the tag of a view.

        With `texts` the events of the answer come with their texts.

        Raises:
            Refused: the token is not valid, there is no such game, the caller has no seat, the view is not the present
                one any more, the action is malformed or not legal, or the key was used for something else.
        """
        try:
            action = codec.read_action(data)
        except MalformedAction:
            raise invalid("action", "fault.no_action") from None
        asked: list[int] = []

        def decide(snapshot: Snapshot, player: Player) -> Act:
            seat = snapshot.seat_of(player.id)
            if seat is None:
                raise Refused("not_seated", Said("detail.no_seat"))
            if snapshot.state.seats[seat].left:
                raise Refused("not_seated", Said("detail.left_for_good"))
            if if_match is not None:
                _check_match(if_match, snapshot, seat, player)
            # If somebody else was faster, the action still stands as long as the question it answers does.
            if asked and asked[0] != snapshot.state.since:
                raise _stale(snapshot)
            asked[:] = [snapshot.state.since]
            reason = rules.refusal(snapshot.state, seat, action)
            if reason is not None:
                raise self._refusal(snapshot, seat, action, reason, words)
            return Act(seat, action)

        def respond(after: Snapshot, new: Step | None, player: Player) -> Answer:
            assert new is not None, "an action always leads to events"
            return self._answer(after, new, player, words, texts)

        return self._changes.by_player(game, token, decide, respond, idempotency_key, ("act", game, data))

    def bot_turns(self, game: str, seconds: float) -> Hint | None:
        """Plays the turns of the service's own quick bots one after the other, for so many seconds at most.

        Returns the hint to go on with if a bot's turn is still open, or None if it is somebody else's.
        """
        until = time.monotonic() + seconds
        while True:
            try:
                snapshot = self._changes.by_service(game, self._quick_turn)
            except Moved:
                snapshot = self._log.read(game).snapshot
            hint = bots_hint(snapshot, now_ms()) if snapshot is not None else None
            if hint is None or hint.kind == "think" or time.monotonic() >= until:
                return hint

    def think(self, game: str, version: int) -> Hint | None:
        """Plays one turn of a bot that thinks, if the game is still at a version: nobody shall think in vain.

        Returns the hint to go on with if the next turn is a bot's, or None if it is not, or somebody else sees to it.
        """

        def decide(snapshot: Snapshot) -> Act | None:
            if snapshot.version != version:
                raise Moved
            return bot_turn(snapshot, self._patience, now_ms())

        try:
            snapshot = self._changes.by_service(game, decide)
        except Moved:
            return None
        return bots_hint(snapshot, now_ms()) if snapshot is not None else None

    def _quick_turn(self, snapshot: Snapshot) -> Act | None:
        """Returns how a bot acts whose turn it is, unless it would think."""
        now = now_ms()
        hint = bots_hint(snapshot, now)
        return bot_turn(snapshot, self._patience, now) if hint is not None and hint.kind == "bots" else None

    def time_out(self, game: str) -> None:
        """Does what a clock that has run out demands; nothing if none has."""
        snapshot = self._log.read(game).snapshot
        if snapshot is not None:
            self._changes.up_to_time(snapshot)

    def _answer(self, after: Snapshot, new: Step, player: Player, words: Catalogue, texts: bool) -> Answer:
        seat = after.seat_of(player.id)
        assert seat is not None, "only the seated act"
        past = Past(new.before.state.bound if new.before is not None else None)
        body = {
            "version": after.version,
            "events": event_list(new.entries, seat, after, self._players, words if texts else None, past=past),
            "game": game_view(after, seat, self._players, player.id, words),
        }
        etag = etag_of(after, seat, player.id, words.language)
        return encoded(201, body, etag, language=words.language)

    def _refusal(self, snapshot: Snapshot, seat: int, action: Action, reason: str, words: Catalogue) -> Refused:
        """Returns the refusal of an action that is not legal, made from what the seat itself may know."""
        view = snapshot.view(seat)
        detail = reason_text(words, reason, Attempt(snapshot.id, view, names_of(snapshot, self._players), action))
        if reason in (NOT_YOUR_TURN, GAME_NOT_STARTED, GAME_OVER):
            return Refused(reason, detail, version=snapshot.version)
        return Refused(
            "illegal_action",
            detail,
            reason=reason,
            legal_actions=legal_actions(view, seat, snapshot, self._players, words),
            version=snapshot.version,
        )


def _check_match(if_match: str, snapshot: Snapshot, seat: int, player: Player) -> None:
    """Checks that the caller acts on the present view, in whatever language they have read it.

    Raises:
        Refused: `stale_version`.
    """
    tags = [tag.strip() for tag in if_match.split(",")]
    present = {etag_of(snapshot, seat, player.id, language) for language in LANGUAGES}
    if "*" not in tags and present.isdisjoint(tags):
        raise _stale(snapshot)


def _stale(snapshot: Snapshot) -> Refused:
    return Refused("stale_version", Said("detail.stale_view"), version=snapshot.version)
