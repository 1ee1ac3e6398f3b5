"""The calls of a player or a watcher; how they are repeated, followed and refused is elsewhere."""

import functools
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib.metadata import version
from typing import Any, Final, Self, TypeAlias

from billet_client import given
from billet_client.answers import answer, tag_of
from billet_client.committing import Nonces, hashed
from billet_client.connection import Connection
from billet_client.core import AuthenticatedClient
from billet_client.core.api.bots import list_bots
from billet_client.core.api.editions import get_edition, list_editions
from billet_client.core.api.frames import list_frames
from billet_client.core.api.games import (
    abort_game,
    create_game,
    create_rematch,
    fork_game,
    get_game,
    join_by_code,
    leave_game,
    list_games,
    reveal_nonce,
    take_seat,
    withdraw_invitation,
)
from billet_client.core.api.logs import get_log, verify_log
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
    NonceReveal,
    Notice,
    NoticePage,
    NoticeType,
    OpenSeat,
    OptionChoices,
    Player,
    PlayerAccess,
    PlayerChange,
    PlayerKind,
    PlayerRecord,
    PlayerSetup,
    RematchClaim,
    SandboxSetup,
    SeatClaim,
    Visibility,
)
from billet_client.core.types import UNSET, Response, Unset
from billet_client.core.unions import GameAction, GameEvent, SeatSetup
from billet_client.following import Item, Page, Stream, event_of, follow
from billet_client.lobby import changes
from billet_client.noticing import noticed
from billet_client.playing import Choose, play
from billet_client.refusals import Conflict

AGENT: Final = f"billet-client-python/{version('billet-client')}"
WAIT_SECONDS: Final = 25
"""How long one long-poll waits; proxies and the service itself allow for 30."""

AnyGame: TypeAlias = Game | GameSummary | str
"""A game, or its id."""


