"""Opens, shows and aborts games, seats players, and starts rematches and forks; actions and events are in `play`."""

from typing import Any

from flask import Response, request

from api.document.operations import Reply
from api.request.arguments import Body, idempotency_key, if_none_match
from api.request.current import address, limits, service, words
from api.request.threads import READING, reading_with
from api.responses import CompleteResponse, encoded, opened, plain
from api.routes.blueprint import Blueprint
from api.routes.streaming import (
    OPENING,
    SSE_TYPE,
    begins_after,
    change_message,
    cursor_message,
    event_stream,
    keeps_open,
)
from api.schemas.games import Game, GamePage
from api.schemas.queries import ClearQuery, LeaveQuery, LobbyQuery, LobbyStreamQuery, ViewQuery
from api.schemas.setup import BreakSetup, CodeClaim, ForkSetup, GameSetup, NonceReveal, RematchClaim, SeatClaim
from games.tables.removals import Occupant
from service.live.feeds import LOBBY

games = Blueprint("Games", __name__, description="Tables: open one, sit down, look at it, leave it, play again.")

TABLES = {
    "against_bots": {"edition": "standard", "seats": [{"kind": "creator"}, {"kind": "bot", "bot": "cautious"}]},
    "with_friends": {
        "edition": "classic",
        "seats": [{"kind": "creator"}, {"kind": "open"}, {"kind": "open"}],
        "visibility": "unlisted",
        "clock": {"seconds": 60, "on_timeout": "bot_plays"},
    },
    "with_a_bank": {
        "edition": "standard",
        "seats": [{"kind": "creator"}, {"kind": "open"}],
        "clock": {"kind": "bank", "seconds": 300, "increment": 5, "on_timeout": "forfeit"},
    },
    "by_correspondence": {
        "edition": "premium",
        "seats": [{"kind": "creator"}, {"kind": "open"}, {"kind": "open"}],
        "clock": {"seconds": 259_200},
    },
    "a_challenge": {
        "edition": "standard",
        "seats": [{"kind": "creator"}, {"kind": "invited", "player": "p0123456789abcdef0123"}],
    },
    "chosen_decks": {
        "edition": "standard",
        "seats": [{"kind": "creator"}, {"kind": "open"}],
        "sandbox": {"rounds": [{"starter": 0, "order": ["guard", "priest"]}]},
    },
    "a_position": {
        "edition": "standard",
        "seats": [{"kind": "creator"}, {"kind": "creator"}],
        "sandbox": {
            "positions": [{"hands": [["guard", "prince"], ["priest"]], "deck": [], "set_aside": "princess", "turn": 0}]
        },
    },
}

CREATED = ("ETag", "Location", "IdempotentReplayed", "ContentLanguage")
SEEN = ("ETag", "ContentLanguage")
CHANGED = ("ETag", "IdempotentReplayed", "ContentLanguage")


@games.operation(
    "GET",
    "/v1/games",
    "listGames",
    Reply(200, GamePage(), "A page of games."),
    token="optional",
    query=LobbyQuery(),
    runs=READING,
)
def lobby(token: str | None, query: dict[str, Any]) -> CompleteResponse:
    """List public games

    The lobby: tables with open seats, and games you may watch. Follow `next_cursor` until it is null. Open tables whose
    host is absent (`host_present`) come after the others, and are left out ten minutes after the host was last seen,
    until the host is back.
    """
    return plain(service().lobby.public(token, **query, words=words()))


@games.operation(
    "GET",
    "/v1/lobby/stream",
    "streamLobby",
    Reply(200, {"type": "string"}, "Server-sent events without an end.", media_type=SSE_TYPE),
    token="optional",
    query=LobbyStreamQuery(),
    headers=("LastChangeID",),
    runs=READING,
)
def lobby_stream(token: str | None, query: dict[str, Any]) -> Response:
    """Follow the lobby live

    Server-sent events without a name: `data` is a `LobbyChange`, `id` its number. The stream begins with the public
    games that are open or running, the newest 1000 of them, as `opened`, without numbers. Then comes an `id` alone: the
    number of the last change so far. After that, you get each change as it happens. A game is `changed` when somebody
    sits down, leaves or is invited, when it starts, when tokens are won, and when the host of an open table comes or
    goes; moves alone are no change. It is `gone` when it ends, and when the host of an open table has been away for ten
    minutes: once the host is back, it is `opened` again.

    Resume with `Last-Event-ID`, which browsers send when they reconnect, or with `after`: you get each change after it
    once and in order. At least the last 1000 changes are kept. If yours is older, the stream begins with the present
    lobby again. Streams need HTTP/1.1.
    """
    _, after = begins_after(query, "detail.last_cursor")
    start = service().lobby_changes.begin(token, after)
    first = OPENING + b"".join(map(change_message, start.changes)) + cursor_message(start.version)
    keeps_open(start, lambda feeds, stream: feeds.lobby.join(LOBBY, stream), change_message, query)
    return event_stream(first)


