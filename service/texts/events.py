"""What has happened, in words for a viewer; every sentence is made of redacted events alone, whatever else is true.

Players are told of in the third person, by name. A play that guesses and a comparison say how they ended, which all see
by what follows in the same action; one without effect says why, which may lie in the card before it.
"""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final

from engine.events import Event
from engine.rulebook import Rulebook
from service.texts.card_events import CARD_EVENTS
from service.texts.catalogue import Catalogue
from service.texts.game_events import GAME_EVENTS
from service.texts.hand_events import HAND_EVENTS
from service.texts.past import BEGINNING, Past
from service.texts.played_events import PLAYED_EVENTS
from service.texts.telling import Teller, Telling

LOOK_AHEAD: Final = 3
"""How many events after one its sentence may depend on."""

_TELLERS: Final[Mapping[type[Event], Teller]] = {**PLAYED_EVENTS, **HAND_EVENTS, **CARD_EVENTS, **GAME_EVENTS}


def event_texts(
    words: Catalogue,
    events: Sequence[Event],
    names: Sequence[str],
    book: Rulebook,
    following: Sequence[Event] = (),
    past: Past = BEGINNING,
    people: Mapping[str, str] = MappingProxyType({}),
) -> list[str]:
    """Returns a sentence for each of some events, without a full stop.

    The events are in order and redacted for the viewer; `names` are the players' by seat; `following` are the
    `LOOK_AHEAD` events after them, redacted as well, or as many as there are; `past` is what has come of the events
    before them; `people` are the names, by id, of those who sit down or are invited.
    """
    telling = Telling(words, names, book, people)
    telling.past = past
    told = [*events, *following[:LOOK_AHEAD]]
    texts = []
    for i, event in enumerate(events):
        texts.append(_TELLERS[type(event)](telling, event, told[i + 1 : i + 1 + LOOK_AHEAD]))
        telling.past = telling.past.after(event)
    return texts
