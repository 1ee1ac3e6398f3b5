"""Tables before and after play: open one, sit down, get up, call it off, play again; acting is for `play`."""

import contextlib
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from engine.events import SeatLeft
from engine.shuffle import nonce_digest
from engine.state import ACTIVE
from service.admission import Admission, may_see
from service.answers import Answer, Key
from service.banks import has_time
from service.causes import Abort, Cause, ComeBack, Join, Leave, Repeat
from service.changes import Changes, Respond, encoded, replayed
from service.errors import Refused, invalid, no_such_game, unauthenticated
from service.forking import fork_again, new_fork, point_of
from service.forking import occupants_of as forks_occupants
from service.game_view import etag_of, game_view, viewer_of
from service.guesses import check_join_code
from service.ids import derived_id, random_id
from service.invitations import Invitations
from service.log import EventLog, Moved, Step
from service.opening import invitations_of, new_table, occupants_of, same_table, seated_again
from service.players import Player, Players, bot_player, check_token, read_token
from service.requests import check_bot, check_table
from service.said import Said
from service.seats import only_creator, open_seat
from service.snapshot import Snapshot
from service.texts.catalogue import Catalogue

ROOM_SECONDS = 60
"""When to ask again who has too many games open; nobody can know when one of them ends."""


Make: TypeAlias = Callable[[str], Step]
"""Makes the step that opens a game, from the id it is to have. Refuses by raising."""