@games.operation(
    "POST",
    "/v1/games",
    "createGame",
    Reply(201, Game(), "The new game as its creator sees it.", CREATED),
    token="required",
    body=Body(GameSetup(), TABLES, repeats=True),
    refusals=("not_accepted",),
    bucket="creating",
)
def create(token: str, body: dict[str, Any]) -> CompleteResponse:
    """Open a table

    Give the seats in table order: at most one `creator` (none makes a table for others), `open` seats for anybody,
    bots, and seats for a player who is `invited` by id. The game starts by itself as soon as every seat is taken. A
    `clock` limits the time for each decision, or gives each seat a bank for the whole game. Without a clock nobody has
    to hurry.

    A `sandbox` is for tests: you choose its decks, or positions in which its rounds begin. Its creator may sit on
    several seats, and sees everything with `as=all`.
    """
    _count_invitations(token, sum(seat["kind"] == "invited" for seat in body["seats"]))
    return opened(service().tables.create(token, body, idempotency_key(request), address=address(), words=words()))


@games.operation(
    "GET",
    "/v1/games/<id:game_id>",
    "getGame",
    Reply(200, Game(), "The game as the caller sees it.", SEEN),
    Reply(304, None, "Nothing has changed since the view that `If-None-Match` names.", ("ETag",)),
    token="optional",
    query=ViewQuery(),
    refusals=("join_code_wrong", "removed", "not_found", "game_not_finished", "archive_unavailable"),
    runs=reading_with("at"),
)
def view(game_id: str, token: str | None, query: dict[str, Any]) -> CompleteResponse:
    """Look at a game

    As your seat sees it, or as a watcher does: hidden cards are null. `legal_actions` has everything you may do now.
    Once a game has ended you may see it as any seat saw it (`as=0`) or whole (`as=all`). With `at` you get the view
    that you would have got at that version, with the seat that you had then. Only names are those of today. `next_game`
    is null, as it was then.
    """
    return encoded(
        service().games.view(
            token,
            game_id,
            at=query.get("at"),
            as_=query.get("as_", query.get("seat")),
            join_code=query.get("join_code"),
            known=if_none_match(request),
            words=words(),
        )
    )


@games.operation(
    "DELETE",
    "/v1/games/<id:game_id>",
    "abortGame",
    Reply(200, Game(), "The aborted game.", CHANGED),
    token="required",
    refusals=("not_creator", "not_found", "illegal_action", "game_over"),
)
def abort(game_id: str, token: str) -> CompleteResponse:
    """Abort a game

    Only the creator may, and only before the game has started. Afterwards they can leave it.
    """
    return encoded(service().tables.abort(token, game_id, idempotency_key(request), words=words()))


@games.operation(
    "POST",
    "/v1/games/<id:game_id>/seats",
    "takeSeat",
    Reply(201, Game(), "The game as the caller sees it now.", CHANGED),
    token="required",
    refusals=(
        "not_creator",
        "join_code_wrong",
        "not_accepted",
        "removed",
        "not_found",
        "game_over",
        "game_full",
        "player_at_table",
    ),
    body=Body(
        SeatClaim(),
        {
            "any_seat": {},
            "with_a_code": {"seat": 1, "join_code": "K7QX2M4P"},
            "a_bot": {"bot": "random"},
            "an_invitation": {"seat": 1, "player": "p0123456789abcdef0123"},
        },
        required=False,
        repeats=True,
    ),
    bucket="joining",
)
def take_seat(game_id: str, token: str, body: dict[str, Any]) -> CompleteResponse:
    """Take a seat

    You get the seat you ask for, the one reserved for you, or the first open one. Taking a seat again gives the same
    answer. While a bot stands in for you (`away`) it gives you the seat back, unless your bank has run out for good
    (`bank_ms` is 0).

    The creator fills a seat with a bot by naming one, or invites a player by id. The seat is then reserved until the
    player accepts, by taking it, or declines, or the creator withdraws the invitation. Withdraw it before you give the
    seat to a bot or to somebody else. Notices tell the player of the invitation, and the creator of the answer.
    """
    _count_invitations(token, int("player" in body))
    answer = service().tables.take_seat(token, game_id, body, idempotency_key(request), words=words())
    return encoded(answer, 201)


