"""Makes tables of pages in docs/ from the code: editions, settings, bots, environments, the dataset, clients."""

import dataclasses
import itertools
import json
from typing import Any

import pyarrow as pa

from billet.dataset.columns import GROUPS
from billet.dataset.table import SCHEMA
from billet_env.features import FEATURES
from billet_env.numbering import Numbering
from billet_env.observation import ObservationLayout
from engine.cards import Card
from engine.editions import EDITIONS, rulebook
from engine.rulebook import Rulebook
from games.bots import offered as bots
from service.settings import Settings
from tools.docs.markdown import cell, table
from tools.sdk.clients import CLIENTS, PUBLISHED, Client


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


def settings_table() -> str:
    """Returns the settings with their defaults, their bounds, and why somebody would set them."""
    rows = []
    for setting in dataclasses.fields(Settings):
        default = f"`{setting.default}`" if str(setting.default) else "unset"
        about = setting.metadata["doc"] + (f" ({bounds})" if (bounds := setting.metadata["bounds"]) else "")
        rows.append([f"`{setting.metadata['variable']}`", default, cell(about), cell(setting.metadata["why"])])
    return table(["variable", "default", "what it is", "set it when"], rows)


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
        rows.append([f"`{feature.name}`", " and ".join(feature.axes), where, cell(feature.meaning)])
    return table(["feature", "a figure for each", "editions", "what it is"], rows)


def dataset_table() -> str:
    """Returns the columns of the table of decisions in their order, by part of the table."""
    parts = []
    for group, columns in GROUPS:
        rows = []
        for column in columns:
            field = SCHEMA.field(column.name)
            rows.append([f"`{field.name}`", f"`{_arrow(field.type)}`", cell(field.metadata[b"meaning"].decode())])
        parts.append(f"### {group[0].upper()}{group[1:]}\n\n{table(['column', 'type', 'what it is'], rows)}")
    return "\n\n".join(parts)


def _arrow(kind: pa.DataType) -> str:
    """Returns a type as Arrow calls it, without the names that Arrow gives to the items of lists."""
    if pa.types.is_list(kind):
        return f"list<{_arrow(kind.value_type)}>"
    return str(kind)


def clients_table() -> str:
    """Returns the clients that are generated, each with its tool and the tool's options."""
    rows = [
        [f"`{client.name}`", client.language, _tool(client), _options(client), cell(client.note)] for client in CLIENTS
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
