"""Probes for secrets: every way to read a game and every refusal that one can provoke, in every language."""

import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

from engine.editions import rulebook
from games.texts.catalogue import LANGUAGES

PATTERNS = [
    (re.compile(rb"20\d\d-\d\d-\d\d[T ]\d\d:\d\d:\d\d[.\d]*(Z|\+00:00)?"), b"<time>"),
    (re.compile(rb'"commitment":"[0-9a-f]{64}"'), b"<commitment>"),
    (re.compile(rb'"ticket":"[^"]+"'), b"<ticket>"),
    (re.compile(rb'"join_code":"[A-Z2-7]{8}"'), b"<join code>"),
]
"""What differs between two games whatever lies in them."""


class Question(NamedTuple):
    """One call; `{game}` in its path stands for the game."""

    method: str
    path: str
    options: Mapping[str, Any] = MappingProxyType({})


def everything(edition: str, seats: int, last: int, seated: bool) -> list[Question]:
    """Returns what can be asked about a running game at its version `last`.

    It changes nothing for one whose turn it is not and who does not leave.
    """
    return [*reading(edition, seats, last, seated), *acting(edition, seats, last, seated), *sitting()]


def reading(edition: str, seats: int, last: int, seated: bool) -> list[Question]:
    """Returns every way to read a game, and every way to be refused it."""
    queries = ["", "?at=1", f"?at={last}", f"?at={last + 1}", "?as=all", "?as=0", "?as=1&at=2", "?as=9", "?join_code=X"]
    events = ["", "?after=0&text=true", f"?after={last - 1}&limit=1&text=true", f"?after={last + 5}", "?wait=-1"]
    streams = ["", "?reactions=true", "?text=true", "?after=0&text=true", f"?after={last + 5}", "?ticket=made-up"]
    replays = ["?as=0&text=true", "?as=1&text=true", "?as=all", f"?at={last - 1}", f"?at={last + 1}", "?as=9"]
    frames = ["", "?text=true", f"?after={last - 1}&limit=1&text=true&lang=de", f"?after={last + 5}"]
    frames += ["?as=0&text=true", "?as=1&text=true", "?as=all", "?as=9"]
    game = "/v1/games/{game}"
    tags = [f'"{last}-watcher-en"', f'"{last}-seat1-en"', "*", f'"{last - 1}-watcher-en"']
    return [
        *(Question("GET", game + query) for query in queries),
        *(Question("GET", f"{game}/events{query}") for query in events),
        *(Question("GET", f"{game}/events/stream{query}") for query in streams),
        *(Question("GET", f"{game}/events{query}") for query in replays),
        *(Question("GET", f"{game}/frames{query}") for query in frames),
        *(Question("GET", f"{game}/frames/stream{query}") for query in [*frames[:1], *frames[3:], *streams]),
        Question("GET", f"{game}/rounds"),
        Question("GET", f"{game}/rounds?join_code=X"),
        *(
            Question("GET", f"{game}/deductions{query}")
            for query in ["", "?as=0", "?as=1", "?as=all", f"?at={last - 1}"]
        ),
        Question("GET", f"{game}/hint"),
        Question("GET", f"{game}/review"),
        Question("POST", f"{game}/break", {"json": {"days": 1}}),
        *(Question("GET", game, {"headers": {"If-None-Match": tag}}) for tag in tags),
        Question("GET", f"{game}/events/stream", {"headers": {"Last-Event-ID": str(last - 1)}}),
        Question("HEAD", game),
        Question("HEAD", f"{game}/events"),
        Question("OPTIONS", game),
        Question("PUT", game),
        Question("GET", f"{game}/log"),
        Question("GET", "/v1/games?status=active"),
        Question("GET", "/v1/leaderboards"),
        Question("GET", "/v1/results"),
        Question("GET", "/v1/results/stream?after=0"),
        Question("GET", "/v1/players/me"),
        Question("GET", "/v1/players/me/games"),
        Question("GET", "/v1/players/me/events"),
        Question("GET", "/v1/players/me/events?after=0"),
        Question("GET", "/v1/players/me/events?after=99999"),
    ]


