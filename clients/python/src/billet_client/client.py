"""The client: a method for each call of a player or a watcher."""

import contextlib
import uuid
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from importlib.metadata import version
from typing import Any, Final, Self, TypeAlias, TypeVar, cast

from billet_client import given
from billet_client.committing import Nonces, hashed
from billet_client.connection import Connection
from billet_client.core import AuthenticatedClient
from billet_client.core.api.aids import get_deductions, get_hint
from billet_client.core.api.bots import list_bots
from billet_client.core.api.editions import get_edition, list_editions
from billet_client.core.api.frames import list_frames
from billet_client.core.api.games import (
    abort_game,
    clear_seat,
    create_game,
    create_rematch,
    fork_game,
    get_game,
    join_by_code,
    leave_game,
    list_games,
    reveal_nonce,
    take_seat,
)
from billet_client.core.api.logs import get_log, verify_log
from billet_client.core.api.matches import accept_match, decline_match
from billet_client.core.api.notices import list_notices
from billet_client.core.api.play import list_events, list_rounds, submit_action
from billet_client.core.api.players import (
    block_player,
    decline_invitations,
    get_me,
    get_my_data,
    list_blocks,
    list_my_games,
    register_player,
    rename_player,
    rotate_token,
    unblock_player,
)
from billet_client.core.models import (
    ActionResult,
    Block,
    BlockPage,
    Bot,
    BotId,
    BotList,
    BotSeat,
    ClockSetup,
    CodeClaim,
    CreatorSeat,
    DeclinedInvitations,
    DeclineReason,
    Deduction,
    Edition,
    EditionDetail,
    EditionId,
    EditionList,
    EventPage,
    ForkBot,
    ForkSetup,
    Frame,
    FramePage,
    Game,
    GameHint,
    GameLog,
    GamePage,
    GameRounds,
    GameSetup,
    GameStatus,
    GameSummary,
    LegalAction,
    LobbyChange,
    LogToVerify,
    LogVerdict,
    Match,
    NonceReveal,
    Notice,
    NoticePage,
    NoticeType,
    OpenSeat,
    OptionChoices,
    OwnPlayer,
    Player,
    PlayerAccess,
    PlayerChange,
    PlayerKind,
    PlayerRecord,
    PlayerSetup,
    ProgramSetup,
    RematchClaim,
    SandboxSetup,
    SeatClaim,
    Visibility,
    WaitUntil,
)
from billet_client.core.types import UNSET, Response, Unset
from billet_client.core.unions import GameAction, GameEvent, SeatSetup
from billet_client.following import NO_EVENT_SECONDS, Item, Page, Stream, event_of, follow
from billet_client.lobby import changes
from billet_client.refusals import Conflict, CursorGone, GameOver, NotSeated, NotYourTurn, StaleVersion
from billet_client.retries import pause
from billet_client.unwrapping import answer, tag_of, tagged

AGENT: Final = f"billet-client-python/{version('billet-client')}"
WAIT_SECONDS: Final = 25
"""How long one long-poll waits; proxies and the service itself allow for 30."""
MOVED_ON: Final = (StaleVersion, NotYourTurn, NotSeated, GameOver)
"""The refusals of an action that came too late."""

T = TypeVar("T")
AnyGame: TypeAlias = Game | GameSummary | str
"""A game, or its id."""
AnyPlayer: TypeAlias = Player | OwnPlayer | str
"""A player, or the id of one."""
Choose: TypeAlias = Callable[[Game], LegalAction | GameAction]
"""Chooses one of a view's `legal_actions`."""


