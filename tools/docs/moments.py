"""Makes `examples/moments.json` and the moments of `docs/moments.md` from `docs/cards/`, which has a file per edition.

A moment is a position and what is played in it, in the notation of `engine/scoresheets/notation.py`. Who acts, what
happens and its words come from the engine and the texts, up to the end of the rounds that have positions.
"""

import json
import random
import re
from collections.abc import Sequence
from itertools import groupby, islice
from typing import Any

from babel import Locale

from engine import rules
from engine.editions import EDITIONS
from engine.events import Event, RoundStarted, fold
from engine.logs import codec
from engine.positions import check_position
from engine.scoresheets.notation import parse_action, parse_position
from engine.shuffle import Chance, LooseChance
from engine.state import GameState
from games.texts.actions import action_texts
from games.texts.cards import card_name
from games.texts.catalogue import LANGUAGES, catalogue
from games.texts.plays import missing_for
from games.texts.seats import labels
from games.texts.sentences.events import event_texts
from games.texts.sentences.past import Past
from tools.docs.card_tables import file_of
from tools.docs.markdown import table


def moments(seed: int = 1) -> list[dict[str, Any]]:
    """Returns all moments as `examples/moments.json` lists them; what is left to chance depends on `seed`."""
    found = []
    for edition in EDITIONS:
        source = file_of(edition)
        for card, about in source.items():
            ones = about.items() if isinstance(about, dict) else ()
            found += [
                _moment(edition, card, name, {"rule": source["rules"]} | one, seed)
                for name, one in ones
                if isinstance(one, dict)
            ]
    return found


def _moment(edition: str, card: str, name: str, source: dict[str, Any], seed: int) -> dict[str, Any]:
    positions = [parse_position(text) for text in source["at"].split("; ")]
    seats = source.get("seats") or len(positions[0]["hands"])
    options = source.get("options", {})
    request = {
        "edition": edition,
        "seats": [{"kind": "creator"}] * seats,
        **({"options": options} if options else {}),
        "sandbox": {"positions": positions},
    }
    return {
        "name": f"{edition}-{card.replace('_', '-')}-{name}",
        "edition": edition,
        "card": card,
        "title": {language: source.get(language, source["en"]) for language in LANGUAGES},
        "rule": source["rule"],
        "decided": source.get("decided"),
        "request": request,
        **_played(request, source["play"], seed),
    }


def _played(request: dict[str, Any], play: Sequence[str], seed: int) -> dict[str, Any]:
    """Returns the action and the events of a play, as data and in words."""
    chance = LooseChance(random.Random(seed))
    state, count = _begun(request, chance), len(request["sandbox"]["positions"])
    past, actions, events = Past(bound=state.bound), [], []
    for text in play:
        actions.append(_action(state, text))
        happened = rules.decide(state, actions[-1]["seat"], parse_action(text), chance)
        fold(state, happened)
        brought = _of_rounds(happened, count)
        actions[-1]["brings"] = len(brought)
        events += brought
    return {
        "actions": actions,
        "events": [{"type": event.type, "data": json.loads(json.dumps(codec.event_data(event)))} for event in events],
        "texts": {language: _sentences(language, events, state, past) for language in LANGUAGES},
    }


def _sentences(language: str, events: Sequence[Event], state: GameState, past: Past) -> list[str]:
    """Returns a sentence for each event, in which players are called by their seats."""
    texts = event_texts(catalogue(language), events, [""] * len(state.seats), state.book, past=past)
    return [text[:1].upper() + text[1:] for text in texts]


def _begun(request: dict[str, Any], chance: Chance) -> GameState:
    """Returns the state in which a game that was opened with a request waits for its first action."""
    edition, seats, positions = request["edition"], len(request["seats"]), tuple(request["sandbox"]["positions"])
    table = rules.bare_table(edition, seats, request.get("options"), sandbox=True, sandbox_positions=positions)
    state = rules.begin(table)
    for position in positions[:1]:
        check_position(state, position)
    return fold(state, rules.start(state, [""] * seats, chance))


def _action(state: GameState, text: str) -> dict[str, Any]:
    """Returns an action and who takes it, as data and in words."""
    seat, action = state.to_act, parse_action(text)
    assert seat is not None, f"{text}: the game is over"
    about = (seat, [""] * len(state.seats), state.book, state.bound, missing_for(state, seat))
    words = {language: action_texts(catalogue(language), [action], *about)[0] for language in LANGUAGES}
    return {"seat": seat, "action": codec.action_data(action), "texts": words}


def _of_rounds(events: Sequence[Event], count: int) -> list[Event]:
    """Returns the events up to the end of so many rounds: what comes after them is left to chance."""
    found = []
    for event in events:
        if isinstance(event, RoundStarted) and event.number > count:
            break
        found.append(event)
    return found


def file() -> str:
    """Returns `examples/moments.json`: a moment a line."""
    lines = ",\n".join(json.dumps(moment, ensure_ascii=False) for moment in moments())
    return f'{{"moments": [\n{lines}\n]}}\n'


# --- the page ---


def sections() -> str:
    """Returns links to all moments, and a section for each."""
    found = moments()
    parts = []
    for edition, ones in groupby(found, lambda one: one["edition"]):
        parts.append(f"- [{_title(edition)}](#{edition})")
        for card, some in groupby(ones, lambda one: one["card"]):
            links = ", ".join(f"[{one['title']['en']}](#{one['name']})" for one in some)
            parts.append(f"  - {_card(card)}: {links}")
    for edition, ones in groupby(found, lambda one: one["edition"]):
        parts.append(f"\n## {edition}")
        for card, some in groupby(ones, lambda one: one["card"]):
            parts.append(f"\n### {_card(card)} ({edition})")
            parts += [_section(one) for one in some]
    return "\n".join(parts)


def _title(edition: str) -> str:
    return catalogue("en").text(f"edition.{edition}.title")


def _card(card: str) -> str:
    return " / ".join(dict.fromkeys(card_name(catalogue(language), card) for language in LANGUAGES))


def _seat(language: str, seat: int) -> str:
    return labels(catalogue(language), [""] * (seat + 1))[seat]


def _endonym(language: str) -> str:
    name = Locale.parse(language).language_name or language
    return name[:1].upper() + name[1:]


def _section(moment: dict[str, Any]) -> str:
    """Returns the part of the page about a moment."""
    request = {name: value for name, value in moment["request"].items() if name in ("options", "sandbox")}
    anchor = re.sub(r"[^\w -]", "", moment["rule"].lower()).replace(" ", "-")
    decided = f", decided: {moment['decided']}" if moment["decided"] else ""
    english, *others = dict.fromkeys(moment["title"].values())
    rows: list[Sequence[str]] = []
    texts = zip(*(moment["texts"][language] for language in LANGUAGES), strict=True)
    for one in moment["actions"]:
        rows.append(
            [f"**{_seat(language, one['seat']).capitalize()}: {one['texts'][language]}**" for language in LANGUAGES]
        )
        rows += islice(texts, one["brings"])
    lines = [
        f"\n#### {moment['name']}\n",
        f"{english}. {' '.join(f'*{title}.*' for title in others)} {len(moment['request']['seats'])} seats;",
        f"[{moment['rule']}](rules.md#{anchor}){decided}.\n",
        f"```json\n{json.dumps(request)[1:-1]}\n```\n",
        table([_endonym(language) for language in LANGUAGES], rows),
    ]
    return "\n".join(lines)
