"""Describes events in words for a viewer, using only redacted events.

Players are in the third person, by name, but for the reader: "You draw the Guard". The sentence about a guess or
comparison includes its outcome, which everybody sees from the events that follow in the same action. A card without
effect gets the reason, which may lie in the card before it.
"""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final

from engine.events import Event
from engine.rulebook import Rulebook
from games.texts.catalogue import Catalogue
from games.texts.sentences.card_events import CARD_EVENTS
from games.texts.sentences.game_events import GAME_EVENTS
from games.texts.sentences.game_words import GameWords, Sentence
from games.texts.sentences.hand_events import HAND_EVENTS
from games.texts.sentences.past import BEGINNING, Past
from games.texts.sentences.played_events import PLAYED_EVENTS

LOOK_AHEAD: Final = 3
"""How many events after one its sentence may depend on."""

SENTENCES: Final[Mapping[type[Event], Sentence]] = {**PLAYED_EVENTS, **HAND_EVENTS, **CARD_EVENTS, **GAME_EVENTS}


def event_texts(
    words: Catalogue,
    events: Sequence[Event],
    names: Sequence[str],
    book: Rulebook,
    following: Sequence[Event] = (),
    past: Past = BEGINNING,
    people: Mapping[str, str] = MappingProxyType({}),
    reader: int | None = None,
) -> list[str]:
    """Returns a sentence for each of some redacted events, without a full stop.

    The events are in order and redacted for the viewer; `names` are the players' by seat; `following` are the
    `LOOK_AHEAD` events after them, redacted as well, or as many as there are; `past` is the result of the events
    before them; `people` are the names, by id, of those who sit down or are invited; `reader` is the seat that
    is addressed.
    """
    texts = GameWords(words, names, book, people, reader)
    texts.past = past
    known = [*events, *following[:LOOK_AHEAD]]
    sentences = []
    for i, event in enumerate(events):
        texts.following = known[i + 1 : i + 1 + LOOK_AHEAD]
        sentences.append(texts.opened(SENTENCES[type(event)](texts, event)))
        texts.past = texts.past.after(event)
    return sentences
