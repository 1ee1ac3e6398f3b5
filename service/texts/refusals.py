"""Why something is refused and what to do now, in words; what is refused is decided elsewhere."""

from engine.errors import MUST_PLAY
from service.texts.cards import card_object
from service.texts.catalogue import Catalogue


def reason_text(words: Catalogue, reason: str) -> str:
    """Returns the sentence for a reason code: one of `engine.errors`, or one that comes with another problem."""
    if reason.startswith(MUST_PLAY):
        return words.text("reason.must_play", card=card_object(words, reason[len(MUST_PLAY) :]))
    return words.text(f"reason.{reason}")
