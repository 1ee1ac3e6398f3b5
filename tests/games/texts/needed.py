"""Which entries every catalogue must have, read off the code that asks for them and the things that have words.

A call `words.text("a.b")` needs that entry; `words.text(f"card.{card}.name")` needs one for each thing that `PATTERNS`
names for `card.*.name`. Keys that reach `text` another way are listed by a function in `FURTHER`.
"""

import ast
import re
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import get_args

from api.problems.kinds import KINDS
from api.schemas.fields.vocabulary import DECISION, FACE
from engine import errors
from engine.actions import FLAG, HANDS, MEMBERS, SEAT, PlayCard
from engine.bots import BOTS
from engine.editions import EDITIONS
from games.aids.reviews import MARKS
from games.tables.seats import DECLINE_REASONS
from games.texts.cards import text_edition
from games.texts.plays import Void
from games.texts.sentences.events import SENTENCES
from games.texts.sentences.game_words import Case, card_sentence, seat_sentence

# Fields of events; random games of all editions show that there are no others.
TOKENS = ("favor", "sane", "insane")
REASONS_TO_LEAVE = ("resigned", "timed_out")
WITHOUT_EFFECT = [why.value for why in Void]

ROOT = Path(__file__).parents[3]
PACKAGES = ("games", "service", "api", "workers", "billet")
SAID = re.compile(r"(detail|fault|log)\.[a-z0-9_]+|reason\.[a-z0-9_]+\.[a-z0-9_]+")


def cards_of(edition):
    """Returns the keys of all cards of an edition, whatever the table."""
    return list(dict.fromkeys(card.key for seats in edition.seats for card in edition.cards_for(seats)))


def all_cards():
    return list(dict.fromkeys(card for edition in EDITIONS.values() for card in cards_of(edition)))


def told_cards():
    return [
        f"{edition.id}.{card}"
        for edition in EDITIONS.values()
        if text_edition(edition.id) == edition.id
        for card in cards_of(edition)
    ]


def two_faced_cards():
    """Returns the cards that have two effects, with their editions."""
    rows = [(edition.id, card) for edition in EDITIONS.values() for card in edition.cards_for(edition.seats[-1])]
    return [f"{edition}.{card.key}" for edition, card in rows if card.insane is not None]


def options():
    return [name for edition in EDITIONS.values() for name in edition.options]


def option_values():
    return [
        f"{name}.{value}"
        for edition in EDITIONS.values()
        for name, values in edition.options.items()
        for value in values
    ]


def engine_reasons():
    """Returns the reasons of the engine but for those that name a card."""
    named = {value for name, value in vars(errors).items() if name.isupper() and isinstance(value, str)}
    return sorted(named - {errors.MUST_PLAY})


def all_reasons():
    documented = {reason for kind in KINDS.values() for reason in kind.reasons}
    documented -= {f"{errors.MUST_PLAY}CARD"}
    return sorted(documented | set(engine_reasons()))


def answers():
    """Returns the types of answers, each with its variants."""
    return [
        name + variant
        for name, members in MEMBERS.items()
        if name != PlayCard.type
        for variant in next((VARIANTS[one.kind] for one in members if one.kind in VARIANTS), [""])
    ]


VARIANTS = {FLAG: [".yes", ".no"], SEAT: ["", ".none", ".own"], HANDS: ["", ".none"]}
"""By kind of member: the variants of the text of an action that has one."""