def acting(edition: str, seats: int, last: int, seated: bool) -> list[Question]:
    """Returns every kind of action and every way to send one wrongly; from a seat, with every card."""
    path = "/v1/games/{game}/actions"
    book = rulebook(edition, seats, {})
    cards = list(book.cards) if seated else list(book.cards)[:3]
    guess = {"guess": cards[-1]} if edition in ("standard", "classic") else {"guess_value": 5}
    sane, insane = ({}, {}) if edition != "lovecraft" else ({"face": "sane"}, {"face": "insane"})
    wordings = [([], sane), ([1], insane), ([1], guess | sane), *([([1], guess | insane)] if insane else [])]
    plays = [
        {"type": "play_card", "card": card, "targets": targets, **more} for card in cards for targets, more in wordings
    ]
    answers = [
        {"type": "keep_card", "keep": cards[0], "bottom": [cards[1], cards[2]]},
        {"type": "redraw_hand", "redraw": True},
        {"type": "peek_hand", "seat": 1},
        {"type": "give_hands", "hands": [{"seat": 1, "card": cards[0]}]},
    ]
    some = plays[0]
    keyed = {"Idempotency-Key": "the same"}
    return [
        *(Question("POST", path, {"json": action}) for action in [*plays, *answers]),
        *(Question("POST", f"{path}?text=true", {"json": some, "headers": keyed}) for _ in range(2)),
        Question("POST", path, {"json": answers[1], "headers": keyed}),
        Question("POST", path, {"json": some, "headers": {"If-Match": f'"{last - 1}-seat0-en"'}}),
        Question("POST", path, {"json": some, "headers": {"If-Match": f'"{last}-seat0-en"'}}),
        Question("POST", path, {"json": {**some, "card": "joker"}}),
        Question("POST", path, {"json": {**some, "deck": []}}),
        Question("POST", path, {"data": b"{", "content_type": "application/json"}),
        Question("POST", path, {"data": b"{}", "content_type": "text/html"}),
        Question("POST", path, {"data": b"[" * 99, "content_type": "application/json"}),
    ]


def sitting() -> list[Question]:
    """Returns what changes seats and tables, as far as it is refused once the first action is done."""
    game = "/v1/games/{game}"
    claims = [{}, {"seat": 1}, {"seat": 7}, {"bot": "random"}, {"join_code": "X"}, {"player": "nobody"}]
    return [
        *(Question("POST", f"{game}/seats", {"json": claim}) for claim in claims),
        Question("DELETE", f"{game}/seats/me"),
        Question("DELETE", f"{game}/seats/1"),
        Question("POST", f"{game}/tickets"),
        Question("POST", f"{game}/rematch"),
        Question("DELETE", game),
        Question("POST", f"{game}/fork", {"json": {"version": 2}}),
    ]


class Probe:
    """One who asks, as a player at a seat, as one from beside the table, or as nobody."""

    def __init__(self, name: str, app: Any, game: str, token: str | None, seat: int | None = None) -> None:
        self.name = name
        self.seat = seat
        self._client = app.test_client()
        self._notifier = app.extensions["billet.service"].notifier
        self._game = game
        self._bearer = {"Authorization": f"Bearer {token}"} if token else {}

    def read(self, questions: list[Question], languages: Sequence[str] = LANGUAGES) -> dict[str, bytes]:
        """Asks in each language and returns all of every answer, its headers too, by what was asked."""
        self._notifier.settle()
        found = {}
        for language in languages:
            for number, question in enumerate(questions):
                answer = self.ask(question, language)
                headers = sorted(answer.headers.to_wsgi_list())
                asked = f"{self.name}, {language}, {number}: {question}"
                found[asked] = repr((answer.status_code, headers)).encode() + answer.data
        return found

    def ask(self, question: Question, language: str = "en") -> Any:
        """Returns an answer."""
        options = dict(question.options)
        headers = {"Accept-Language": language, **self._bearer, **options.pop("headers", {})}
        path = question.path.replace("{game}", self._game)
        return self._client.open(path, method=question.method, headers=headers, **options)


def stripped(said: bytes, names: dict[str, str]) -> bytes:
    """Returns what was said without what differs from game to game; `names` has what to put for ids."""
    for pattern, name in PATTERNS:
        said = pattern.sub(name, said)
    for one, name in names.items():
        said = said.replace(one.encode(), name.encode())
    return said
