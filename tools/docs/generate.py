"""Generates the parts of the documentation that come from the code: `python -m tools.docs.generate` (`make docs`).

The reference cards, `log.schema.json`, `examples/moments.json` and `web/words/story.js` are made whole. In other pages,
and in `openapi/README.md`, everything between a line `<!-- made: NAME -->` and the next `<!-- end -->` is made anew. A
test compares the pages with what would be made now.
"""

import re
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from textwrap import wrap

from engine.cards import Card
from engine.editions import EDITIONS
from engine.rules import RULES_VERSION
from games.records import schema as portable_schema
from games.texts.catalogue import LANGUAGES
from tools.docs import (
    card_tables,
    errors_reference,
    events_reference,
    moments,
    reference_cards,
    shuffle_vectors,
    story,
    tables,
)
from tools.readable_json import readable_json

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
VERIFIER = ROOT / "web" / "verify" / "deal.mjs"
PART = re.compile(r"(?<=<!-- made: )(\w+)( -->\n).*?(?=<!-- end -->)", re.DOTALL)


def makers() -> dict[Path, Callable[[], str]]:
    """Returns every page that is made wholly or in part, with what makes it as it should be now."""
    made: dict[Path, Callable[[], str]] = {
        DOCS / "log.schema.json": _log_schema,
        **{DOCS / f"cards.{language}.md": partial(reference_cards.page, language) for language in LANGUAGES},
        ROOT / "examples" / "moments.json": moments.file,
        ROOT / "web" / "words" / "story.js": story.file,
        VERIFIER: _verifier,
    }
    for path in (*sorted(DOCS.glob("*.md")), ROOT / "openapi" / "README.md"):
        if path not in made and PART.search(path.read_text(encoding="utf-8")):
            made[path] = partial(_page_with_parts, path)
    return made


def _log_schema() -> str:
    return readable_json(portable_schema.schema()) + "\n"


def _page_with_parts(path: Path) -> str:
    return PART.sub(_part, path.read_text(encoding="utf-8"))


def _verifier() -> str:
    return re.sub(
        r"(?<=// made: decks)([^\n]*\n).*?(?=// end\n)",
        lambda match: f"{match[1]}{_decks_of_verifier()}\n",
        VERIFIER.read_text(encoding="utf-8"),
        flags=re.DOTALL,
    )


def _decks_of_verifier() -> str:
    """Returns the rules' version and the decks as the verifier in JavaScript has them: by edition and most seats."""
    lines = [f"export const RULES = {RULES_VERSION};", "const DECKS = {"]
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


def write() -> None:
    """Writes every page that is made wholly or in part."""
    for path, make in makers().items():
        path.write_text(make(), encoding="utf-8")


def _part(match: "re.Match[str]") -> str:
    return f"{match[1]}{match[2]}\n{PARTS[match[1]]()}\n\n"


PARTS: Mapping[str, Callable[[], str]] = {
    "events": events_reference.sections,
    "errors": errors_reference.codes,
    "reasons": errors_reference.reasons,
    "moments": moments.names,
    "editions": tables.editions_table,
    "decks": tables.decks_table,
    **{f"cards_of_{edition}": partial(card_tables.cards_table, edition) for edition in card_tables.COLUMNS},
    "vectors": lambda: shuffle_vectors.block(shuffle_vectors.example()),
    "revealed": lambda: shuffle_vectors.block(shuffle_vectors.revealed_example()),
    "settings": tables.settings_table,
    "clients": tables.clients_table,
    "strengths": tables.strengths_table,
    "environments": tables.environments_table,
    "features": tables.features_table,
    "dataset": tables.dataset_table,
}


if __name__ == "__main__":
    write()
