"""Generates the parts of the documentation that come from the code: `python -m tools.docs.generate` (`make docs`).

`events.md`, `errors.md`, the reference cards, `moments.md`, `examples/moments.json` and `web/words/story.js` are made
whole; in other pages, and in `openapi/README.md`, everything between a line `<!-- made: NAME -->` and the next
`<!-- end -->` is made anew. A test compares the pages with what would be made now.
"""

import dataclasses
import inspect
import itertools
import json
import re
import types
import typing
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from textwrap import wrap
from typing import Any

import pyarrow as pa

from billet.dataset.columns import GROUPS
from billet.dataset.table import SCHEMA
from billet_env.features import FEATURES
from billet_env.numbering import Numbering
from billet_env.observation import ObservationLayout
from engine.audience import Audience, audience_of, doc_of
from engine.cards import Card
from engine.editions import EDITIONS, rulebook
from engine.events import EVENTS, CardDrawn, Event
from engine.logs import codec
from engine.rulebook import Rulebook
from engine.rules import RULES_VERSION
from engine.views import WATCHER, redact
from games.bots import offered as bots
from games.records import schema as portable_schema
from games.texts.catalogue import LANGUAGES
from service.settings import Settings, bounds_of
from tools.docs import card_tables, errors_page, moments_page, reference_cards, shuffle_vectors, story
from tools.sdk.clients import CLIENTS, PUBLISHED, Client

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
VERIFIER = ROOT / "web" / "verify" / "verify.mjs"
PART = re.compile(r"(?<=<!-- made: )(\w+)( -->\n).*?(?=<!-- end -->)", re.DOTALL)
PLAIN = {str: "string", int: "integer", bool: "boolean"}
TableRow = list[str]


def makers() -> dict[Path, Callable[[], str]]:
    """Returns every page that is made wholly or in part, with what makes it as it should be now."""
    made: dict[Path, Callable[[], str]] = {
        DOCS / "events.md": events_page,
        DOCS / "errors.md": errors_page.page,
        DOCS / "log.schema.json": _log_schema,
        **{DOCS / f"cards.{language}.md": partial(reference_cards.page, language) for language in LANGUAGES},
        DOCS / "moments.md": moments_page.page,
        ROOT / "examples" / "moments.json": moments_page.file,
        ROOT / "web" / "words" / "story.js": story.file,
        VERIFIER: _verifier,
    }
    made[DOCS / "scoresheets.md"] = _scoresheets
    for path in (*sorted(DOCS.glob("*.md")), ROOT / "openapi" / "README.md"):
        if path not in made and PART.search(path.read_text(encoding="utf-8")):
            made[path] = partial(_page_with_parts, path)
    return made


def _log_schema() -> str:
    return json.dumps(portable_schema.schema(), indent=2) + "\n"


def _scoresheets() -> str:
    """Returns the page with an example by the present rules, so that it can be read."""
    text = (DOCS / "scoresheets.md").read_text(encoding="utf-8")
    return re.sub(r"^    rules \d+$", f"    rules {RULES_VERSION}", text, flags=re.MULTILINE)


def _page_with_parts(path: Path) -> str:
    return PART.sub(_part, path.read_text(encoding="utf-8"))


def _verifier() -> str:
    return re.sub(
        r"(?<=// made: decks)([^\n]*\n).*?(?=// end\n)",
        lambda match: f"{match[1]}{decks_of_verifier()}\n",
        VERIFIER.read_text(encoding="utf-8"),
        flags=re.DOTALL,
    )


def write() -> None:
    """Writes every page that is made wholly or in part."""
    for path, make in makers().items():
        path.write_text(make(), encoding="utf-8")


def _part(match: "re.Match[str]") -> str:
    return f"{match[1]}{match[2]}\n{PARTS[match[1]]()}\n\n"


def table(head: TableRow, rows: list[TableRow]) -> str:
    """Returns a table in Markdown."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


# --- events ---


def events_page() -> str:
    """Returns the reference of all events."""
    names = ", ".join(f"[`{name}`](#{name})" for name in EVENTS)
    sections = "\n\n".join(_event(name, kind) for name, kind in EVENTS.items())
    return f"{EVENTS_HEAD}\n{names}\n\n{_example()}\n\n{sections}\n"


EVENTS_HEAD = """# Events