class Billet:
    """A Billet service, used by one player, or by a watcher without a token.

    A call without an answer is retried for up to `patience` seconds. Calls that create or act take effect once,
    however often they are retried. Several threads may share one object.
    """

    def __init__(
        self,
        url: str,
        token: str | None = None,
        *,
        language: str | None = None,
        patience: float = 60.0,
        timeout: float = 10.0,
        silence: float = 45.0,
        commit: bool = True,
    ) -> None:
        """Prepares the client; it sends nothing yet.

        `url` is the address of the service, such as `https://cards.example`. `language` is that of names and texts,
        `en` or `de`. An attempt fails after `timeout` seconds without data, an event stream after `silence` seconds.
        With `commit` the client commits to a random nonce whenever it takes a seat, and keeps the nonce in memory. It
        reveals it as soon as it sees that every seat is taken, so that nobody can choose the deal.

        Raises:
            ValueError: the `url` does not begin with `http://` or `https://`, or the `token` is malformed.
        """
        headers = {"User-Agent": AGENT} | ({"Accept-Language": language} if language is not None else {})
        self._connection = Connection(given.address(url), headers, patience=patience, timeout=timeout)
        self._silence = silence
        self._commit = commit
        self._nonces = Nonces()
        self._token: str | None = None
        if token is not None:
            self._bear(given.token(token))
        self.core = AuthenticatedClient(base_url=url, token="").set_httpx_client(self._connection)
        """The `client` argument of the operations in `billet_client.core.api`, for calls without a method here."""

    def register(
        self,
        name: str,
        *,
        kind: PlayerKind | str = PlayerKind.HUMAN,
        registration_key: str | None = None,
        key: str | None = None,
    ) -> Self:
        """Registers a new player, for whom this client acts from now on; store its `token`, which is shown only once.

        Programs register with `kind="bot"`. If the operator asks for a key, give it as `registration_key`.

        Raises:
            RegistrationClosed: the operator's key is missing or wrong.
            InvalidRequest: the name is not allowed.
        """
        body = PlayerSetup(name, PlayerKind(kind))
        made = answer(
            PlayerAccess,
            register_player.sync_detailed,
            client=self.core,
            body=body,
            registration_key=registration_key or UNSET,
            idempotency_key=key or _new_key(),
        )
        self._bear(made.token)
        return self

    def close(self) -> None:
        """Closes the connections."""
        self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # --- the player ---

    @property
    def token(self) -> str | None:
        """The player's token; None for a watcher."""
        return self._token

    def me(self) -> OwnPlayer:
        """Returns the player of this client's token."""
        return answer(OwnPlayer, get_me.sync_detailed, client=self.core)

    def rename(self, name: str) -> OwnPlayer:
        """Renames the player. Others see the new name a few seconds later, in ended games too.

        Raises:
            InvalidRequest: the name is not allowed.
        """
        return answer(OwnPlayer, rename_player.sync_detailed, client=self.core, body=PlayerChange(name))

    def describe(self, program: ProgramSetup | Mapping[str, Any]) -> OwnPlayer:
        """Describes the program that this player is: its version, and the games it accepts.

        Raises:
            InvalidRequest: the player is no program, or the description is not allowed.
        """
        change = PlayerChange(program=given.model(program))
        return answer(OwnPlayer, rename_player.sync_detailed, client=self.core, body=change)

    def my_data(self) -> PlayerRecord:
        """Returns all data that the service stores about this player, without the token and without any card.

        Use `to_dict()` to store it as JSON.
        """
        return answer(PlayerRecord, get_my_data.sync_detailed, client=self.core)

    def rotate_token(self, *, key: str | None = None) -> str:
        """Replaces the player's token, uses the new one from now on, and returns it; the old one stops working.

        Raises:
            NoAnswer: the answer was lost, and the old token may have been replaced. Repeat the call with the `key` of
                the exception to get the new one.
        """
        made = answer(PlayerAccess, rotate_token.sync_detailed, client=self.core, idempotency_key=key or _new_key())
        self._bear(made.token)
        return made.token

    def my_games(self) -> Iterator[GameSummary]:
        """Yields the player's games: those that wait for their action first, then by deadline, ended ones last."""
        return _pages(GamePage, lambda cursor: list_my_games.sync_detailed(client=self.core, cursor=cursor))

    def block(self, player: AnyPlayer) -> Block:
        """Blocks a player, and declines all their invitations.

        They can no longer invite this player, not even to a rematch. They cannot sit down at tables that this player
        opens, unless invited. Notices do not name them.

        Raises:
            NotFound: there is no such player.
        """
        return answer(Block, block_player.sync_detailed, _player(player), client=self.core)

    def unblock(self, player: AnyPlayer) -> None:
        """Unblocks a player; does nothing if they are not blocked."""
        answer(type(None), unblock_player.sync_detailed, _player(player), client=self.core)

    def blocked(self) -> Iterator[Block]:
        """Yields the players whom this one has blocked, the newest first."""
        return _pages(BlockPage, lambda cursor: list_blocks.sync_detailed(client=self.core, cursor=cursor))

    def decline_all(self, player: AnyPlayer | None = None, reason: DeclineReason | str | None = None) -> Sequence[str]:
        """Declines all invitations, or those by one player; returns the ids of the games."""
        whose = UNSET if player is None else _player(player)
        why = UNSET if reason is None else DeclineReason(reason)
        return answer(
            DeclinedInvitations, decline_invitations.sync_detailed, client=self.core, from_=whose, reason=why
        ).declined

    def notices(self, *, after: int | None = None) -> Iterator[Notice]:
        """Yields the player's notices on all their games as they come, such as `your_turn`; it never ends.

        It begins with everything that waits for the player now. To resume instead, give the `cursor` of a notice as
        `after`; if the service no longer keeps what followed it, everything open comes again. So a program that acts
        on each notice misses no turn, but may get the same turn twice.

        Raises:
            NoAnswer: the service could not be reached for `patience` seconds.
        """
        while True:
            try:
                page = answer(
                    NoticePage,
                    list_notices.sync_detailed,
                    client=self.core,
                    after=_optional(after),
                    wait=UNSET if after is None else WAIT_SECONDS,
                )
            except CursorGone:
                after = None
                continue
            for notice in page.events:
                if notice.type_ == NoticeType.REVEAL_NONCE and self._nonces.of(notice.game) is not None:
                    self.view(notice.game)
                yield notice
            if after is not None and not page.events:
                pause(NO_EVENT_SECONDS)
            after = page.cursor

    # --- editions, bots and the lobby ---

    def editions(self) -> list[Edition]:
        """Returns all editions, in short."""
        return answer(EditionList, list_editions.sync_detailed, client=self.core).items

    def edition(self, edition: EditionId | str) -> EditionDetail:
        """Returns an edition with its cards and decks."""
        return answer(EditionDetail, get_edition.sync_detailed, str(edition), client=self.core)

    def bots(self) -> list[Bot]:
        """Returns the bots of the service, the weakest first, with what each does and how well it plays."""
        return answer(BotList, list_bots.sync_detailed, client=self.core).items

    def lobby(
        self, *, status: GameStatus | str | None = None, edition: EditionId | str | None = None
    ) -> Iterator[GameSummary]:
        """Yields the public games, joinable ones first."""
        stands = UNSET if status is None else GameStatus(status)
        wanted = UNSET if edition is None else EditionId(edition)
        return _pages(
            GamePage,
            lambda cursor: list_games.sync_detailed(client=self.core, status=stands, edition=wanted, cursor=cursor),
        )

    def lobby_changes(self) -> Iterator[LobbyChange]:
        """Yields every game in the lobby as `opened`, then each change of the lobby as it happens; it never ends.

        Keep the games by id: set them on `opened` and `changed`, delete them on `gone`. After a broken connection you
        get what has changed meanwhile. If that is too much, you get `gone` for all games so far, and `opened` for
        those in the lobby now.

        Raises:
            NoAnswer: the service could not be reached for `patience` seconds.
        """
        return changes(Stream(self._connection, "/v1/lobby/stream", {}, self._silence))

    # --- tables ---

    def create(
        self,
        edition: EditionId | str,
        seats: Sequence[str | SeatSetup | Mapping[str, Any]],
        *,
        visibility: Visibility | str | None = None,
        clock: ClockSetup | Mapping[str, Any] | None = None,
        starter: int | None = None,
        nonce: str | None = None,
        options: OptionChoices | Mapping[str, Any] | None = None,
        sandbox: SandboxSetup | Mapping[str, Any] | None = None,
        key: str | None = None,
    ) -> Game:
        """Opens a table and returns the game, which starts by itself as soon as every seat is taken.

        Give the `seats` in table order: `creator`, `open`, the name of a bot, or `InvitedSeat("invited", ID)` to invite
        a player. A `nonce` is sent as it is, and the client does not commit to one of its own. Instead of a class from
        `billet_client.models` you may give a mapping, as in `clock={"seconds": 60, "on_timeout": "bot_plays"}`.

        Raises:
            InvalidRequest: the edition has no such table.
            TypeError: a part is neither of such a class nor a mapping.
        """
        key = key or _new_key()
        chairs = [_seat(seat) for seat in seats]
        commits = self._commit and nonce is None and any(chair.to_dict().get("kind") == "creator" for chair in chairs)
        committed = self._nonces.made(f"table {key}") if commits else None
        body = GameSetup(
            EditionId(edition),
            chairs,
            visibility=UNSET if visibility is None else Visibility(visibility),
            clock=given.optional_model(clock),
            starter=_optional(starter),
            nonce=_optional(nonce),
            options=given.optional_model(options),
            sandbox=given.optional_model(sandbox),
            nonce_hash=_optional(committed and hashed(committed)),
        )
        made = answer(Game, create_game.sync_detailed, client=self.core, body=body, idempotency_key=key)
        return self._revealed(made, committed)

    def join(
        self,
        game: AnyGame,
        code: str | None = None,
        *,
        seat: int | None = None,
        nonce: str | None = None,
        key: str | None = None,
    ) -> Game:
        """Takes the given seat, or the one reserved for the player, or the first open one.

        If a bot stands in for the player, it takes their seat back. `code` is the join code of an unlisted game. A
        `nonce` is sent as it is, and the client does not commit to one of its own.

        Raises:
            GameFull: the seat, or every seat, is taken.
            JoinCodeWrong: the code is missing or wrong.
        """
        committed = None
        if self._commit and nonce is None:
            committed = self._nonces.of(_id(game)) or self._nonces.made(f"seat {_id(game)}")
            self._nonces.keep(_id(game), committed)
        claim = SeatClaim(
            seat=_optional(seat),
            join_code=_optional(code),
            nonce=_optional(nonce),
            nonce_hash=_optional(committed and hashed(committed)),
        )
        return self._take(game, claim, key)

    def join_by_code(self, code: str, *, nonce: str | None = None, key: str | None = None) -> Game:
        """Takes a seat by the join code alone: the one reserved for the player, or the first open one.

        A `nonce` is sent as it is, and the client does not commit to one of its own.

        Raises:
            NotFound: no table has this code.
            GameFull: every seat is taken.
        """
        committed = self._nonces.made(f"code {code}") if self._commit and nonce is None else None
        claim = CodeClaim(code, nonce=_optional(nonce), nonce_hash=_optional(committed and hashed(committed)))
        joined = answer(
            Game, join_by_code.sync_detailed, client=self.core, body=claim, idempotency_key=key or _new_key()
        )
        return self._revealed(joined, committed)

    def add_bot(self, game: AnyGame, bot: BotId | str, *, seat: int | None = None, key: str | None = None) -> Game:
        """Seats a bot on an open seat of the player's own table."""
        return self._take(game, SeatClaim(seat=_optional(seat), bot=BotId(bot)), key)

    def invite(self, game: AnyGame, player: AnyPlayer, *, seat: int | None = None, key: str | None = None) -> Game:
        """Invites another player, a person or a program, to an open seat of the player's own table.

        The seat is reserved for them. They get a notice, and accept with `join` or refuse with `decline`. This player
        gets a notice of either.

        Raises:
            PlayerAtTable: they sit at the table, or are invited to another of its seats.
            GameFull: the seat, or every seat, is taken or reserved.
        """
        return self._take(game, SeatClaim(seat=_optional(seat), player=_player(player)), key)

    def withdraw(self, game: AnyGame, seat: int, player: AnyPlayer, *, key: str | None = None) -> Game:
        """Withdraws the invitation of a player to a seat of the player's own table; the seat is open to all again.

        Raises:
            IllegalAction: the invited player has just accepted or declined, or the game has started.
        """
        return self._clear(game, seat, key, invited=_player(player))

    def remove(self, game: AnyGame, seat: int, player: AnyPlayer | None = None, *, key: str | None = None) -> Game:
        """Removes whoever sits on a seat of the player's own table before the start; the seat is open to all again.

        A player gets a notice, and cannot sit down at the table again unless invited.

        Raises:
            IllegalAction: the game has started, or `player` is named and no longer sits there.
        """
        return self._clear(game, seat, key, player=UNSET if player is None else _player(player))

    def _clear(
        self, game: AnyGame, seat: int, key: str | None, player: str | Unset = UNSET, invited: str | Unset = UNSET
    ) -> Game:
        return answer(
            Game,
            clear_seat.sync_detailed,
            _id(game),
            seat,
            client=self.core,
            player=player,
            invited=invited,
            idempotency_key=key or _new_key(),
        )

    def decline(self, game: AnyGame, reason: DeclineReason | str | None = None, *, key: str | None = None) -> Game:
        """Declines an invitation, optionally with a reason such as `later` or `edition`.

        Raises:
            NotSeated: the player is not, or no longer, invited.
        """
        why = UNSET if reason is None else DeclineReason(reason)
        return answer(
            Game, leave_game.sync_detailed, _id(game), client=self.core, reason=why, idempotency_key=key or _new_key()
        )

    def accept_match(self, match: str) -> Match:
        """Accepts a match to which this program is invited; it begins once all programs have accepted.

        Raises:
            NotSeated: the program is not to play it.
            GameOver: the match has ended.
        """
        return answer(Match, accept_match.sync_detailed, match, client=self.core)

    def decline_match(self, match: str) -> Match:
        """Declines a match to which this program is invited, or leaves one that it plays; the match ends.

        Raises:
            NotSeated: the program is not to play it.
        """
        return answer(Match, decline_match.sync_detailed, match, client=self.core)

    def leave(self, game: AnyGame, *, key: str | None = None) -> Game:
        """Leaves the table: before the start the seat becomes open again, afterwards the player resigns."""
        left = answer(Game, leave_game.sync_detailed, _id(game), client=self.core, idempotency_key=key or _new_key())
        self._nonces.forget(left.id)
        return left

    def abort(self, game: AnyGame, *, key: str | None = None) -> Game:
        """Aborts a game that this player has opened, before its first action."""
        return answer(Game, abort_game.sync_detailed, _id(game), client=self.core, idempotency_key=key or _new_key())

    def rematch(self, game: AnyGame, *, key: str | None = None) -> Game:
        """Returns the rematch of an ended game: one new game, however often and by whomever this is called.

        The first caller opens the table and sits down, beside the service's own bots. The others are invited to their
        seats, and accept by calling this too; the game starts when all have accepted. The client commits to a nonce,
        as in `join`.

        Raises:
            NotSeated: the player was not at the table to the end, or is no longer invited.
            GameNotFinished: the game has not ended.
        """
        committed = self._nonces.made(f"rematch {_id(game)}") if self._commit else None
        body = UNSET if committed is None else RematchClaim(nonce_hash=hashed(committed))
        made = answer(
            Game,
            create_rematch.sync_detailed,
            _id(game),
            client=self.core,
            body=body,
            idempotency_key=key or _new_key(),
        )
        return self._revealed(made, committed)

    def fork(
        self,
        game: AnyGame,
        version: int,
        *,
        seat: int | None = None,
        bots: Mapping[int, BotId | str] | None = None,
        code: str | None = None,
        key: str | None = None,
    ) -> Game:
        """Opens a game that continues an ended one from a version, with this player and bots.

        To begin with a turn, use its `act_version` in `rounds`; a version within a step means the beginning of the
        step. The player takes the `seat` that they had, or another one. `bots` names the bots of other seats; by
        default the same bots play there, and one of the service's bots in place of people. `code` is the join code of
        an unlisted game.

        Raises:
            GameNotFinished: the game has not ended.
            InvalidRequest: the game cannot be continued from there, or the seat had left it.
        """
        body = ForkSetup(
            version,
            seat=_optional(seat),
            bots=UNSET if bots is None else [ForkBot(number, BotId(bot)) for number, bot in bots.items()],
            join_code=_optional(code),
        )
        return answer(
            Game, fork_game.sync_detailed, _id(game), client=self.core, body=body, idempotency_key=key or _new_key()
        )

    # --- at the table ---

    def view(
        self, game: AnyGame, *, at: int | None = None, as_: int | str | None = None, join_code: str | None = None
    ) -> Game:
        """Returns a game as this player sees it now, or at the version `at`.

        If the game waits for the player's nonce, this reveals it. Once the game has ended you may see it as any seat
        saw it (`as_=0`) or whole (`as_="all"`).
        """
        seen = answer(
            Game,
            get_game.sync_detailed,
            _id(game),
            client=self.core,
            at=_optional(at),
            as_=UNSET if as_ is None else str(as_),
            join_code=_optional(join_code),
        )
        return self._revealed(seen) if at is None else seen

    def hint(self, game: AnyGame, *, seat: int | None = None) -> GameHint:
        """Returns what the bot `expert` would do in this player's place, and why; each decision asked about is counted.

        Raises:
            AidsOff: the table does without.
            NotYourTurn: the player does not have to act.
        """
        return answer(GameHint, get_hint.sync_detailed, _id(game), client=self.core, seat=_optional(seat))

    def deductions(
        self, game: AnyGame, *, at: int | None = None, as_: int | str | None = None, join_code: str | None = None
    ) -> Deduction:
        """Returns what can be known of a game's hidden cards from what `view` shows.

        Raises:
            AidsOff: the table does without, and the game has not ended.
        """
        return answer(
            Deduction,
            get_deductions.sync_detailed,
            _id(game),
            client=self.core,
            at=_optional(at),
            as_=UNSET if as_ is None else str(as_),
            join_code=_optional(join_code),
        )

    def act(
        self, game: AnyGame, action: LegalAction | GameAction, *, text: bool = False, key: str | None = None
    ) -> ActionResult:
        """Takes an action and returns its result: the events and the new view.

        Given a view, also that of a frame from `frames`, the service refuses the action if the game has moved on since
        that view. Given an id, it takes the action in the present state. With `text` each event has a text.

        Raises:
            IllegalAction: the rules forbid it now.
            StaleVersion: the game has moved on since the view.
            NotYourTurn: another seat must act.
            NoAnswer: the action may have been taken. Repeat the call with the `key` of the exception to find out.
            TypeError: `action` is no action.
        """
        chosen = action.action if isinstance(action, LegalAction) else action
        if not isinstance(chosen, GameAction):
            raise TypeError(f"an action is one of `legal_actions` or its `action`, not {type(chosen).__name__}")
        tag = tag_of(game) if isinstance(game, Game) else None
        return answer(
            ActionResult,
            submit_action.sync_detailed,
            _id(game),
            client=self.core,
            body=chosen,
            text=text or UNSET,
            if_match=tag or UNSET,
            idempotency_key=key or _new_key(),
        )

    def play(self, game: AnyGame, choose: Choose) -> Game:
        """Plays this player's seat to the end of the game and returns the last view.

        Whenever the seat must act, `choose` gets the view and returns one of its `legal_actions`. If the game moves on
        before the action arrives, because its clock ran out or the player acted elsewhere, `choose` is called again.
        After an exception you can call `play` again: it continues the game.

        Raises:
            ValueError: the player has no seat in the game, or none any more.
        """
        view = self.view(game)
        while view.viewer is None or view.status in (GameStatus.OPEN, GameStatus.ACTIVE):
            if view.viewer is None:
                raise ValueError(f"the player has no seat at game {view.id}")
            if not view.legal_actions:
                if not self._page(game, view.version, limit=1, until=WaitUntil.TURN).events:
                    pause(NO_EVENT_SECONDS)
                view = self.view(game)
                continue
            try:
                view = self.act(view, choose(view)).game
            except MOVED_ON:
                present = self.view(game)
                if present.version == view.version:
                    raise
                view = present
        return view

    def events(
        self, game: AnyGame, *, after: int = 0, text: bool = False, join_code: str | None = None, by: str = "stream"
    ) -> Iterator[GameEvent]:
        """Yields every event after a version as it happens, each once and in order, until the game has ended.

        It reconnects after broken connections and restarts of the service. To resume later or elsewhere, give the
        version of the last event as `after`. With `text` each event has a text. The events come by event stream, or by
        long-poll if streams do not get through or `by` is `poll`.

        Raises:
            NoAnswer: the service could not be reached for `patience` seconds.
        """

        def page(version: int) -> Page[GameEvent]:
            found = self._page(game, version, text=text, join_code=join_code)
            return Page(found.events, found.finished)

        stream = self._stream(game, "events", text, join_code, by)
        return self._revealing(_id(game), follow(stream, page, event_of, after))

    def frames(
        self,
        game: AnyGame,
        *,
        after: int = 0,
        text: bool = False,
        join_code: str | None = None,
        by: str = "stream",
        as_: int | str | None = None,
    ) -> Iterator[Frame]:
        """Yields a frame for every step after a version: its `events`, and the `game` after it as this player sees it.

        `act` returns a frame, too: the same one also arrives here. Draw the one that comes first, and skip a frame
        whose version you have drawn already. Once the game has ended, the frames as a seat saw them (`as_=0`) or whole
        (`as_="all"`) are its replay. Otherwise it works like `events`.

        Raises:
            NoAnswer: the service could not be reached for `patience` seconds.
        """

        def page(version: int) -> Page[Frame]:
            found = answer(
                FramePage,
                list_frames.sync_detailed,
                _id(game),
                client=self.core,
                after=version,
                wait=WAIT_SECONDS,
                as_=UNSET if as_ is None else str(as_),
                text=text or UNSET,
                join_code=_optional(join_code),
            )
            return Page(list(map(tagged, found.frames)), found.finished)

        def read(sent: Mapping[str, Any]) -> Frame:
            return tagged(Frame.from_dict(sent))

        stream = self._stream(game, "frames", text, join_code, by, as_)
        return self._revealing(_id(game), follow(stream, page, read, after))

    def _stream(
        self, game: AnyGame, way: str, text: bool, join_code: str | None, by: str, as_: int | str | None = None
    ) -> Stream | None:
        """Returns the stream of a game's events or frames; None if they come by long-poll."""
        if by not in ("stream", "poll"):
            raise ValueError(f"{way} come by `stream` or by `poll`, not by {by!r}")
        query: dict[str, str | bool] = {"text": True} if text else {}
        if join_code is not None:
            query["join_code"] = join_code
        if as_ is not None:
            query["as"] = str(as_)
        stream = Stream(self._connection, f"/v1/games/{_id(game)}/{way}/stream", query, self._silence)
        return stream if by == "stream" else None

    # --- whole games ---

    def rounds(self, game: AnyGame, *, join_code: str | None = None) -> GameRounds:
        """Returns where the rounds and turns of a game begin; use a turn's `act_version` with `view` and `fork`."""
        code = _optional(join_code)
        return answer(GameRounds, list_rounds.sync_detailed, _id(game), client=self.core, join_code=code)

    def replay(
        self,
        game: AnyGame,
        *,
        as_: int | str,
        after: int = 0,
        at: int | None = None,
        text: bool = False,
        join_code: str | None = None,
    ) -> Iterator[GameEvent]:
        """Yields the events of an ended game as a seat saw them (`as_=0`), or whole (`as_="all"`).

        They begin after the version `after` and end with the version `at`.

        Raises:
            GameNotFinished: the game has not ended.
        """
        while True:
            page = answer(
                EventPage,
                list_events.sync_detailed,
                _id(game),
                client=self.core,
                after=after,
                at=_optional(at),
                as_=str(as_),
                text=text or UNSET,
                join_code=_optional(join_code),
            )
            yield from page.events
            if page.finished or page.version == (after if at is None else at):
                return
            after = page.version

    def log(self, game: AnyGame, *, join_code: str | None = None) -> GameLog:
        """Returns the whole log of an ended game; use `to_dict()` to store it as JSON.

        Raises:
            GameNotFinished: the game has not ended.
        """
        code = _optional(join_code)
        return answer(GameLog, get_log.sync_detailed, _id(game), client=self.core, join_code=code)

    def verify(self, log: GameLog | Mapping[str, Any]) -> LogVerdict:
        """Has the service verify a log from anywhere; the verdict names the first place where it is wrong, if any."""
        body = LogToVerify.from_dict(log.to_dict() if isinstance(log, GameLog) else log)
        return answer(LogVerdict, verify_log.sync_detailed, client=self.core, body=body)

    # --- what the calls share ---

    def _bear(self, token: str) -> None:
        self._token = token
        self._connection.headers["Authorization"] = f"Bearer {token}"

    def _take(self, game: AnyGame, claim: SeatClaim, key: str | None) -> Game:
        return self._revealed(
            answer(
                Game,
                take_seat.sync_detailed,
                _id(game),
                client=self.core,
                body=claim,
                idempotency_key=key or _new_key(),
            )
        )

    def _revealed(self, game: Game, committed: str | None = None) -> Game:
        """Keeps the nonce of a new game, reveals it if the game waits for it, and returns the game after that."""
        if committed is not None and self._nonces.of(game.id) is None:
            self._nonces.keep(game.id, committed)
        nonce = self._nonces.of(game.id)
        if nonce is None or game.status != GameStatus.OPEN:
            self._nonces.forget(game.id)
            return game
        if game.reveal is None or game.viewer is None or game.viewer.seat not in game.reveal.seats:
            return game
        body, key = NonceReveal(nonce), _new_key()
        try:
            return answer(Game, reveal_nonce.sync_detailed, game.id, client=self.core, body=body, idempotency_key=key)
        except Conflict:
            # The time was up a moment before, or the seat was taken with another nonce: the game starts without it.
            self._nonces.forget(game.id)
            return self.view(game)

    def _revealing(self, game: str, items: Generator[Item, None, None]) -> Iterator[Item]:
        """Yields events or frames, and reveals the player's nonce when the game begins to wait for it."""
        # If the view cannot be read, the stream is closed at once. The garbage collector would do so while its thread
        # may hold the lock of the connection pool, and wait for that lock forever.
        with contextlib.closing(items):
            for item in items:
                events = item.events if isinstance(item, Frame) else [item]
                if any(event.type_ == "reveal_started" for event in events) and self._nonces.of(game) is not None:
                    self.view(game)
                yield item

    def _page(
        self,
        game: AnyGame,
        after: int,
        *,
        limit: int | None = None,
        text: bool = False,
        join_code: str | None = None,
        until: WaitUntil | None = None,
    ) -> EventPage:
        """Returns the events after a version; waits for the first, or until the player must act."""
        return answer(
            EventPage,
            list_events.sync_detailed,
            _id(game),
            client=self.core,
            after=after,
            wait=WAIT_SECONDS,
            until=_optional(until),
            limit=_optional(limit),
            text=text or UNSET,
            join_code=_optional(join_code),
        )


def _id(game: AnyGame) -> str:
    return game if isinstance(game, str) else game.id


def _new_key() -> str:
    return str(uuid.uuid4())


def _optional(value: T | None) -> T | Unset:
    return UNSET if value is None else value


def _seat(seat: str | SeatSetup | Mapping[str, Any]) -> SeatSetup:
    """Returns the seat that a word stands for; any other as it is."""
    if not isinstance(seat, str):
        return cast("SeatSetup", given.model(seat))
    if seat == "creator":
        return CreatorSeat("creator")
    if seat == "open":
        return OpenSeat("open")
    return BotSeat("bot", BotId(seat))


def _player(player: AnyPlayer) -> str:
    return player if isinstance(player, str) else player.id


def _pages(kind: type[Any], ask: Callable[[str | Unset], Response[Any]]) -> Iterator[Any]:
    """Yields the items of all pages of a list; `ask` fetches each page when it is needed."""
    cursor: str | Unset = UNSET
    while True:
        page = answer(kind, ask, cursor)
        yield from page.items
        if page.next_cursor is None:
            return
        cursor = page.next_cursor