class Tables:
    """Opens tables and fills and clears their seats."""

    def __init__(
        self,
        log: EventLog,
        players: Players,
        changes: Changes,
        invitations: Invitations,
        admission: Admission,
        most_open: int = 0,
    ) -> None:
        """`most_open` is how many games that have not ended a player may have opened; 0: any number."""
        self._most_open = most_open
        self._invitations = invitations
        self._admission = admission
        self._log = log
        self._players = players
        self._changes = changes

    # --- open ---

    def create(
        self, token: str | None, body: Mapping[str, Any], idempotency_key: str | None = None, *, words: Catalogue
    ) -> Answer:
        """Opens a table as its creator asks; it starts at once if no seat is open.

        Raises:
            Refused: the token is not valid, the table cannot be, the key was used for something else, or too many of
                the player's games have not ended.
        """
        player, opened = self._players.opener(token)
        check_table(body)

        def make(game: str) -> Step:
            inviting = invitations_of(body)
            self._invitations.check_all(inviting, player)
            return new_table(game, player.id, body, occupants_of(player.id, body), inviting)

        if idempotency_key is None:
            return self._open(player, random_id(), make, words, opened=opened)
        key = Key.of(player.id, idempotency_key, "create", body)
        # The same key leads to the same id, so that the key and the game are checked and written in one step.
        return self._open(player, derived_id("create", player.id, key.digest), make, words, key, opened)

    def fork(
        self,
        token: str | None,
        game: str,
        body: Mapping[str, Any],
        idempotency_key: str | None = None,
        *,
        words: Catalogue,
    ) -> Answer:
        """Opens a sandbox game that goes on from a version of one that has ended, for the caller and bots.

        Raises:
            Refused: the token is not valid, there is no such game, the join code is missing or wrong, the game has not
                ended, it cannot go on from that version or with these players, the key was used for something else, or
                too many of the player's games have not ended.
        """
        player, opened = self._players.opener(token)

        def make(new: str) -> Step:
            parent, _ = self._admission.open(token, game, body.get("join_code"), "detail.join_code_to_sit_down")
            if not parent.ended:
                raise Refused("game_not_finished", Said("detail.fork_too_early"))
            point = point_of(self._log.stored(parent), body["version"])
            return new_fork(new, player.id, parent, point, forks_occupants(point, player.id, body))

        if idempotency_key is None:
            return self._open(player, random_id(), make, words, opened=opened)
        key = Key.of(player.id, idempotency_key, "fork", game, body)
        return self._open(player, derived_id("fork", player.id, key.digest), make, words, key, opened)

    def _check_room(self, player: Player, opened: int) -> None:
        """Checks that a player may open one more game.

        Raises:
            Refused: `rate_limited`.
        """
        # The list may hold games that have ended: so it is looked through before anybody is refused for it.
        if self._most_open and opened >= self._most_open and self._players.still_open(player.id) >= self._most_open:
            detail = Said("detail.too_many_open", {"most": self._most_open})
            raise Refused("rate_limited", detail, limit="open_games", retry_after=ROOM_SECONDS)

    def _open(
        self,
        player: Player,
        game: str,
        make: Make,
        words: Catalogue,
        key: Key | None = None,
        opened: int = 0,
    ) -> Answer:
        """Opens a game with an id, once for all calls with the same key."""
        kept = self._log.read(game, None, key).kept if key is not None else None
        if kept is None:
            try:
                return self._write(player, game, make, words, key, opened)
            except Moved:
                # The game is there: a call with the same key was faster, or its answer has been forgotten since.
                kept = self._log.read(game, None, key).kept
                if kept is None:
                    raise Refused("idempotency_key_reused", Said("detail.key_of_an_old_table")) from None
        assert key is not None, "only calls with a key are answered again"
        return replayed(kept, key)

    def _write(self, player: Player, game: str, make: Make, words: Catalogue, key: Key | None, opened: int) -> Answer:
        """Opens a table for a player who has opened so many already.

        Raises:
            Refused: too many of the player's games have not ended, or as `make` refuses.
            Moved: the game is there.
        """
        self._check_room(player, opened)
        new = make(game)
        answer = self._answer(new.after, player, words, f"/v1/games/{game}")
        kept = self._changes.append(new, key, answer)
        return replayed(kept, key) if kept is not None and key is not None else answer

    # --- seats ---

    def take_seat(
        self,
        token: str | None,
        game: str,
        body: Mapping[str, Any],
        idempotency_key: str | None = None,
        *,
        words: Catalogue,
    ) -> Answer:
        """Sits the caller down on an open seat, or as the creator puts a bot there or invites a player.

        Who sits there already takes their seat back from a bot that stands in.

        Raises:
            Refused: the token is not valid, there is no such game or seat, the seat or the table is taken, the join
                code is wrong, or a bot is asked for by somebody else than the creator.
        """
        if "bot" in body:
            check_bot(body["bot"], "bot")
            if "player" in body:
                raise invalid("player", "fault.player_or_bot")

        def decide(snapshot: Snapshot, player: Player) -> Cause | None:
            if "player" in body:
                only_creator(snapshot, player)
                return self._invitations.invite(snapshot, player, body["player"], body.get("seat"))
            if "bot" in body:
                only_creator(snapshot, player)
                newcomer = bot_player(body["bot"])
            elif (own := snapshot.seat_of(player.id)) is not None:
                return _come_back(snapshot, own)
            else:
                _check_may_sit(snapshot, player, body.get("join_code"))
                newcomer = player.id
            seat = open_seat(snapshot, body.get("seat"), newcomer, by_creator="bot" in body)
            return Join(seat, newcomer, nonce_digest(body.get("nonce", "")))

        return self._changes.by_player(
            game, token, decide, self._respond(201, words), idempotency_key, ("take_seat", game, body)
        )

    def leave(
        self,
        token: str | None,
        game: str,
        idempotency_key: str | None = None,
        *,
        reason: str | None = None,
        words: Catalogue,
    ) -> Answer:
        """Gets the caller up: before the start the seat is open again, afterwards they have resigned.

        One who is invited declines, for a reason if they give one.

        Raises:
            Refused: the token is not valid, there is no such game, the caller has no seat, the game has ended, or the
                key was used for something else.
        """

        def decide(snapshot: Snapshot, player: Player) -> Cause | None:
            seat = snapshot.seat_of(player.id)
            if seat is None:
                return self._invitations.decline(snapshot, player, reason)
            if snapshot.state.seats[seat].left:
                return None
            if snapshot.ended:
                raise Refused("game_over", Said("detail.nothing_to_leave"))
            return Leave(seat)

        request = ("leave", game) if reason is None else ("leave", game, reason)
        return self._changes.by_player(game, token, decide, self._respond(200, words), idempotency_key, request)

    def withdraw(
        self, token: str | None, game: str, seat: int, idempotency_key: str | None = None, *, words: Catalogue
    ) -> Answer:
        """Withdraws the invitation to a seat, which is open again.

        Raises:
            Refused: the token is not valid, there is no such game or seat, the caller is not its creator, the seat is
                taken, the game has ended, or the key was used for something else.
        """

        def decide(snapshot: Snapshot, player: Player) -> Cause | None:
            only_creator(snapshot, player)
            return self._invitations.withdraw(snapshot, seat)

        request = ("withdraw", game, seat)
        return self._changes.by_player(game, token, decide, self._respond(200, words), idempotency_key, request)

    def abort(self, token: str | None, game: str, idempotency_key: str | None = None, *, words: Catalogue) -> Answer:
        """Calls a game off before its first action.

        Raises:
            Refused: the token is not valid, there is no such game, the caller is not its creator, it is too late, or
                the key was used for something else.
        """

        def decide(snapshot: Snapshot, player: Player) -> Cause:
            only_creator(snapshot, player)
            if snapshot.ended:
                raise Refused("game_over", Said("detail.nothing_to_call_off"))
            if snapshot.begun:
                raise Refused("illegal_action", Said("reason.game_begun"), reason="game_begun")
            return Abort()

        return self._changes.by_player(game, token, decide, self._respond(200, words), idempotency_key, ("abort", game))

    # --- again ---

    def rematch(self, token: str | None, game: str, idempotency_key: str | None = None, *, words: Catalogue) -> Answer:
        """Opens the same table again and leads everybody to it who asks: there is one new game, and nobody is made to
        sit down.

        The first to ask opens it and takes their seat, beside the service's own bots; the others are invited to theirs,
        and one of them who asks too has accepted.

        Raises:
            Refused: the token is not valid, there is no such game, the caller was not at the table to the end, or is
                not wanted at the new one any more; the game has not ended, or too many of the caller's have not.
        """
        parsed = read_token(token)
        if parsed is None:
            raise unauthenticated()
        reading = self._log.read(game, parsed.player)
        player = check_token(parsed, reading.caller)
        if reading.snapshot is None:
            raise no_such_game()
        old = self._changes.up_to_time(reading.snapshot)
        if player.id not in old.players and player.id != old.table.creator:
            raise Refused("not_seated", Said("detail.rematch_of_others"))
        if not old.ended:
            raise Refused("game_not_finished", Said("detail.rematch_too_early"))
        answer = self._again(token, player, old, idempotency_key, words)
        if old.next_game is None:
            # Also for a repeated call: the first one may have ended before it came to this.
            self._log.link(old.id, _rematch_id(old))
        return answer

    def _again(
        self, token: str | None, player: Player, old: Snapshot, idempotency_key: str | None, words: Catalogue
    ) -> Answer:
        game, request = _rematch_id(old), ("rematch", old.id)
        if self._log.read(game).snapshot is None:
            if not _was_there_at_the_end(old, player):
                raise Refused("not_seated", Said("detail.rematch_after_leaving"))
            key = Key.of(player.id, idempotency_key, *request) if idempotency_key is not None else None
            opened = self._players.opener(token)[1]
            with contextlib.suppress(Moved):  # then somebody else has opened it
                return self._write(player, game, lambda new: self._same_again(new, old, player), words, key, opened)
        respond = self._respond(201, words, f"/v1/games/{game}")
        return self._changes.by_player(game, token, _accept, respond, idempotency_key, request)

    def _same_again(self, game: str, old: Snapshot, player: Player) -> Step:
        """Returns how the table of a game is opened again: a fork at the point from which it went on."""
        if old.table.forked_from is not None:
            moves = [cause for cause in self._log.causes(old).values() if isinstance(cause, Repeat)]
            return fork_again(game, old, moves)
        occupants, inviting = seated_again(old, player.id)
        self._invitations.check_all(inviting, player)
        return new_table(game, player.id, same_table(old), occupants, inviting, old.id)

    # --- answers ---

    def _respond(self, status: int, words: Catalogue, location: str | None = None) -> Respond:
        return lambda after, new, player: self._answer(after, player, words, location, status)

    def _answer(
        self, after: Snapshot, player: Player, words: Catalogue, location: str | None = None, status: int = 201
    ) -> Answer:
        viewer = viewer_of(after, player.id)
        view = game_view(after, viewer, self._players, player.id, words)
        etag = etag_of(after, viewer, player.id, words.language)
        return encoded(status, view, etag, location, words.language)


