"""Describes a seat's legal actions in words, for the player who may take them."""

from collections.abc import Collection, Sequence
from functools import lru_cache

from engine.actions import MEMBERS, Action, PlayCard
from engine.rulebook import Rulebook
from games.texts.cards import card_object, card_objects
from games.texts.catalogue import Catalogue
from games.texts.plays import guess_text, labels, played_card, void


def action_texts(
    words: Catalogue,
    actions: Sequence[Action],
    seat: int,
    names: Sequence[str],
    book: Rulebook,
    bound: int | None = None,
    missing: Collection[str] = (),
) -> list[str]:
    """Returns actions in words for the player of `seat`, who may take them; `names` are the players' by seat.

    `bound` is the seat that the next card must choose, if it chooses; `missing` is what a card may need in vain.
    """
    labelled = labels(words, names)
    labelled[seat] = words.text("seat.yourself.accusative")
    called, lacking = tuple(labelled), frozenset(missing)
    return [
        _play_text(words, action, called, book, bound, lacking)
        if isinstance(action, PlayCard)
        else _answer_text(words, action, seat, called)
        for action in actions
    ]


@lru_cache(maxsize=4096)  # each view, frame and answer lists a seat's actions anew
def _play_text(
    words: Catalogue,
    play: PlayCard,
    called: tuple[str, ...],
    book: Rulebook,
    bound: int | None,
    missing: frozenset[str],
) -> str:
    card = played_card(words, play.card, play.face)
    if not play.targets:
        why = void(book, play.card, play.face, play.targets, bound, missing)
        return words.text("action.play" if why is None else f"action.play.{why.value}", card=card)
    targets = words.listed([called[target] for target in play.targets])
    if play.guess is None:
        return words.text("action.play.on", card=card, targets=targets)
    return words.text("action.play.guess", card=card, targets=targets, guess=guess_text(words, play.guess, book))


@lru_cache(maxsize=4096)
def _answer_text(words: Catalogue, action: Action, seat: int, called: tuple[str, ...]) -> str:
    """Returns an answer in words: the text of its type, in the variant that its members ask for."""
    variant, values = "", {}
    for one in MEMBERS[action.type]:
        value = getattr(action, one.field)
        match one.kind:
            case "card":
                values[one.name] = card_object(words, value)
            case "cards":
                values[one.name] = card_objects(words, value)
            case "flag":
                variant = ".yes" if value else ".no"
            case "seat":
                variant = ".none" if value is None else ".own" if value == seat else ""
                values[one.name] = "" if value is None else called[value]
            case "hands":
                variant = "" if value else ".none"  # all whose hands were collected have left since
                gifts = [
                    words.text(f"action.{action.type}.one", who=called[to], card=card_object(words, card))
                    for to, card in value
                ]
                values[one.name] = words.listed(gifts)
    key = action.type + variant
    return words.text(f"action.{key}", **values)
