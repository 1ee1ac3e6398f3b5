"""The parameters of queries."""

from typing import Any

from api.schemas.fields.base import MAX_SEAT, MAX_VERSION, Digits, Query, Switch, Text, Word, player_id
from api.schemas.fields.checks import FullMatch
from api.schemas.fields.vocabulary import DECLINE, EDITION, LANGUAGE, MATCH_STATE, OUTCOME, STATUS, UNTIL
from games.messages import Message
from games.names import LONGEST_NAME
from games.views.page_limits import (
    LONGEST_WAIT_SECONDS,
    MOST_EVENTS,
    MOST_FRAMES,
    MOST_GAMES,
    MOST_NOTICES,
    MOST_PLAYERS,
    MOST_RANKED,
    MOST_RESULTS,
    MOST_ROUNDS,
)
from games.views.viewpoints import AS_ALL

MAX_CURSOR = 10**15


class ViewerField(Text):
    """As whom a game is looked at: `all`, or the number of a seat."""

    def __init__(self, description: str, **options: Any) -> None:
        message = Message("fault.all_or_seat", {"last": MAX_SEAT})
        super().__init__(description, validate=[FullMatch(f"^({AS_ALL}|[0-{MAX_SEAT}])$", message)], **options)

    def deserialize(self, *args: Any, **options: Any) -> Any:
        """Returns the word or the seat."""
        read = super().deserialize(*args, **options)
        return int(read) if isinstance(read, str) and read.isdigit() else read


def seat_digits(description: str) -> Digits:
    """Returns a field for a seat in a query."""
    return Digits(description, most=MAX_SEAT)


AS_SEEN = ViewerField(
    "Once the game has ended, and at any time if you have opened a sandbox: `all` for everything, or a seat for what "
    "that seat saw.",
    data_key="as",
)
"""What several queries take: marshmallow gives each schema a copy of a field."""
LOOKING_SEAT = seat_digits("Which of your seats looks, if you have several; absent: the first.")
JOIN_CODE = Text("The join code of an unlisted game where you have no seat.", most=64)
UNTIL_TURN = Word(
    UNTIL,
    "`turn`: wait until you must act or the game has ended, whatever happens before; absent: until something happens. "
    "Without `wait` it changes nothing.",
)
WITH_TEXT = Switch("Whether each event comes with its `text`; absent: it does not.")
TICKET = Text("A ticket in place of the token.", most=64)
ALIVE = Switch(
    "Whether an idle stream gets an event `alive`, 16 seconds after the last one at the latest; absent: it gets "
    "comments, which `EventSource` does not show."
)

REACTIONS = Switch(
    "Whether the stream tells reactions, as events `reaction` without an id, and goes on for ten minutes after the end "
    "of the game for them; absent: it does not."
)


class PageQuery(Query):
    """Which page of a list."""

    limit = Digits(
        f"How many items a page has at most, 1 to {MOST_GAMES}; absent: {MOST_GAMES}.", least=1, most=MOST_GAMES
    )
    cursor = Text("The `next_cursor` of the page before; absent: the first page.", most=200)


class LobbyQuery(PageQuery):
    """Which games of the lobby."""

    status = Word(STATUS, "Only games with this status; absent: all, first those you can join.")
    edition = Word(EDITION, "Only games of this edition.")


class PlayersQuery(PageQuery):
    """Which players."""

    name = Text("How their names begin, in upper or lower case; absent: all players.", most=LONGEST_NAME)


class LobbyStreamQuery(Query):
    """Where to begin following the lobby."""

    of_stream = True

    after = Digits(
        "Only changes after this number, unless `Last-Event-ID` names another; absent: first the present lobby.",
        most=MAX_CURSOR,
    )
    alive = ALIVE


class ViewQuery(Query):
    """Which view of a game."""

    at = Digits(
        "The version to look back to: the game as it was then, without its rematch; absent: the newest.",
        least=1,
        most=MAX_VERSION,
    )
    as_ = AS_SEEN
    seat = LOOKING_SEAT
    join_code = JOIN_CODE


class HintQuery(Query):
    """For which seat a hint is."""

    seat = LOOKING_SEAT


class CodeQuery(Query):
    """What lets you look at a game."""

    join_code = JOIN_CODE


