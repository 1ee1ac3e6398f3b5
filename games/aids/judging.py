"""Works out the facts of a review: what each choice was worth to `expert`, and each seat's chance to win before it.

A choice is judged by what its seat knew. The chances are those of somebody who sees all hands and not the deck. All of
it follows from the events, the bot's chance too, so a review that is made again is the same.
"""

import random
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from engine.actions import Action
from engine.bots.expert.playouts import Playouts
from engine.bots.expert.race import chance_to_win
from engine.bots.expert.search import ACTIONS_PER_MS, rate
from engine.bots.expert.sightings import seen_in_round
from engine.bots.question import Question
from engine.logs.codec import action_data
from engine.options import legal_actions
from games.causes import Act, Cause, Repeat, TimeOut
from games.snapshot import Snapshot

SEARCH_MS: Final = 80
"""How much the expert thinks about what it would have done, in milliseconds of one core of an ordinary machine."""
COMPARE_MS: Final = 150
"""How much it then compares that with what was done, on the same deals."""
CHANCES_MS: Final = 20
"""How much goes into the chances of all seats."""
MOST_MS: Final = 20_000
"""How much goes into a whole game: where there are many choices, each gets less."""
DIGITS: Final = 4
"""How many digits a chance has."""


class Choice(NamedTuple):
    """What a seat did at a version."""

    version: int
    seat: int
    action: Action
    own: bool
    """Whether it did so by itself; otherwise its time was up, or the choice is one of the game that this was forked
    from."""


def choices_of(causes: Mapping[int, Cause]) -> list[Choice]:
    """Returns the choices of a game, from the causes of its steps by version."""
    return [
        Choice(version - 1, cause.seat, cause.action, isinstance(cause, Act))
        for version, cause in sorted(causes.items())
        if isinstance(cause, Act | TimeOut | Repeat) and cause.action is not None
    ]


def judged(before: Snapshot, choice: Choice, count: int) -> dict[str, Any]:
    """Returns the facts about one of `count` choices as plain data, from the game as it was then.

    `worth` has actions with the chance to win the game that they led to: the best, then what it was compared with.
    """
    share = min(1, MOST_MS / (count * (SEARCH_MS + COMPARE_MS + CHANCES_MS)))
    facts: dict[str, Any] = {
        "seat": choice.seat,
        "round": before.state.round_number,
        "chances": _chances(before, choice.seat, CHANCES_MS * share),
    }
    if not choice.own:
        return facts
    worth = _worth(before, choice, share)
    best = next(iter(worth))
    return facts | {
        "played": action_data(choice.action),
        "loss": round(worth[best] - worth[choice.action], DIGITS),
        "worth": [[action_data(action), round(chance, DIGITS)] for action, chance in worth.items()],
    }


def _worth(before: Snapshot, choice: Choice, share: float) -> dict[Action, float]:
    """Returns the chances to win the game that actions led to, the best first, then the one that it was compared with.

    What is chosen is compared with the best once more, on further deals: a search finds its best action too good.
    """
    view, events = before.view(choice.seat), before.round_seen(choice.seat)
    chance = random.Random(repr(events))

    def search(actions: list[Action], think_ms: float) -> dict[Action, float]:
        found = rate(Question(view.copy(), actions, events, round(think_ms * share)), chance)
        return {one.action: one.wins_game for one in found}

    worth = search(list(legal_actions(view)), SEARCH_MS)
    best = next(iter(worth))
    if best == choice.action:
        return worth
    compared = search([best, choice.action], COMPARE_MS)
    first = max((choice.action, best), key=compared.__getitem__)
    second = best if first == choice.action else choice.action
    return {first: compared[first], second: compared[second]} | {
        action: chance for action, chance in worth.items() if action not in compared
    }


def _chances(before: Snapshot, seat: int, ms: float) -> list[float]:
    """Returns each seat's chance to win the game, from playouts with the hands as they are.

    Nothing depends on the order of the deck: not even the chance, which follows from what the seat to act has seen.
    """
    state = before.state
    rng = random.Random(repr(before.round_seen(seat)))
    playouts = Playouts(state.book, rng)
    seen = seen_in_round([entry.event for entry in before.entries])
    pile = sorted(card for card in (*state.deck, *state.set_aside) if card is not None)
    sums, tries = [0.0] * len(state.seats), 0
    while not tries or playouts.actions < ms * ACTIONS_PER_MS:
        deal, hidden = state.copy(), [*pile]
        rng.shuffle(hidden)
        deal.deck, deal.set_aside = [*hidden[: len(deal.deck)]], [*hidden[len(deal.deck) :]]
        playouts.finish(deal, playouts.choice(deal, seen), seen)
        for other in state.in_game():
            sums[other] += chance_to_win(deal, other)
        tries += 1
    return [round(one / tries, DIGITS) for one in sums]
