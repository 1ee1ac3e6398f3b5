"""Changes tables before and after play: open, sit down, leave, abort, rematch, fork."""

import contextlib
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, TypeAlias

from engine.shuffle import nonce_digest
from games.causes import Abort, Cause, Join, Leave, Repeat, Reveal, TakeBreak
from games.errors import Refused, full, invalid, no_such_game
from games.ids import derived_id
from games.messages import Message
from games.player import Player, bot_player
from games.programs import Terms
from games.snapshot import Snapshot
from games.steps import Step, step_of
from games.tables.forking import fork_again, new_fork, point_of
from games.tables.forking import occupants_of as forks_occupants
from games.tables.join_codes import check_join_code_found
from games.tables.opening import invitations_of, new_table, occupants_of, same_table, whole_clock
from games.tables.rematches import accepting, rematch_id, seated_again, was_there_at_the_end
from games.tables.removals import ANYBODY, Occupant, check_not_removed, clearing
from games.tables.requests import check_bot, check_contribution, check_table
from games.tables.revealing import check_may_get_up, revealing
from games.tables.seats import (
    break_at,
    check_creator,
    check_may_sit,
    coming_back,
    open_seat,
    seat_to_leave,
    wants_another,
)
from games.texts.catalogue import Catalogue
from games.views.view import game_view, tag_of, viewer_of
from service.admission import Admission, check_not_sealed
from service.changing.changes import Changes
from service.changing.retry import PlayerCall, retry
from service.inputs.chance import fresh, new_tag, random_id
from service.inputs.clock import now_ms
from service.invitations import Invitations
from service.players import Opener, Players, check_token, required_token
from service.settings import OF_ONE_ADDRESS
from service.store.log.event_log import EventLog, VersionConflict
from service.store.log.stored_answers import Answer, Key

Make: TypeAlias = Callable[[str, Player], Step]
"""Makes the step by which a player opens a game with an id. Raises to refuse."""
CauseFor: TypeAlias = Callable[[Snapshot, Player], Cause | None]
"""Returns what a caller causes in a game, or None if nothing changes. Raises to refuse."""