class ReviewQuery(CodeQuery):
    """Which review, and whether to have it made."""

    begin = Switch("Whether to begin the review if there is none; absent: yes.")


class RoundsQuery(CodeQuery):
    """Which rounds of a game."""

    limit = Digits(
        f"How many rounds a page has at most, 1 to {MOST_ROUNDS}; absent: {MOST_ROUNDS}.", least=1, most=MOST_ROUNDS
    )
    cursor = Text("The `next_cursor` of the page before; absent: the first page.", most=200)


class EventQuery(Query):
    """Which events of a game."""

    after = Digits("Only events after this version; absent: from the first.", most=MAX_VERSION)
    limit = Digits(f"How many events at most, 1 to {MOST_EVENTS}; absent: {MOST_EVENTS}.", least=1, most=MOST_EVENTS)
    wait = Digits(
        f"How many seconds to wait until there is an event, at most {LONGEST_WAIT_SECONDS}; absent: not at all. The "
        "answer may come without events before the time is up.",
        most=LONGEST_WAIT_SECONDS,
    )
    until = UNTIL_TURN
    at = Digits("Only events up to this version; absent: to the newest.", least=1, most=MAX_VERSION)
    as_ = AS_SEEN
    seat = LOOKING_SEAT
    join_code = JOIN_CODE
    text = WITH_TEXT


class StreamQuery(Query):
    """Where to begin following a game."""

    of_stream = True

    after = Digits(
        "Only events after this version and no view, unless `Last-Event-ID` names another; absent: the view first.",
        most=MAX_VERSION,
    )
    as_ = ViewerField(
        "Once the game has ended, and at any time if you have opened a sandbox: `all` for everything, or a seat for "
        "what that seat sees.",
        data_key="as",
    )
    seat = LOOKING_SEAT
    join_code = JOIN_CODE
    text = WITH_TEXT
    ticket = TICKET
    alive = ALIVE
    reactions = REACTIONS


class FramesQuery(Query):
    """How frames are shown, and to whom."""

    as_ = AS_SEEN
    seat = LOOKING_SEAT
    join_code = JOIN_CODE
    text = WITH_TEXT
    lang = Word(LANGUAGE, "The language, if you cannot send `Accept-Language`; absent: as that header says.")


class FrameQuery(FramesQuery):
    """Which frames of a game."""

    after = Digits("Only frames after this version; absent: from the first.", most=MAX_VERSION)
    limit = Digits(f"How many frames at most, 1 to {MOST_FRAMES}; absent: {MOST_FRAMES}.", least=1, most=MOST_FRAMES)
    wait = Digits(
        f"How many seconds to wait until there is a frame, at most {LONGEST_WAIT_SECONDS}; absent: not at all. The "
        "answer may come without frames before the time is up.",
        most=LONGEST_WAIT_SECONDS,
    )
    until = UNTIL_TURN


class FrameStreamQuery(FramesQuery):
    """Where to begin following the frames of a game."""

    of_stream = True

    after = Digits(
        "Only frames after this version, unless `Last-Event-ID` names another; absent: first the game as it is.",
        most=MAX_VERSION,
    )
    ticket = TICKET
    alive = ALIVE
    reactions = REACTIONS


class NoticeStreamQuery(Query):
    """Where to begin following your notices."""

    of_stream = True

    after = Digits(
        "Only notices after this cursor, unless `Last-Event-ID` names another; absent: first what is open now.",
        most=MAX_CURSOR,
    )
    ticket = TICKET
    alive = ALIVE


class NoticeQuery(Query):
    """Which notices of a player."""

    after = Digits("Only notices after this cursor; absent: what is open now, the most urgent first.", most=MAX_CURSOR)
    limit = Digits(
        f"How many notices at most, 1 to {MOST_NOTICES}; absent: {MOST_NOTICES}, and all without `after`.",
        least=1,
        most=MOST_NOTICES,
    )
    wait = Digits(
        f"With `after`: how many seconds to wait until there is a notice, at most {LONGEST_WAIT_SECONDS}; absent: not "
        "at all. The answer may come without notices before the time is up.",
        most=LONGEST_WAIT_SECONDS,
    )