@games.operation(
    "POST",
    "/v1/join",
    "joinByCode",
    Reply(201, Game(), "The game as the caller sees it now.", CHANGED),
    token="required",
    refusals=("not_accepted", "removed", "not_found", "game_over", "game_full", "damaged"),
    body=Body(CodeClaim(), {"a_code": {"code": "K7QX2M4P"}}),
    bucket="joining",
)
def join(token: str, body: dict[str, Any]) -> CompleteResponse:
    """Take a seat by the join code alone

    You get the seat reserved for you, or the first open one, at the unlisted table with this code. The answer is that
    of taking a seat. Wrong codes are limited by address, as they are for one game.
    """
    return encoded(service().tables.join(token, body, idempotency_key(request), words=words()), 201)


@games.operation(
    "POST",
    "/v1/games/<id:game_id>/nonce",
    "revealNonce",
    Reply(200, Game(), "The game as the caller sees it now.", CHANGED),
    token="required",
    refusals=("not_seated", "not_found", "nonce_mismatch", "illegal_action", "game_over"),
    body=Body(NonceReveal(), {"a_nonce": {"nonce": "6f1c0d5e9a3b47828e5d1f6a90c3b7e4"}}),
)
def reveal_nonce(game_id: str, token: str, body: dict[str, Any]) -> CompleteResponse:
    """Reveal a nonce

    For players who sent a `nonce_hash` when they took their seat. Call it as soon as the view has a `reveal`, your feed
    a `reveal_nonce`, or the game an event `reveal_started`. Every seat is taken then, so nobody can choose a nonce that
    depends on yours. Before that, the call is refused. The game starts with the last nonce, or 15 seconds after the
    last seat was taken without those that are missing; `game_started` names their seats. Sending the same nonce again
    returns the game as it is.
    """
    key = idempotency_key(request)
    return encoded(service().tables.reveal(token, game_id, body["nonce"], key, words=words()))


@games.operation(
    "DELETE",
    "/v1/games/<id:game_id>/seats/me",
    "leaveGame",
    Reply(200, Game(), "The game as the caller sees it now.", CHANGED),
    token="required",
    query=LeaveQuery(),
    refusals=("not_seated", "not_found", "illegal_action", "game_over"),
)
def leave(game_id: str, token: str, query: dict[str, Any]) -> CompleteResponse:
    """Leave, resign or decline

    Before the start your seat becomes open again. Afterwards your seat leaves the game for good and the others play on.
    If you are invited you decline, with a `reason` if you like, and the seat becomes open to all. If you have several
    seats of a sandbox, name the `seat`: without it the call is refused.

    While nonces are being revealed, for at most 15 seconds, nobody can leave: 409 `illegal_action` with the reason
    `reveal_in_progress` and `Retry-After`.
    """
    key = idempotency_key(request)
    reason, seat = query.get("reason"), query.get("seat")
    return encoded(service().tables.leave(token, game_id, key, reason=reason, from_seat=seat, words=words()))


@games.operation(
    "POST",
    "/v1/games/<id:game_id>/break",
    "takeBreak",
    Reply(201, Game(), "The game as the caller sees it now.", CHANGED),
    token="required",
    body=Body(BreakSetup(), {"a_weekend": {"days": 2}}),
    refusals=("not_seated", "not_found", "game_not_started", "game_over", "no_breaks"),
)
def take_break(game_id: str, token: str, body: dict[str, Any]) -> CompleteResponse:
    """Take days off

    For games by the day: those whose clock gives a seat a day or more. Your clock stands still for so many whole days
    from now on, also if it is not your turn. Another call adds further days. The break ends as soon as you act, and
    the days not begun come back.

    You have the `break_days` of the clock in each calendar year (UTC) and game, rated or not. If there are none, or not
    enough left, the answer is 409 `no_breaks`.
    """
    return encoded(
        service().tables.take_break(token, game_id, body["days"], idempotency_key(request), words=words()), 201
    )


