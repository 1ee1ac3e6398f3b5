"""The parameters of queries; bodies are elsewhere."""

from api.schemas.base import MAX_SEAT, Digits, Query, Text, Whole, Word
from api.schemas.vocabulary import EDITION, STATUS

MAX_VERSION = 2**31 - 1


class PageQuery(Query):
    """Which page of a list."""

    limit = Digits("How many items a page has at most; absent: 20.", least=1, most=100)
    cursor = Text("The `next_cursor` of the page before; absent: the first page.", most=200)


class LobbyQuery(PageQuery):
    """Which games of the lobby."""

    status = Word(STATUS, "Only games that stand so; absent: open and active ones.")
    edition = Word(EDITION, "Only games of this edition.")


class ViewQuery(Query):
    """Which view of a game."""

    at = Digits("The version to look back to; absent: the newest.", most=MAX_VERSION)
    as_ = Text(
        "Once the game has ended: `all` for everything, or a seat for what that seat saw.",
        data_key="as",
        validate=[Whole(f"^(all|[0-{MAX_SEAT}])$", error=f"Must be `all` or a seat from 0 to {MAX_SEAT}.")],
    )
    join_code = Text("The code of an unlisted game one does not sit at.", most=64)


class EventQuery(Query):
    """Which events of a game."""

    after = Digits("Only events after this version; absent: from the first.", most=MAX_VERSION)
    limit = Digits("How many events at most; absent: 500.", least=1, most=1000)
    wait = Digits("How many seconds to wait until there is an event; absent: not at all.", most=30)
    join_code = Text("The code of an unlisted game one does not sit at.", most=64)
