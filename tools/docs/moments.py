"""Makes `examples/moments.json` and the list in `docs/moments.md` from `docs/cards/`, which has a file per edition.

A moment is a position and what is played in it. Who acts, what happens and its words come from the engine and the
texts, up to the end of the rounds that have positions.
"""

import json
import random
from collections.abc import Sequence
from itertools import groupby
from typing import Any

from engine import rules
from engine.editions import EDITIONS
from engine.events import Event, RoundStarted, fold
from engine.logs import codec
from engine.notation import parse_action
from engine.positions import check_position
from engine.shuffle import Chance, LooseChance
from engine.state import GameState
from games.texts.actions import action_texts
from games.texts.cards import card_name
from games.texts.catalogue import LANGUAGES, catalogue
from games.texts.plays import missing_for
from games.texts.sentences.events import event_texts
from games.texts.sentences.past import Past
from tools.docs.card_tables import file_of
from tools.docs.markdown import table
from tools.docs.positions import parse_position


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


def names() -> str:
    """Returns a table for each edition: its cards, and the names of their moments."""
    found = moments()
    parts = []
    for edition, ones in groupby(found, lambda one: one["edition"]):
        rows = [
            [card_name(catalogue("en"), card), ", ".join(f"`{one['name']}`" for one in some)]
            for card, some in groupby(ones, lambda one: one["card"])
        ]
        title = catalogue("en").text(f"edition.{edition}.title")
        parts.append(f"### {title}\n\n{table(['card', 'moments'], rows)}")
    return "\n\n".join(parts)