class Tables:
    """Opens tables, and fills and clears their seats."""

    def __init__(
        self,
        log: EventLog,
        players: Players,
        changes: Changes,
        invitations: Invitations,
        admission: Admission,
        most_open: int,
    ) -> None:
        """Limits how many unfinished games a player, and an address, may have opened; 0 means any number."""
        self._most_open = most_open
        self._invitations = invitations
        self._admission = admission
        self._log = log
        self._players = players
        self._changes = changes

    # --- open ---

    def create(
        self,
        token: str | None,
        body: Mapping[str, Any],
        idempotency_key: str | None = None,
        *,
        address: str = "",
        words: Catalogue,
    ) -> Answer:
        """Opens a table for its creator, from an address; the game starts at once if no seat is open.

        Raises:
            Refused: the token is not valid, the table is impossible, the key was used for another request, or too many
                games of the player or from the address have not ended.
        """

        def make(game: str, player: Player) -> Step:
            check_table(body)
            inviting = invitations_of(body)
            if inviting:
                self._invitations.check_all(inviting, player, _terms(body))
            return new_table(game, player.id, body, occupants_of(player.id, body), now_ms(), fresh(), inviting)

        return self._open(token, address, idempotency_key, ("create", body), make, words)

    def fork(
        self,
        token: str | None,
        game: str,
        body: Mapping[str, Any],
        idempotency_key: str | None = None,
        *,
        address: str = "",
        words: Catalogue,
    ) -> Answer:
        """Opens a sandbox game that continues an ended game from a version, for the caller and bots.

        Raises:
            Refused: the token is not valid, there is no such game, the join code is missing or wrong, the game has not
                ended, it cannot continue from that version or with these players, the key was used for another request,
                or too many games of the player or from the address have not ended.
        """

        def make(new: str, player: Player) -> Step:
            parent, _ = self._admission.open(token, game, body.get("join_code"), "detail.join_code_to_sit_down")
            if not parent.ended:
                raise Refused("game_not_finished", Message("detail.fork_too_early"))
            check_not_sealed(parent)
            point = point_of(self._log.stored(parent), body["version"])
            occupants = forks_occupants(point, player.id, body)
            return new_fork(new, player.id, parent, point, occupants, now_ms(), fresh())

        return self._open(token, address, idempotency_key, ("fork", game, body), make, words)

    def _open(
        self,
        token: str | None,
        address: str,
        idempotency_key: str | None,
        request: Sequence[Any],
        make: Make,
        words: Catalogue,
    ) -> Answer:
        """Opens a table, once for all calls with the same key; `request` names the kind of call first."""
        caller = required_token(token)
        if idempotency_key is None:
            return self._write(self._players.opener(caller, address), random_id(), make, words, None)
        key = Key.of(caller.player, idempotency_key, *request)
        # The same key leads to the same id, so that key and game are checked and written in one step.
        game = derived_id(request[0], caller.player, key.digest)
        opener = self._players.opener(caller, address, game, key)
        key.check(opener.before.used)
        kept = opener.before.kept
        if kept is None:
            try:
                return self._write(opener, game, make, words, key)
            except VersionConflict:
                # The game exists: a call with the same key was faster, or its answer has expired.
                kept = self._log.read(game, None, key).kept
                if kept is None:
                    raise Refused("idempotency_key_reused", Message("detail.key_of_an_old_table")) from None
        return self._changes.replayed(game, kept, key)

    def _write(self, opener: Opener, game: str, make: Make, words: Catalogue, key: Key | None) -> Answer:
        """Opens a table for its creator, by appending the first step.

        Raises:
            Refused: too many games of the player or from the address have not ended, or `make` refuses.
            VersionConflict: the game exists.
        """
        self._check_open_games(opener)
        new = make(game, opener.player)
        new.after.address_hash = opener.address_hash  # nobody else has it yet
        answer = self._answer(new.after, opener.player, words)
        return self._changes.append(new, key, answer)

    def check_may_open(self, token: str | None, address: str) -> Opener:
        """Returns the player of a token who may open one more game from an address.

        Raises:
            Refused: the token is not valid, or too many games of the player or from the address have not ended.
        """
        opener = self._players.opener(required_token(token), address)
        self._check_open_games(opener)
        return opener

    def _check_open_games(self, opener: Opener) -> None:
        """Checks that a player, at their address, may open one more game."""
        # An index may hold ended games, so it is cleaned up before anybody is refused.
        stored, most = self._players.stored, self._most_open
        if 0 < most <= opener.before.opened and stored.still_open(opener.player.id) >= most:
            raise full("open_games", "detail.too_many_open", most=most)
        most *= OF_ONE_ADDRESS
        address = opener.address_hash
        if address and 0 < most <= opener.before.opened_from and stored.still_open_from(address) >= most:
            raise full("open_games_by_address", "detail.too_many_open_from_address", most=most)

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
        """Sits the caller down on a table's open seat; the creator may also seat a bot or invite a player.

        A player whose seat a bot has taken over gets it back. The creator of a sandbox may take several seats.

        Raises:
            Refused: the token is not valid, there is no such game or seat, the seat or the table is taken, the join
                code is wrong, a caller other than the creator asks for a bot, the creator has removed or blocked the
                caller, or the invited player has blocked the creator.
        """
        check_contribution(body)
        if "bot" in body:
            check_bot(body["bot"], "bot")
            if "player" in body:
                raise invalid("player", "fault.player_or_bot")

        def cause_for(snapshot: Snapshot, player: Player) -> Cause | None:
            if "player" in body:
                check_creator(snapshot, player)
                return self._invitations.invite(snapshot, player, body["player"], body.get("seat"))
            if "bot" in body:
                check_creator(snapshot, player)
                newcomer = bot_player(body["bot"])
            elif wants_another(snapshot, player, body.get("seat")):
                # The first seat has brought the nonce, as when the table is opened.
                return Join(open_seat(snapshot, body["seat"], player.id), player.id, nonce_digest(""))
            elif player.id in snapshot.players:
                return coming_back(snapshot, player, body.get("seat"))
            else:
                check_may_sit(snapshot, player, body.get("join_code"))
                check_not_removed(snapshot, player.id)
                self._check_accepted(snapshot, player)
                newcomer = player.id
            seat = open_seat(snapshot, body.get("seat"), newcomer, by_creator="bot" in body)
            return Join(seat, newcomer, nonce_digest(body.get("nonce", "")), body.get("nonce_hash", ""))

        call = PlayerCall.of(token, game, idempotency_key, ("take_seat", game, body))
        return self._made(call, cause_for, words)

    def join(
        self,
        token: str | None,
        body: Mapping[str, Any],
        idempotency_key: str | None = None,
        *,
        words: Catalogue,
    ) -> Answer:
        """Sits the caller down at the table with a join code, as `take_seat` does.

        Raises:
            Refused: the token is not valid, no table has this code, or as `take_seat` refuses.
        """
        self._players.authenticate(token)
        code = body["code"].strip().upper()
        game = check_join_code_found(self._log.with_join_code(code))
        claim = {name: value for name, value in body.items() if name != "code"} | {"join_code": code}
        return self.take_seat(token, game, claim, idempotency_key, words=words)

    def reveal(
        self, token: str | None, game: str, nonce: str, idempotency_key: str | None = None, *, words: Catalogue
    ) -> Answer:
        """Takes the nonce that the caller committed to when they sat down; the last one starts the game.

        Repeating the same nonce returns the current game.

        Raises:
            Refused: the token is not valid, there is no such game, the caller has no seat, has not committed to this
                nonce, comes too early or too late, or the key was used for another request.
        """

        def cause_for(snapshot: Snapshot, player: Player) -> Reveal | None:
            return revealing(snapshot, player, nonce)

        request = ("reveal", game, nonce_digest(nonce))
        return self._made(PlayerCall.of(token, game, idempotency_key, request), cause_for, words)

    def leave(
        self,
        token: str | None,
        game: str,
        idempotency_key: str | None = None,
        *,
        reason: str | None = None,
        from_seat: int | None = None,
        words: Catalogue,
    ) -> Answer:
        """Removes the caller from their seat: before the start it becomes open, afterwards they resign.

        An invited caller declines, for a reason if given. A caller with several seats leaves `from_seat`.

        Raises:
            Refused: the token is not valid, there is no such game, the caller has no seat or not this one, or has
                several and names none, nonces are being revealed, the game has ended, or the key was used for another
                request.
        """

        def cause_for(snapshot: Snapshot, player: Player) -> Cause | None:
            seat = seat_to_leave(snapshot, player, from_seat)
            if seat is None:
                return self._invitations.decline(snapshot, player, reason)
            if snapshot.state.seats[seat].left:
                return None
            if snapshot.ended:
                raise Refused("game_over", Message("detail.nothing_to_leave"))
            check_may_get_up(snapshot, now_ms())
            return Leave(seat)

        request = ("leave", game, reason, from_seat)
        return self._made(PlayerCall.of(token, game, idempotency_key, request), cause_for, words)

    def take_break(
        self, token: str | None, game: str, days: int, idempotency_key: str | None = None, *, words: Catalogue
    ) -> Answer:
        """Stops the clock of the caller's seat in a game by the day for some days, or until they act.

        Raises:
            Refused: the token is not valid, there is no such game, the caller has no seat or has left it, the game is
                not running, gives no breaks or not so many days, or the key was used for another request.
        """

        def cause_for(snapshot: Snapshot, player: Player) -> TakeBreak:
            return break_at(snapshot, player, days, now_ms())

        return self._made(PlayerCall.of(token, game, idempotency_key, ("break", game, days)), cause_for, words)

    def decline_all(
        self, token: str | None, inviter: str | None = None, reason: str | None = None, *, words: Catalogue
    ) -> dict[str, Any]:
        """Declines all invitations of the caller to tables, or those from one player; returns the games.

        Raises:
            Refused: the token is not valid.
        """
        player = self._players.authenticate(token)

        def cause_for(snapshot: Snapshot, player: Player) -> Cause | None:
            invited = not snapshot.ended and snapshot.offer_to(player.id) is not None
            return self._invitations.decline(snapshot, player, reason) if invited else None

        declined = self._invitations.of(player.id, inviter)
        for game in declined:
            self._made(PlayerCall.of(token, game), cause_for, words)
        return {"declined": declined}

    def clear_seat(
        self,
        token: str | None,
        game: str,
        seat: int,
        idempotency_key: str | None = None,
        *,
        expected: Occupant = ANYBODY,
        words: Catalogue,
    ) -> Answer:
        """Removes whoever sits on a seat of the caller's table, or withdraws the invitation to it: it becomes open.

        Raises:
            Refused: the token is not valid, there is no such game or seat, the caller is not its creator, somebody else
                than `expected` has the seat, the game has started or ended, nonces are being revealed, or the key was
                used for another request.
        """

        def cause_for(snapshot: Snapshot, player: Player) -> Cause | None:
            check_creator(snapshot, player)
            return clearing(snapshot, player, seat, now_ms(), expected)

        request = ("clear_seat", game, seat, *expected)
        return self._made(PlayerCall.of(token, game, idempotency_key, request), cause_for, words)

    def abort(self, token: str | None, game: str, idempotency_key: str | None = None, *, words: Catalogue) -> Answer:
        """Aborts a table for its creator, before the game has started: afterwards they have seen cards.

        Raises:
            Refused: the token is not valid, there is no such game, the caller is not its creator, it is too late, or
                the key was used for another request.
        """

        def cause_for(snapshot: Snapshot, player: Player) -> Cause:
            check_creator(snapshot, player)
            if snapshot.ended:
                raise Refused("game_over", Message("detail.nothing_to_call_off"))
            if snapshot.started is not None:
                raise Refused("illegal_action", Message("reason.game_begun"), reason="game_begun")
            return Abort()

        call = PlayerCall.of(token, game, idempotency_key, ("abort", game))
        return self._made(call, cause_for, words)

    def _check_accepted(self, snapshot: Snapshot, player: Player) -> None:
        """Checks that the creator of a table has not blocked a player who sits down uninvited."""
        creator = snapshot.table.creator
        asked = player.id == creator or snapshot.offer_to(player.id) is not None
        if not asked and self._players.stored.has_blocked(creator, player.id):
            raise Refused("not_accepted", Message("detail.seat_not_accepted"))

    # --- again ---

    def rematch(
        self,
        token: str | None,
        game: str,
        idempotency_key: str | None = None,
        body: Mapping[str, Any] | None = None,
        *,
        address: str = "",
        words: Catalogue,
    ) -> Answer:
        """Opens the same table again, once, and leads everybody who asks to the one new game; nobody is seated unasked.

        The first caller opens it and takes their seat, beside the service's own bots; the others are invited to theirs.
        A request from one of them accepts the invitation. A sandbox stays its creator's, who sees everything there.
        The `body` has what the caller, if seated by this call, contributes to the shuffle.

        Raises:
            Refused: the token is not valid, there is no such game, the caller was not at the table to the end, or their
                invitation to the new one was withdrawn; the game has not ended, or too many that the caller opened, or
                that were opened from the address, have not; one of the others has blocked the caller; or the body has
                both a nonce and the hash of one.
        """
        body = body or {}
        check_contribution(body)
        parsed = required_token(token)
        reading = self._log.read(game, parsed.player)
        player = check_token(parsed, reading.fields)
        if reading.snapshot is None:
            raise no_such_game()
        old = self._changes.apply_clock(reading.snapshot)
        if player.id not in old.players and player.id != old.table.creator:
            raise Refused("not_seated", Message("detail.rematch_of_others"))
        if not old.ended:
            raise Refused("game_not_finished", Message("detail.rematch_too_early"))
        answer = self._again(token, address, old, idempotency_key, body, words)
        if old.next_game is None:
            # Do this for a repeated call too: the first may have been interrupted before it.
            self._log.link(old.id, rematch_id(old))
        return answer

    def _again(
        self,
        token: str | None,
        address: str,
        old: Snapshot,
        idempotency_key: str | None,
        body: Mapping[str, Any],
        words: Catalogue,
    ) -> Answer:
        game = rematch_id(old)
        call = PlayerCall.of(token, game, idempotency_key, ("rematch", old.id, body))
        reading = self._log.read(game, None, call.key)
        if reading.snapshot is None:
            opener = self._players.opener(call.token, address)
            if not was_there_at_the_end(old, opener.player):
                raise Refused("not_seated", Message("detail.rematch_after_leaving"))
            if call.key is not None:
                call.key.check(reading.used)
            with contextlib.suppress(VersionConflict):  # somebody else has opened it
                make = partial(self._same_again, old=old, body=body)
                return self._write(opener, game, make, words, call.key)
        return self._made(call, partial(accepting, body), words)

    def _same_again(self, game: str, player: Player, old: Snapshot, body: Mapping[str, Any]) -> Step:
        """Returns the step that opens the table of a game again; a fork reopens at its starting point."""
        if old.table.forked_from is not None:
            moves = [cause for cause in self._log.causes(old).values() if isinstance(cause, Repeat)]
            return fork_again(game, old, moves, now_ms(), fresh())
        occupants, inviting = seated_again(old, player.id, body)
        again = same_table(old)
        inviting = self._invitations.check_rematch(inviting, player, _terms(again))
        # Nobody gets to see everything in a sandbox by asking first.
        creator = old.table.creator if old.table.sandbox else player.id
        return new_table(game, creator, again, occupants, now_ms(), fresh(), inviting, old.id)

    # --- calls and answers ---

    def _made(self, call: PlayerCall, cause_for: CauseFor, words: Catalogue) -> Answer:
        """Makes a player's call at a table by what its caller causes, and returns the view after it."""

        def decide(snapshot: Snapshot, player: Player, left_before: bool) -> tuple[Step | None, Answer]:
            self._players.note_name(player)
            cause = cause_for(snapshot, player) if not left_before else None
            new = step_of(snapshot, cause, now_ms(), new_tag()) if cause is not None else None
            return new, self._answer(new.after if new is not None else snapshot, player, words)

        return retry(self._changes, call, decide)

    def _answer(self, after: Snapshot, player: Player, words: Catalogue) -> Answer:
        viewer = viewer_of(after, player.id)
        view = game_view(after, viewer, self._players, player.id, words)
        return Answer.of(view, tag_of(after, viewer, player.id, words.language), words.language)


def _terms(body: Mapping[str, Any]) -> Terms:
    """Returns what decides whether a program accepts an invitation to the table that a request opens."""
    clock = whole_clock(body.get("clock"))
    return Terms(body["edition"], len(body["seats"]), clock, body.get("rated", False))