class ResultQuery(Query):
    """Which results of games."""

    after = Digits("Only results after this cursor; absent: from the first.", most=MAX_CURSOR)
    limit = Digits(
        f"How many results at most, 1 to {MOST_RESULTS}; absent: {MOST_RESULTS}.", least=1, most=MOST_RESULTS
    )
    wait = Digits(
        f"How many seconds to wait until there is a result, at most {LONGEST_WAIT_SECONDS}; absent: not at all. The "
        "answer may come without results before the time is up.",
        most=LONGEST_WAIT_SECONDS,
    )


class ResultStreamQuery(Query):
    """Where to begin following the results."""

    of_stream = True

    after = Digits(
        "Only results after this cursor, unless `Last-Event-ID` names another; absent: only those to come.",
        most=MAX_CURSOR,
    )
    alive = ALIVE


class QueueQuery(Query):
    """How long to wait for opponents."""

    wait = Digits(
        f"How many seconds to wait until the ticket no longer waits, at most {LONGEST_WAIT_SECONDS}; absent: not at "
        "all. The answer may come before the time is up.",
        most=LONGEST_WAIT_SECONDS,
    )


class SearchQuery(Query):
    """Which players, by name."""

    name = Text("How their names begin, in upper or lower case; absent: all players.", most=LONGEST_NAME)
    limit = Digits(
        f"How many a page has at most, 1 to {MOST_PLAYERS}; absent: {MOST_PLAYERS}.", least=1, most=MOST_PLAYERS
    )
    cursor = Text("The `next_cursor` of the page before; absent: the first page.", most=2000)


class ProgramQuery(Query):
    """Which programs."""

    limit = Digits(
        f"How many a page has at most, 1 to {MOST_PLAYERS}; absent: {MOST_PLAYERS}.", least=1, most=MOST_PLAYERS
    )
    cursor = Text("The `next_cursor` of the page before; absent: the first page.", most=200)
    edition = Word(EDITION, "Only those that play this edition.")
    seats = Digits("Only those that play with so many seats.", least=2, most=MAX_SEAT + 1)
    online = Switch("Whether to list only those that were seen within the last five minutes; absent: all.")


class MatchQuery(Query):
    """Which matches."""

    limit = Digits(f"How many a page has at most, 1 to {MOST_GAMES}; absent: {MOST_GAMES}.", least=1, most=MOST_GAMES)
    cursor = Text("The `next_cursor` of the page before; absent: the first page.", most=200)
    state = Word(MATCH_STATE, "Only those that stand there.")
    player = player_id("Only those that this player has made or is to play.")


class PoolQuery(Query):
    """Which ratings of a player."""

    pool = Text("Only in the pool with this id; absent: in all.", most=64)


class PlayerGamesQuery(PageQuery):
    """Which games of a player."""

    against = player_id("Only games in which the player with this id, or the bot, played too.")
    edition = Word(EDITION, "Only games of this edition.")
    result = Word(OUTCOME, "Only games of which this came for the player.")


class LeaderboardQuery(Query):
    """Which part of a leaderboard."""

    limit = Digits(
        f"How many players a page has at most, 1 to {MOST_RANKED}; absent: {MOST_RANKED}.", least=1, most=MOST_RANKED
    )
    cursor = Text("The `next_cursor` or `previous_cursor` of another page; absent: from the top.", most=200)
    around = player_id(
        "The id of a player, or `me` with your token: the page with that player in the middle, if there is no `cursor`."
    )


class LeaveQuery(Query):
    """How you leave a seat."""

    reason = Word(DECLINE, "Why you decline an invitation; absent: `generic`. Ignored if you have a seat.")
    seat = seat_digits("Which of your seats you leave; required if you have several.")


class ClearQuery(Query):
    """Whom you mean to send away."""

    player = player_id("Clear the seat only if this player sits there.")
    invited = player_id("Clear the seat only if it is kept for this player, who has not accepted yet.")


class DeclineQuery(Query):
    """Which invitations you decline, and why."""

    from_ = player_id("Only invitations by the player with this id; absent: all.", data_key="from")
    reason = Word(DECLINE, "Why; absent: `generic`.")


class ActionQuery(Query):
    """Which seat acts, and what the answer includes."""

    seat = seat_digits("Which of your seats acts, if you have several; absent: the one that must act.")
    text = Switch("Whether each event of the answer comes with its `text`; absent: it does not.")
