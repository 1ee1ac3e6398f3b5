"""Every bot plays on from any position, also where cards of the deck lie nowhere in the round."""

import random

import pytest

from engine import rules
from engine.bots import BOTS
from engine.bots.question import Question
from engine.events import fold
from engine.shuffle import LooseChance
from engine.state import ACTIVE
from engine.views import redact_log, view
from tests.engine.random_games import EVERY_TABLE
from tests.engine.random_positions import as_position, begun, in_part, random_state

STEPS = 6


@pytest.mark.many
@EVERY_TABLE
def test_every_bot_takes_a_legal_action_after_any_beginning(edition, seats):
    for seed in range(4):
        generator = random.Random(f"{edition} {seats} {seed}")
        state = random_state(edition, seats, seed)
        position = in_part(as_position(state), generator) if seed % 2 else as_position(state)
        log = begun(edition, seats, position, seed, state.book.options)
        full = rules.fold_log(log)
        for _ in range(STEPS):
            if full.status != ACTIVE or full.round_number != 1:
                break
            known = view(log, full.to_act)
            legal = rules.legal_actions(known)
            question = Question(known, legal, redact_log(log[2:], full.to_act), think_ms=1)
            for bot in BOTS.values():
                assert bot(question, random.Random(1)) in legal
            happened = rules.decide(full, full.to_act, generator.choice(legal), LooseChance(generator))
            log += happened
            fold(full, happened)