<!-- This page is made from engine/events.py by tools/docs/generate.py: change it there and run `make docs`. -->

Follow a game, show what happened, or replay it. A game is a log of events and nothing else: all that a view shows
follows from the log.

- [What an event looks like](#what-an-event-looks-like)
- [Following a game](#following-a-game)
- [Following a game by frames](#following-a-game-by-frames)
- [Replaying a game](#replaying-a-game)
- [The types](#the-types)

## What an event looks like

    {"version": 17, "type": "card_drawn", "at": "2026-01-02T03:04:05.678Z", "data": {...}, "text": null}

- `version` is its place in the log, from 1 without gaps. All viewers see all events under the same numbers. What a
  viewer may not know is null inside. A hidden list keeps its length, with null for each item.
- `type` is one of those [below](#the-types). Later versions of Billet may add types and fields: ignore those you do not
  know. The document has one more, `other`, which is reserved so that generated clients have a place for unknown types.
- `at` is when it happened, in UTC. All events of one action have the same time.
- `text` is a sentence for the viewer, in the language of `Accept-Language`, if you ask for it with `text=true`; else
  null. It is made of what the viewer may see, so two viewers may read different sentences. The viewer's own seat is
  addressed ("You draw the Guard"), also in replays `as` that seat; watchers, and `as=all`, get names.
- `data` holds the fields. *Who sees it* names seats; a viewer without a seat sees what everybody sees. Events stay
  redacted after the end, unless you [ask for more](#replaying-a-game).

A seat is its number at the table, from 0. A card is its id, as in `GET /v1/editions/{edition}`. Copies of a card are
never told apart.

To track a hand that is not yours: when a card leaves it face up, remove that card if you know it is there, else an
unknown one. When a card leaves it face down (`cards_returned`), all cards left in it become unknown.

## Following a game

Remember the version of the last event you have handled, and continue after it. All ways to follow a game give the
same events with the same versions. So you miss nothing and get nothing twice, whatever happened in between: a
restart, a lost connection, another way of following.

| way | call | how to continue |
| --- | --- | --- |
| poll | `GET /v1/games/{id}/events?after=17` | `after` is the answer's `version`, until it says `finished` |
| long-poll | the same with `&wait=25`: the answer comes with the first event, or empty when the time is up | the same |
| stream | `GET /v1/games/{id}/events/stream`, server-sent events | `Last-Event-ID: 17`, or `?after=17` |
| lines | `GET /v1/games/{id}/events/ndjson?after=17`, one event per line, up to the latest | as with a poll |

A stream begins with an event `game`: its data is the view, its `id` the view's version. Then each event follows as it
happens: `id` is its version, `event` its type, `data` the event as above. A stream that you resume has no view. A
stream ends with the game. If it ends or breaks before, reconnect after a moment. If you resume after the last event
of an ended game, you get 204. Comments, lines that begin with a colon, keep the connection alive.

    retry: 1000

    id: 17
    event: game
    data: {"id": "k3v7q2m5x4a6b8c9", "version": 17, ...}

    id: 18
    event: card_drawn
    data: {"version": 18, "type": "card_drawn", "at": ..., "data": {...}, "text": null}

A browser's `EventSource` sends `Last-Event-ID` by itself when it reconnects, but cannot send a token. Watchers of
public games need none. If you have a seat, get a ticket first. It is good for one stream within a minute:

    const {ticket} = await (await fetch(`/v1/games/${id}/tickets`, {method: "POST", headers})).json();
    const source = new EventSource(`/v1/games/${id}/events/stream?ticket=${ticket}&after=${version}`);
    source.addEventListener("card_played", (event) => { version = event.lastEventId; show(JSON.parse(event.data)); });
    source.onerror = () => { source.close(); /* reconnect with a new ticket and that version */ };

A stream also ends when you take a seat, or leave one before the start: reconnect, and you see what you may see now.
It ends when its token is replaced: reconnect with the new token and the same version. If your client does not read,
it is disconnected. You may have several streams open, up to a limit (429 with `Retry-After`). Streams need HTTP/1.1,
and no proxy on the way may buffer `text/event-stream`.

## Following a game by frames

If you draw a game, follow frames instead. A **frame** is what an action answers: the events of one *step*, which is all
that one action or timeout caused, and the view after it with your `legal_actions`.

    {"version": 23, "events": [...], "game": {"version": 23, "seats": [...], "legal_actions": [...], ...}}

| way | call |
| --- | --- |
| poll, long-poll | `GET /v1/games/{id}/frames?after=17&wait=25` gives `frames`, `version` and `finished` |
| stream | `GET /v1/games/{id}/frames/stream`: server-sent events without a name, so `onmessage` gets them |
| lines | `GET /v1/games/{id}/frames?after=17` with `Accept: application/x-ndjson` |

- The answer to your action, the frame in a list and the one in a stream are the same bytes, if you ask for the same
  language and `text`. So draw whichever comes first, and skip a frame whose version you have drawn.
- A stream begins with the present frame, without events. If you resume it with `Last-Event-ID` or `after`, you get a
  frame for each step in between instead.
- Use `lang=de` where you cannot send `Accept-Language`.
- All else is as with events: `text`, tickets, join codes, limits, the end of a stream. A stream of frames ends
  *before* the step with which you take or leave a seat. Reconnect after your last version, and you get that step as
  who you are now.

Once a game has ended, its frames are its replay: add `as=0` for what a seat saw, `as=all` for everything. All frames
of a list are as the caller sees the game now, those from before they took their seat too.

## Replaying a game

You can get everything that was served once again. `GET /v1/games/{id}?at=17` gives the answer that you got while 17
was the newest version, and `.../events?after=12&at=17` the events that were new then: the same bytes, in the same
language. You see what you saw then, as a watcher before you took your seat. `deadline` and banks are those of that
moment. `next_game` is null, because nobody knew of a rematch yet. You can also ask for versions in the middle of an
action. After an upgrade of the service, texts and `legal_actions` are those of the new release; cards and events stay
as they are stored.

Once a game has ended, everybody who may see it can read its view, events and lines as any seat with `as=0`, or
completely with `as=all`. Before that, `as` takes only your own seat; others get 409 `game_not_finished`.

`GET /v1/games/{id}/rounds` lists the versions at which rounds and turns begin, for everybody and at any time. Turns,
and most rounds, begin in the middle of an action. So each turn also has its `act_version`, at which its seat has
drawn and can act. Use it with `at` to step through the game, and with a fork to continue from that turn. It is null
if the seat could never act, as when it is knocked out before its action or finds no card left.

## The types
"""


def _example() -> str:
    drawn = CardDrawn(1, "baron", "deck")
    lines = [
        f"    {who:<11} {codec.event_data(redact(drawn, viewer))}"
        for who, viewer in (("seat 1", 1), ("seat 0", 0), ("a watcher", WATCHER))
    ]
    shown = "\n".join(lines).replace("'", '"').replace("None", "null")
    return f"The same event for three viewers:\n\n{shown}"


def _event(name: str, kind: type[Event]) -> str:
    fields = dataclasses.fields(kind)  # type: ignore[arg-type]  # every event is a dataclass
    text = f"### {name}\n\n{inspect.cleandoc(kind.__doc__ or '')}"
    if not fields:
        return f"{text} It has no fields."
    rows = [[f"`{f.name}`", _type_text(f.type, f.name), _seen_by(audience_of(f)), _cell(doc_of(f))] for f in fields]
    return f"{text}\n\n{table(['field', 'type', 'who sees it', 'what it is'], rows)}"


def _type_text(kind: Any, name: str) -> str:
    if typing.get_origin(kind) in (typing.Union, types.UnionType):
        members = [member for member in typing.get_args(kind) if member is not type(None)]
        return " or ".join([*(_type_text(member, name) for member in members), "null"])
    if typing.get_origin(kind) is tuple:
        return f"list of {_type_text(typing.get_args(kind)[0], name)}"
    return PLAIN.get(kind, "object")


def _seen_by(audience: Audience) -> str:
    seats = " and ".join(f"`{field}`" for field in audience.seats_in)
    if audience.everybody:
        return "everybody"
    if audience.own_item:
        return f"{seats}; others their own item" if seats else "each seat its own item"
    return seats or "nobody before the end"


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


# --- editions ---


def editions_table() -> str:
    """Returns the editions with their tables."""
    rows = []
    for edition in EDITIONS.values():
        books = [rulebook(edition.id, seats, {}) for seats in edition.seats]
        cards = _by_seats([len(book.deck) for book in books], edition.seats)
        tokens = _by_seats([_tokens(book) for book in books], edition.seats)
        aside = ", ".join(f"{book.seats} seats {book.shown_aside}" for book in books if book.shown_aside)
        seats = f"{edition.seats[0]} to {edition.seats[-1]}"
        rows.append([f"`{edition.id}`", seats, cards, tokens, f"1 face down; {aside} face up"])
    return table(["edition", "seats", "cards", "tokens to win", "set aside"], rows)


def decks_table() -> str:
    """Returns the deck of each edition, in the order in which the shuffle takes it."""
    rows = []
    for edition in EDITIONS.values():
        decks = [", ".join(_copies(edition.cards_for(seats))) for seats in edition.seats]
        for deck, seats in _runs(decks, edition.seats):
            rows.append([f"`{edition.id}`", seats, deck])
    return table(["edition", "seats", "deck before the shuffle, first card first"], rows)


def decks_of_verifier() -> str:
    """Returns the rules' version and the same decks as `verify.mjs` has them: by edition and most seats."""
    lines = [f"const RULES = {RULES_VERSION};", "const DECKS = {"]
    for edition in EDITIONS.values():
        lines.append(f"  {edition.id}: [")
        decks = {_copies_in_words(edition.cards_for(seats)): seats for seats in edition.seats}
        for deck, most in decks.items():
            words = [f'"{line}"' for line in wrap(deck, 100, drop_whitespace=False)]
            lines.append(f"    [{most}, {(chr(10) + '      + ').join(words)}],")
        lines.append("  ],")
    return "\n".join([*lines, "};"])


def _copies_in_words(cards: tuple[Card, ...]) -> str:
    return " ".join(f"{card.key} {card.copies}" for card in cards if card.copies)


def _tokens(book: Rulebook) -> str:
    if book.insane_tokens_to_win:
        return f"{book.tokens_to_win} sane or {book.insane_tokens_to_win} insane"
    return str(book.tokens_to_win)


def _copies(cards: tuple[Card, ...]) -> list[str]:
    return [f"{card.key} x{card.copies}" for card in cards if card.copies]


def _by_seats(values: list[Any], seats: range) -> str:
    """Returns values that may depend on the number of seats: the value alone if they are all the same."""
    if len(set(values)) == 1:
        return str(values[0])
    return ", ".join(f"{count} seats {value}" for value, count in _runs(values, seats))


def _runs(values: list[Any], seats: range) -> list[tuple[Any, str]]:
    """Returns each value with the numbers of seats, one after the other, that it holds for."""
    runs: list[tuple[Any, str]] = []
    for value, run in itertools.groupby(zip(values, seats, strict=True), key=lambda pair: pair[0]):
        counts = [count for _, count in run]
        runs.append((value, str(counts[0]) if len(counts) == 1 else f"{counts[0]} to {counts[-1]}"))
    return runs


# --- operations ---


def settings_table() -> str:
    """Returns the settings with their defaults and bounds."""
    rows = []
    for setting in dataclasses.fields(Settings):
        default = f"`{setting.default}`" if str(setting.default) else "unset"
        about = setting.metadata["doc"] + (f" ({bounds})" if (bounds := bounds_of(setting)) else "")
        rows.append([f"`{setting.metadata['variable']}`", default, _cell(about)])
    return table(["variable", "default", "what it is"], rows)


# --- bots ---


def strengths_table() -> str:
    """Returns how well the service's own bots play."""
    rows = []
    for row in bots.results():
        found = bots.strength(row)
        won = f"{100 * found['won']:.1f} % ({100 * found['least']:.1f} to {100 * found['most']:.1f})"
        thinking = f", {found['think_ms']} ms" if found["think_ms"] else ""
        rows.append(
            [
                f"`{row['bot']}`{thinking}",
                f"`{row['others']}`",
                f"`{row['edition']}`",
                str(row["seats"]),
                str(row["games"]),
                won,
                f"{100 * found['even']:.1f} %",
            ]
        )
    return table(["one", "all others", "edition", "seats", "games", "won (95 % interval)", "even"], rows)


# --- environments for research ---


def environments_table() -> str:
    """Returns how many actions and figures the environments have."""
    rows = []
    for edition in EDITIONS.values():
        for seats in edition.seats:
            book = rulebook(edition.id, seats, {})
            rows.append([f"`{edition.id}`", str(seats), str(len(Numbering(book))), str(ObservationLayout(book).size)])
    return table(["edition", "seats", "actions", "figures"], rows)


def features_table() -> str:
    """Returns the features of an observation in their order."""
    rows = []
    for feature in FEATURES:
        books = [rulebook(edition.id, seats, {}) for edition in EDITIONS.values() for seats in edition.seats]
        known = {book.edition.id: None for book in books if feature in ObservationLayout(book).features}
        where = "all" if len(known) == len(EDITIONS) else ", ".join(f"`{edition}`" for edition in known)
        rows.append([f"`{feature.name}`", " and ".join(feature.axes), where, _cell(feature.meaning)])
    return table(["feature", "a figure for each", "editions", "what it tells"], rows)


# --- the table of decisions ---


def dataset_table() -> str:
    """Returns the columns of the table of decisions in their order, by what they tell of."""
    parts = []
    for group, columns in GROUPS:
        rows = []
        for column in columns:
            field = SCHEMA.field(column.name)
            rows.append([f"`{field.name}`", f"`{_arrow(field.type)}`", _cell(field.metadata[b"meaning"].decode())])
        parts.append(f"### {group[0].upper()}{group[1:]}\n\n{table(['column', 'type', 'what it is'], rows)}")
    return "\n\n".join(parts)


def _arrow(kind: pa.DataType) -> str:
    """Returns a type as Arrow calls it, without the names that Arrow gives to the items of lists."""
    if pa.types.is_list(kind):
        return f"list<{_arrow(kind.value_type)}>"
    return str(kind)


# --- generated clients ---


def clients_table() -> str:
    """Returns the clients that are generated, each with its tool and the tool's options."""
    rows = [
        [f"`{client.name}`", client.language, _tool(client), _options(client), _cell(client.note)] for client in CLIENTS
    ]
    return table(["client", "language", "tool", "options", "what to know"], rows)


def _tool(client: Client) -> str:
    return f"{client.tool.value} `{client.generator}`" if client.generator else client.tool.value


def _options(client: Client) -> str:
    options = [
        f"`{name}={value if isinstance(value, str) else json.dumps(value)}`" for name, value in client.options.items()
    ]
    options += [f"input `{client.document}`"] if client.document != PUBLISHED else []
    return ", ".join(options) or "none"


# --- cards ---


def cards_table(edition: str) -> str:
    """Returns the cards of an edition and what they do by the rules."""
    return table(*card_tables.head_and_rows(edition))


PARTS: Mapping[str, Callable[[], str]] = {
    "editions": editions_table,
    "decks": decks_table,
    **{f"cards_of_{edition}": partial(cards_table, edition) for edition in card_tables.COLUMNS},
    "vectors": shuffle_vectors.block,
    "revealed": shuffle_vectors.revealed_block,
    "settings": settings_table,
    "handling": errors_page.handling,
    "clients": clients_table,
    "strengths": strengths_table,
    "environments": environments_table,
    "features": features_table,
    "dataset": dataset_table,
}


if __name__ == "__main__":
    write()