def _rematch_id(old: Snapshot) -> str:
    """Returns the id of a game's one rematch."""
    return derived_id("rematch", old.id)


def _check_may_sit(snapshot: Snapshot, player: Player, code: str | None) -> None:
    known = player.id == snapshot.table.creator or snapshot.offer_to(player.id) is not None
    if snapshot.table.visibility != "public" and not known:
        check_join_code(snapshot, code, Said("detail.join_code_to_sit_down"))


def _was_there_at_the_end(old: Snapshot, player: Player) -> bool:
    """Whether a player had not left a game before it ended; who resigned and so ended it had not."""
    seat = old.seat_of(player.id)
    if seat is None or not old.state.seats[seat].left:
        return True
    last = (entry.event for entry in old.entries if entry.at == old.finished_at)
    return any(isinstance(event, SeatLeft) and event.seat == seat for event in last)


def _accept(snapshot: Snapshot, player: Player) -> Join | None:
    """Returns that a player accepts an invitation; None if they sit there, or there is nothing to accept.

    Raises:
        Refused: `not_seated`, they are not invited, or not any more, and others may not look at the game.
    """
    seat = snapshot.offer_to(player.id)
    if snapshot.seat_of(player.id) is None and seat is not None and not snapshot.ended:
        return Join(seat, player.id, nonce_digest(""))
    if not may_see(snapshot, player.id):
        raise Refused("not_seated", Said("detail.rematch_without_you"))
    return None


def _come_back(snapshot: Snapshot, seat: int) -> ComeBack | None:
    """Returns that a player is back; None if they are not away, or have no time left to come back to."""
    away = snapshot.state.status == ACTIVE and snapshot.state.is_away(seat)
    return ComeBack(seat) if away and has_time(snapshot, seat) else None