class Billet:
    """A Billet service as one player sees it, or as a watcher does who has no token.

    Calls that get no answer are repeated for `patience` seconds in all; what creates or acts is carried out once,
    however often it is repeated. One object may be used by several threads.
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
        """Nothing is sent yet.

        `url` is where the service is, such as `https://cards.example`. `language` is the one of names and texts: `en`
        or `de`. `timeout` is how many seconds one attempt may be silent, `silence` how many an event stream may.
        With `commit` the client commits to a random nonce whenever it takes a seat, keeps it in memory, and reveals it
        as soon as it sees that every seat is taken, so that nobody can choose the deal.

        Raises:
            ValueError: the `url` does not begin with `http://` or `https://`, or the `token` can be none.
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
        """What the operations in `billet_client.core.api` take as `client`, for whatever has no method here."""

    def register(
        self,
        name: str,
        *,
        kind: PlayerKind | str = PlayerKind.HUMAN,
        registration_key: str | None = None,
        key: str | None = None,
    ) -> Self:
        """Makes a new player, who this client is from now on; keep its `token`, which is told this once.

        A program says that it is one with `kind="bot"`. `registration_key` is the operator's, where one is needed.

        Raises:
            RegistrationClosed: the operator's key is missing or wrong.
            InvalidRequest: nobody can be called that.
        """
        body = PlayerSetup(name, PlayerKind(kind))
        key = key or _new_key()
        made = answer(
            PlayerAccess,
            lambda: register_player.sync_detailed(
                client=self.core, body=body, registration_key=registration_key or UNSET, idempotency_key=key
            ),
            key,
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

    # --- who I am ---

    @property
    def token(self) -> str | None:
        """What makes a client this player; None for a watcher."""
        return self._token

    def me(self) -> Player:
        """Returns the player whose token this is."""
        return answer(Player, lambda: get_me.sync_detailed(client=self.core))

    def rename(self, name: str) -> Player:
        """Gives the player another name. Others see it a few seconds later, in ended games too.

        Raises:
            InvalidRequest: nobody can be called that.
        """
        return answer(Player, lambda: rename_player.sync_detailed(client=self.core, body=PlayerChange(name)))

    def my_data(self) -> PlayerRecord:
        """Returns everything that the service keeps about this player, without a token and without a card.

        Its `to_dict()` is what to store.
        """
        return answer(PlayerRecord, lambda: get_my_data.sync_detailed(client=self.core))

    def rotate_token(self, *, key: str | None = None) -> str:
        """Returns a new token, which this client uses from now on; the old one is good for nothing any more.

        Raises:
            NoAnswer: the answer was lost, and perhaps the old token is replaced. The same call with the `key` of the
                exception gives the new one.
        """
        key = key or _new_key()
        made = answer(PlayerAccess, lambda: rotate_token.sync_detailed(client=self.core, idempotency_key=key), key)
        self._bear(made.token)
        return made.token

    def my_games(self) -> Iterator[GameSummary]:
        """Yields the player's games: first those that wait for their action, then by deadline."""
        return _pages(GamePage, lambda cursor: list_my_games.sync_detailed(client=self.core, cursor=cursor))

    def block(self, player: Player | str) -> Block:
        """Blocks a player, and declines all their invitations.

        They cannot invite this player any more, not to a rematch either, nor sit down at tables that this player opens,
        and no notice names them.

        Raises:
            NotFound: there is no such player.
        """
        return answer(Block, lambda: block_player.sync_detailed(_player(player), client=self.core))

    def unblock(self, player: Player | str) -> None:
        """Unblocks a player; nothing changes for one who is not blocked."""
        answer(type(None), lambda: unblock_player.sync_detailed(_player(player), client=self.core))

    def blocked(self) -> Iterator[Block]:
        """Yields the players whom this one has blocked, the newest first."""
        return _pages(BlockPage, lambda cursor: list_blocks.sync_detailed(client=self.core, cursor=cursor))

    def decline_all(
        self, player: Player | str | None = None, reason: DeclineReason | str | None = None
    ) -> Sequence[str]:
        """Declines all invitations, or those by one player; returns the ids of the games."""
        whose = UNSET if player is None else _player(player)
        why = UNSET if reason is None else DeclineReason(reason)
        return answer(
            DeclinedInvitations, lambda: decline_invitations.sync_detailed(client=self.core, from_=whose, reason=why)
        ).declined

    def notices(self, *, after: int | None = None) -> Iterator[Notice]:
        """Yields what this player is told of all their games, as it comes and without an end: above all their turns.

        It begins with all that waits for the player now, or goes on after the `cursor` of a notice that was kept, as
        long as the service has what came next. Whoever acts on each turn misses none: a turn may be told of twice, if
        it was open when the first of these notices was asked for, or when too much was missed to go on.

        Raises:
            NoAnswer: nothing was heard from the service for as long as there was patience.
        """
        for notice in noticed(self._notice_page, after):
            if notice.type_ == NoticeType.REVEAL_NONCE and self._nonces.of(notice.game) is not None:
                self.view(notice.game)
            yield notice

    # --- what there is ---

    def editions(self) -> list[Edition]:
        """Returns the editions that can be played."""
        return answer(EditionList, lambda: list_editions.sync_detailed(client=self.core)).items

    def edition(self, edition: EditionId | str) -> EditionDetail:
        """Returns an edition with its cards and decks."""
        return answer(EditionDetail, lambda: get_edition.sync_detailed(str(edition), client=self.core))

    def bots(self) -> list[Bot]:
        """Returns the bots of the service, the weakest first, with what each does and how well it plays."""
        return answer(BotList, lambda: list_bots.sync_detailed(client=self.core)).items

    def lobby(
        self, *, status: GameStatus | str | None = None, edition: EditionId | str | None = None
    ) -> Iterator[GameSummary]:
        """Yields the public games, those that can be joined first."""
        stands = UNSET if status is None else GameStatus(status)
        wanted = UNSET if edition is None else EditionId(edition)
        return _pages(
            GamePage,
            lambda cursor: list_games.sync_detailed(client=self.core, status=stands, edition=wanted, cursor=cursor),
        )

    def lobby_changes(self) -> Iterator[LobbyChange]:
        """Yields how the lobby changes, without an end: first every game in it as `opened`, then what happens.

        Keep the games by id: set them on `opened` and `changed`, delete them on `gone`. After a broken connection you
        get what has changed meanwhile. If that is too much, all games from before are `gone`, and those in the lobby
        are `opened` again.

        Raises:
            NoAnswer: nothing was heard from the service for as long as there was patience.
        """
        return changes(Stream(self._connection, "/v1/lobby/stream", {}, self._silence))

    # --- tables ---

    def create(
        self,
        edition: EditionId | str,
        seats: Sequence[str | SeatSetup],
        *,
        visibility: Visibility | str | None = None,
        clock: ClockSetup | None = None,
        starter: int | None = None,
        nonce: str | None = None,
        options: OptionChoices | None = None,
        sandbox: SandboxSetup | None = None,
        key: str | None = None,
    ) -> Game:
        """Opens a table and returns the game, which starts by itself as soon as no seat is open.

        Each of the `seats` is `creator`, `open`, the name of a bot, or `InvitedSeat("invited", ID)` for a player who is
        invited, in table order. A `nonce` is sent as it is, in place of one that the client commits to.

        Raises:
            InvalidRequest: there can be no such table.
        """
        key = key or _new_key()
        chairs = [_seat(seat) for seat in seats]
        commits = self._commit and nonce is None and any(isinstance(chair, CreatorSeat) for chair in chairs)
        committed = self._nonces.made(f"table {key}") if commits else None
        body = GameSetup(
            EditionId(edition),
            chairs,
            visibility=UNSET if visibility is None else Visibility(visibility),
            clock=clock or UNSET,
            starter=UNSET if starter is None else starter,
            nonce=UNSET if nonce is None else nonce,
            options=options or UNSET,
            sandbox=sandbox or UNSET,
            nonce_hash=UNSET if committed is None else hashed(committed),
        )
        made = answer(Game, lambda: create_game.sync_detailed(client=self.core, body=body, idempotency_key=key), key)
        if committed is not None:
            self._nonces.keep(made.id, committed)
        return self._revealed(made)

    def join(
        self,
        game: AnyGame,
        code: str | None = None,
        *,
        seat: int | None = None,
        nonce: str | None = None,
        key: str | None = None,
    ) -> Game:
        """Takes a seat, the first open one if none is named; `code` is the join code of an unlisted game.

        A `nonce` is sent as it is, in place of one that the client commits to.

        Raises:
            GameFull: the seat, or every seat, is taken.
            JoinCodeWrong: the code is missing or wrong.
        """
        committed = None
        if self._commit and nonce is None:
            committed = self._nonces.of(_id(game)) or self._nonces.made(f"seat {_id(game)}")
            self._nonces.keep(_id(game), committed)
        claim = SeatClaim(
            seat=UNSET if seat is None else seat,
            join_code=UNSET if code is None else code,
            nonce=UNSET if nonce is None else nonce,
            nonce_hash=UNSET if committed is None else hashed(committed),
        )
        return self._take(game, claim, key)

    def join_by_code(self, code: str, *, nonce: str | None = None, key: str | None = None) -> Game:
        """Takes a seat by the join code alone: the one kept for this player, or the first that is open.

        A `nonce` is sent as it is, in place of one that the client commits to.

        Raises:
            NotFound: no table has this code.
            GameFull: every seat is taken.
        """
        key = key or _new_key()
        committed = self._nonces.made(f"code {code}") if self._commit and nonce is None else None
        claim = CodeClaim(
            code,
            nonce=UNSET if nonce is None else nonce,
            nonce_hash=UNSET if committed is None else hashed(committed),
        )
        joined = answer(
            Game, lambda: join_by_code.sync_detailed(client=self.core, body=claim, idempotency_key=key), key
        )
        if committed is not None and self._nonces.of(joined.id) is None:
            self._nonces.keep(joined.id, committed)
        return self._revealed(joined)

    def add_bot(self, game: AnyGame, bot: BotId | str, *, seat: int | None = None, key: str | None = None) -> Game:
        """Gives an open seat of a table that this player has opened to a bot."""
        return self._take(game, SeatClaim(seat=UNSET if seat is None else seat, bot=BotId(bot)), key)

    def invite(self, game: AnyGame, player: Player | str, *, seat: int | None = None, key: str | None = None) -> Game:
        """Keeps an open seat of a table that this player has opened for another one, a person or a program.

        They are told so in their notices, and accept by `join` or `decline`; this player is told of either.

        Raises:
            PlayerAtTable: they sit there already, or are invited to another seat.
            GameFull: the seat, or every seat, is taken or kept for somebody.
        """
        return self._take(game, SeatClaim(seat=UNSET if seat is None else seat, player=_player(player)), key)

    def withdraw(self, game: AnyGame, seat: int, *, key: str | None = None) -> Game:
        """Withdraws the invitation to a seat of a table that this player has opened; the seat is open to all again.

        Raises:
            GameFull: they have accepted.
        """
        key = key or _new_key()
        return answer(
            Game,
            lambda: withdraw_invitation.sync_detailed(_id(game), seat, client=self.core, idempotency_key=key),
            key,
        )

    def decline(self, game: AnyGame, reason: DeclineReason | str | None = None, *, key: str | None = None) -> Game:
        """Declines an invitation, if one likes with a reason such as `later` or `edition`.

        Raises:
            NotSeated: this player is not invited, or not any more.
        """
        key, why = key or _new_key(), UNSET if reason is None else DeclineReason(reason)
        return answer(
            Game, lambda: leave_game.sync_detailed(_id(game), client=self.core, reason=why, idempotency_key=key), key
        )

    def leave(self, game: AnyGame, *, key: str | None = None) -> Game:
        """Gets up: before the start the seat is open again, afterwards the player has resigned."""
        key = key or _new_key()
        left = answer(Game, lambda: leave_game.sync_detailed(_id(game), client=self.core, idempotency_key=key), key)
        self._nonces.forget(left.id)
        return left

    def abort(self, game: AnyGame, *, key: str | None = None) -> Game:
        """Calls a game off that this player has opened, before its first action."""
        key = key or _new_key()
        return answer(Game, lambda: abort_game.sync_detailed(_id(game), client=self.core, idempotency_key=key), key)

    def rematch(self, game: AnyGame, *, key: str | None = None) -> Game:
        """Returns the game in which the same table plays again: one, whoever asks and how often.

        The first to ask opens it and sits down, beside the service's own bots. The others are invited to their seats,
        and accept by asking too; it starts when all have. The client commits to a nonce, as in `join`.

        Raises:
            NotSeated: this player was not at the table to the end, or is not invited any more.
            GameNotFinished: the game has not ended.
        """
        key = key or _new_key()
        committed = self._nonces.made(f"rematch {_id(game)}") if self._commit else None
        body = UNSET if committed is None else RematchClaim(nonce_hash=hashed(committed))
        made = answer(
            Game,
            lambda: create_rematch.sync_detailed(_id(game), client=self.core, body=body, idempotency_key=key),
            key,
        )
        if committed is not None and self._nonces.of(made.id) is None:
            self._nonces.keep(made.id, committed)
        return self._revealed(made)

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
        """Opens a game that goes on from a version of one that has ended, for this player and bots.

        A turn's seat acts first from its `act_version` in `rounds`; a version within a step leads to where it began.
        The player takes the `seat` that they had there, or another; `bots` says by seat who plays the rest, otherwise
        the bots that sat there and the one that stands in for people. `code` is the join code of an unlisted game.

        Raises:
            GameNotFinished: the game has not ended.
            InvalidRequest: it cannot go on from there, or this seat had left it.
        """
        body = ForkSetup(
            version,
            seat=UNSET if seat is None else seat,
            bots=UNSET if bots is None else [ForkBot(number, BotId(bot)) for number, bot in bots.items()],
            join_code=UNSET if code is None else code,
        )
        key = key or _new_key()
        return answer(
            Game, lambda: fork_game.sync_detailed(_id(game), client=self.core, body=body, idempotency_key=key), key
        )

    # --- at the table ---

    def view(
        self, game: AnyGame, *, at: int | None = None, as_: int | str | None = None, join_code: str | None = None
    ) -> Game:
        """Returns a game as this player sees it; `at` is a version to look back to.

        A nonce that the game waits for is revealed. Once the game has ended it may be seen as any seat saw it
        (`as_=0`) or whole (`as_="all"`).
        """
        seen = answer(
            Game,
            lambda: get_game.sync_detailed(
                _id(game),
                client=self.core,
                at=UNSET if at is None else at,
                as_=UNSET if as_ is None else str(as_),
                join_code=UNSET if join_code is None else join_code,
            ),
        )
        return self._revealed(seen) if at is None else seen

    def act(
        self, game: AnyGame, action: LegalAction | GameAction, *, text: bool = False, key: str | None = None
    ) -> ActionResult:
        """Takes an action and returns what came of it: the events and the new view.

        Given the view that was looked at, the action is refused if the game has moved on since. Given an id, or the
        view of a frame that was followed, it counts for whatever the game asks now. With `text` events have a text.

        Raises:
            IllegalAction: the rules forbid it now.
            StaleVersion: the game has moved on since the view.
            NotYourTurn: another seat must act.
            NoAnswer: whether it was carried out is not known. The same call with the `key` of the exception tells.
            TypeError: this is no action.
        """
        chosen = action.action if isinstance(action, LegalAction) else action
        if not isinstance(chosen, GameAction):
            raise TypeError(f"an action is one of `legal_actions` or its `action`, not {type(chosen).__name__}")
        tag = tag_of(game) if isinstance(game, Game) else None
        key = key or _new_key()
        return answer(
            ActionResult,
            lambda: submit_action.sync_detailed(
                _id(game),
                client=self.core,
                body=chosen,
                text=text or UNSET,
                if_match=tag or UNSET,
                idempotency_key=key,
            ),
            key,
        )

    def play(self, game: AnyGame, choose: Choose) -> Game:
        """Plays this player's seat to the end and returns the last view.

        `choose` is given the view whenever the seat must act, and returns one of its `legal_actions`. If the game moves
        on before that arrives, because its clock ran out or the player acts elsewhere too, it is asked again. After an
        exception the same call goes on with the game as it stands.

        Raises:
            ValueError: this player has no seat at the game.
        """
        return play(
            self.view(game),
            choose,
            look=lambda: self.view(game),
            act=lambda view, action: self.act(view, action).game,
            wait=lambda version: self._page(game, version, limit=1),
        )

    def events(
        self,
        game: AnyGame,
        *,
        after: int = 0,
        text: bool = False,
        join_code: str | None = None,
        by: str = "stream",
    ) -> Iterator[GameEvent]:
        """Yields every event after a version, each once and in order, as they happen and until the game has ended.

        Cut connections, restarts of the service and whatever else passes are got over. To go on later, another time or
        elsewhere, keep the version of the last event and give it as `after`. With `text` events tell themselves in
        words. They come by event stream, and by long-poll where that does not get through or if `by` is `poll`.

        Raises:
            NoAnswer: nothing was heard from the service for as long as there was patience.
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
    ) -> Iterator[Frame]:
        """Yields a frame for every step after a version: its `events`, and the `game` after it as this player sees it.

        `act` returns a frame, too: the same one also arrives here. Draw the one that comes first, and skip a frame
        whose version you have drawn already. All else is as with `events`.

        Raises:
            NoAnswer: nothing was heard from the service for as long as there was patience.
        """

        def page(version: int) -> Page[Frame]:
            found = answer(
                FramePage,
                lambda: list_frames.sync_detailed(
                    _id(game),
                    client=self.core,
                    after=version,
                    wait=WAIT_SECONDS,
                    text=text or UNSET,
                    join_code=UNSET if join_code is None else join_code,
                ),
            )
            return Page(found.frames, found.finished)

        stream = self._stream(game, "frames", text, join_code, by)
        return self._revealing(_id(game), follow(stream, page, Frame.from_dict, after))

    def _stream(self, game: AnyGame, way: str, text: bool, join_code: str | None, by: str) -> Stream | None:
        """Returns the stream of a game's events or frames; None for one who polls."""
        if by not in ("stream", "poll"):
            raise ValueError(f"{way} come by `stream` or by `poll`, not by {by!r}")
        query: dict[str, str | bool] = {"text": True} if text else {}
        if join_code is not None:
            query["join_code"] = join_code
        stream = Stream(self._connection, f"/v1/games/{_id(game)}/{way}/stream", query, self._silence)
        return stream if by == "stream" else None

    # --- whole games ---

    def rounds(self, game: AnyGame, *, join_code: str | None = None) -> GameRounds:
        """Returns where the rounds and turns of a game begin; the `act_version` of a turn is for `view` and `fork`."""
        code = UNSET if join_code is None else join_code
        return answer(GameRounds, lambda: list_rounds.sync_detailed(_id(game), client=self.core, join_code=code))

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
        """Yields the events of an ended game as a seat was told of them (`as_=0`), or whole (`as_="all"`).

        They begin after the version `after` and end with the version `at`.

        Raises:
            GameNotFinished: the game has not ended.
        """
        while True:
            page = answer(
                EventPage,
                functools.partial(
                    list_events.sync_detailed,
                    _id(game),
                    client=self.core,
                    after=after,
                    at=UNSET if at is None else at,
                    as_=str(as_),
                    text=text or UNSET,
                    join_code=UNSET if join_code is None else join_code,
                ),
            )
            yield from page.events
            if page.finished or page.version == (after if at is None else at):
                return
            after = page.version

    def log(self, game: AnyGame, *, join_code: str | None = None) -> GameLog:
        """Returns the whole log of a game that has ended; its `to_dict()` is what to keep of it.

        Raises:
            GameNotFinished: the game has not ended.
        """
        code = UNSET if join_code is None else join_code
        return answer(GameLog, lambda: get_log.sync_detailed(_id(game), client=self.core, join_code=code))

    def verify(self, log: GameLog | Mapping[str, Any]) -> LogVerdict:
        """Returns whether a log is true, wherever it comes from, or else the first place where it is not."""
        body = LogToVerify.from_dict(log.to_dict() if isinstance(log, GameLog) else log)
        return answer(LogVerdict, lambda: verify_log.sync_detailed(client=self.core, body=body))

    # --- what the calls share ---

    def _bear(self, token: str) -> None:
        self._token = token
        self._connection.headers["Authorization"] = f"Bearer {token}"

    def _take(self, game: AnyGame, claim: SeatClaim, key: str | None) -> Game:
        key = key or _new_key()
        return self._revealed(
            answer(
                Game, lambda: take_seat.sync_detailed(_id(game), client=self.core, body=claim, idempotency_key=key), key
            )
        )

    def _revealed(self, game: Game) -> Game:
        """Returns a game after the player's nonce is revealed, if it waits for it."""
        nonce = self._nonces.of(game.id)
        if nonce is None or game.status != GameStatus.OPEN:
            self._nonces.forget(game.id)
            return game
        if game.reveal is None or game.viewer is None or game.viewer.seat not in game.reveal.seats:
            return game
        body, key = NonceReveal(nonce), _new_key()
        try:
            return answer(
                Game,
                lambda: reveal_nonce.sync_detailed(game.id, client=self.core, body=body, idempotency_key=key),
                key,
            )
        except Conflict:
            # The time was up a moment before, or the seat was taken with another nonce: the game starts without it.
            self._nonces.forget(game.id)
            return self.view(game)

    def _revealing(self, game: str, items: Iterator[Item]) -> Iterator[Item]:
        """Yields events or frames, and reveals the player's nonce when they say that the game waits for it."""
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
    ) -> EventPage:
        """Waits for events after a version."""
        return answer(
            EventPage,
            lambda: list_events.sync_detailed(
                _id(game),
                client=self.core,
                after=after,
                wait=WAIT_SECONDS,
                limit=UNSET if limit is None else limit,
                text=text or UNSET,
                join_code=UNSET if join_code is None else join_code,
            ),
        )

    def _notice_page(self, after: int | None) -> NoticePage:
        """Waits for notices after a cursor; without one it asks what is open now."""
        return answer(
            NoticePage,
            lambda: list_notices.sync_detailed(
                client=self.core,
                after=UNSET if after is None else after,
                wait=UNSET if after is None else WAIT_SECONDS,
            ),
        )


def _id(game: AnyGame) -> str:
    return game if isinstance(game, str) else game.id


def _new_key() -> str:
    return str(uuid.uuid4())


def _seat(seat: str | SeatSetup) -> SeatSetup:
    """Returns what is sent for a seat that may be told in a word."""
    if not isinstance(seat, str):
        return seat
    if seat == "creator":
        return CreatorSeat("creator")
    if seat == "open":
        return OpenSeat("open")
    return BotSeat("bot", BotId(seat))


def _player(player: Player | str) -> str:
    return player if isinstance(player, str) else player.id


def _pages(kind: type[Any], ask: Callable[[str | Unset], Response[Any]]) -> Iterator[Any]:
    """Yields the items of all pages of a kind, each of which is asked for when it is come to."""
    cursor: str | Unset = UNSET
    while True:
        page = answer(kind, functools.partial[Response[Any]](ask, cursor))
        yield from page.items
        if page.next_cursor is None:
            return
        cursor = page.next_cursor
