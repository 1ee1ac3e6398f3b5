"""Generates `web/words/story.js`: the sentences that the browser needs to describe a log from a file."""

import json
import re
from typing import Final

from games.texts.catalogue import LANGUAGES, catalogue

SAID: Final = re.compile(
    r"(event|decline|seat|cards|guess|token)\..+|card\.\w+\.object|face\.\w+\.(name|played)|bot\.\w+\.names?|replay\.player"
)
"""The keys that the page may ask for."""
UNSAID: Final = re.compile(
    r"event\.(game_started\.without|card_played\.void|decision_taken|time_spent|secret_revealed).*"
    r"|event\.round_ended\.(changed|beaten|kept|removed|removed_group|tied|sum|because)(\.you)?"
)
"""Keys among them that the page does not use: events that it passes over, and reasons that only the rules know."""
HEAD: Final = "// Sentences about the events of a log from a file. `make docs` writes them out of games/texts/locale.\n"


def file() -> str:
    """Returns the script with the sentences of every language."""
    texts = {language: catalogue(language).texts for language in LANGUAGES}
    sentences = {
        language: {key: text for key, text in of.items() if SAID.fullmatch(key) and not UNSAID.fullmatch(key)}
        for language, of in texts.items()
    }
    return f"{HEAD}export default {json.dumps(sentences, indent=1, ensure_ascii=False)};\n"