@games.operation(
    "DELETE",
    "/v1/games/<id:game_id>/seats/<int:seat>",
    "clearSeat",
    Reply(200, Game(), "The game as the caller sees it now.", CHANGED),
    token="required",
    query=ClearQuery(),
    refusals=("not_creator", "not_found", "illegal_action", "game_over"),
    bucket="joining",
)
def clear_seat(game_id: str, token: str, seat: int, query: dict[str, Any]) -> CompleteResponse:
    """Clear a seat

    Only the creator of the table may, and only before the start: afterwards the answer is 409 `illegal_action`. Whoever
    sits there is removed, a bot too; an invitation is withdrawn. Anybody else can take the seat then. A player who is
    removed gets the notice `removed`, and cannot sit down at this table again (403 `removed`) unless you invite them.
    If nobody sits there and nobody is invited, nothing changes.

    Name the `player` whom you see there, or the one who is `invited`. If the seat has changed hands meanwhile, or the
    invitation was accepted, nobody is sent away: 409 `illegal_action` with the reason `seat_changed`.

    While nonces are being revealed, nobody can be removed: 409 `illegal_action` with the reason `reveal_in_progress`
    and `Retry-After`.
    """
    key, expected = idempotency_key(request), Occupant(**query)
    return encoded(service().tables.clear_seat(token, game_id, seat, key, expected=expected, words=words()))


@games.operation(
    "POST",
    "/v1/games/<id:game_id>/rematch",
    "createRematch",
    Reply(201, Game(), "The new game.", CREATED),
    token="required",
    refusals=("not_seated", "not_accepted", "not_found", "game_not_finished", "archive_unavailable"),
    body=Body(
        RematchClaim(), {"again": {}, "with_a_nonce": {"nonce": "6f1c0d5e9a3b47828e5d1f6a90c3b7e4"}}, required=False
    ),
    bucket="creating",
)
def rematch(game_id: str, token: str, body: dict[str, Any]) -> CompleteResponse:
    """Play again

    Opens the same table once more after a game: one new game, however often and by whomever this is called. The two
    games name each other as `previous_game` and `next_game`.

    The first caller must have had a seat to the end, or have opened the table. They open the new table and sit where
    they sat; so do the service's own bots. The others are invited to their seats and get a notice. They accept by
    calling this too or by taking the seat, or decline. The seat of a player who is erased by now is open to anybody.
    The new game starts when all have accepted. The rematch of a sandbox has the same creator, who may see all its
    cards, even if a guest calls first.

    If you sit down by this call you may contribute to the shuffle, as when taking a seat. The deal of a fork is given.
    """
    key = idempotency_key(request)
    return opened(service().tables.rematch(token, game_id, key, body, address=address(), words=words()))


@games.operation(
    "POST",
    "/v1/games/<id:game_id>/fork",
    "forkGame",
    Reply(201, Game(), "The fork as the caller sees it.", CREATED),
    token="required",
    refusals=(
        "join_code_wrong",
        "not_found",
        "game_not_finished",
        "game_not_started",
        "illegal_action",
        "archive_unavailable",
    ),
    body=Body(
        ForkSetup(),
        {
            "own_seat": {"version": 12},
            "another_seat": {"version": 12, "seat": 1, "bots": [{"seat": 0, "bot": "expert"}]},
        },
    ),
    bucket="creating",
    runs=READING,
)
def fork(game_id: str, token: str, body: dict[str, Any]) -> CompleteResponse:
    """Continue from an earlier version

    Opens a new game that continues an ended one from any version. You take the seat that you had there, or another, and
    bots play the rest. All moves up to that version are made again, so the fork has a log of its own, and each seat
    knows what it knew. The versions of the fork differ from those of the ended game, because nobody sits down or runs
    out of time in it again.

    The round continues with the deck that it was dealt from, which anybody can read in the ended game. Later rounds are
    shuffled from a secret of the fork. A fork is `unlisted`, a `sandbox` game, and without a clock. `forked_from` names
    the ended game and the version from which the fork really continues.
    """
    return opened(
        service().tables.fork(token, game_id, body, idempotency_key(request), address=address(), words=words())
    )


def _count_invitations(token: str, count: int) -> None:
    """Counts the players whom a call invites, beside the call itself.

    Raises:
        Refused: `rate_limited`.
    """
    limited = limits()
    for _ in range(count):
        if limited is not None:
            limited.count("inviting", token, request.environ)