PATTERNS: dict[str, Callable[[], list[str]]] = {
    "edition.*.title": lambda: list(EDITIONS),
    "bot.*.name": lambda: list(BOTS),
    "bot.*.names": lambda: list(BOTS),
    "bot.*.text": lambda: list(BOTS),
    "edition.*.text": lambda: sorted({text_edition(edition) for edition in EDITIONS}),
    "card.*.name": all_cards,
    "card.*.object": all_cards,
    "card.*.text": told_cards,
    "card.*.short": told_cards,
    "card.*.insane_text": two_faced_cards,
    "card.*.insane_short": two_faced_cards,
    "token.*.name": lambda: TOKENS,
    "token.*.object": lambda: TOKENS,
    "face.*.name": lambda: FACE.words,
    "face.*.text": lambda: FACE.words,
    "face.*.played": lambda: FACE.words,
    "option.*.name": lambda: options() + option_values(),
    "option.*.text": lambda: options() + option_values(),
    "event.*": lambda: [
        kind.type for kind, sentence in SENTENCES.items() if sentence in (seat_sentence, card_sentence)
    ],
    "event.game_aborted.*": lambda: ("called_off", "expired", "restored"),
    "event.seat_left.*": lambda: REASONS_TO_LEAVE,
    "event.seat_left.*_with": lambda: REASONS_TO_LEAVE,
    "decline.*": lambda: DECLINE_REASONS,
    "event.decision_opened.*": lambda: DECISION.words,
    "action.*": answers,
    "action.*.one": lambda: [name for name, members in MEMBERS.items() if any(one.kind == HANDS for one in members)],
    "action.play.*": lambda: WITHOUT_EFFECT,
    "event.card_played.*": lambda: WITHOUT_EFFECT,
    "problem.*.title": lambda: list(KINDS),
    "review.*": lambda: list(MARKS),
    "reason.*": all_reasons,
    "seat.you.*": lambda: get_args(Case),
    "seat.yourself.*": lambda: ("accusative", "dative"),
}
"""By the key with a star for what is filled in: what it is filled with."""


def said_keys():
    """Returns the keys of what is said by those who refuse: `Message` carries them to whoever puts them into words."""
    return [
        node.value
        for node in nodes()
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and SAID.fullmatch(node.value)
    ]


def position_keys():
    """Returns the keys of what is said of positions that cannot be, by the reasons of the engine."""
    return [f"fault.position.{reason}" for reason in errors.IMPOSSIBLE]


FURTHER: list[Callable[[], list[str]]] = [said_keys, position_keys]
"""What returns the keys that no call of `text` shows."""


@cache
def needed_keys() -> set[str]:
    """Returns the keys of all entries that are needed, and needed only."""
    keys = {key for further in FURTHER for key in further()}
    for key in set(keys_in_code()):
        pattern = key.removesuffix(".you")
        keys |= {key.replace("*", filling) for filling in PATTERNS[pattern]()} if "*" in key else {key}
    return keys


def keys_in_code() -> Iterator[str]:
    """Yields the keys that the code asks for, with one star for all that is filled in."""
    for node in nodes():
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            if node.func.attr == "text":
                yield from _keys(node.args[0])
            elif node.func.attr in ("about", "about_all"):
                target = node.func.attr == "about" and len(node.args) > 2
                for key in _keys(node.args[0]):
                    yield from (key, f"{key}.you", f"{key}.your") if target else (key, f"{key}.you")


@cache
def nodes() -> list[ast.AST]:
    """Returns the calls and constants that stand in the code."""
    files = [path for package in PACKAGES for path in sorted((ROOT / package).rglob("*.py"))]
    trees = [ast.parse(path.read_text(encoding="utf-8")) for path in files]
    return [node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Call | ast.Constant)]


def _keys(node: ast.expr) -> Iterator[str]:
    """Yields the keys that an argument may be; each must be written where it is used."""
    if isinstance(node, ast.IfExp):
        yield from _keys(node.body)
        yield from _keys(node.orelse)
    elif isinstance(node, ast.JoinedStr):
        parts = [part.value if isinstance(part, ast.Constant) else "*" for part in node.values]
        yield "".join(parts).replace("*.*", "*")
    elif ast.unparse(node) not in ("self.key", "key"):  # of a `Message` or a sentence, written where it is made
        assert isinstance(node, ast.Constant), f"not a key: {ast.unparse(node)}"
        yield node.value
