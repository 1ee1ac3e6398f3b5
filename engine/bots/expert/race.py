"""Estimates how likely each seat is to win the game from the tokens it has."""

from functools import lru_cache
from typing import Final, TypeAlias

from engine.state import ACTIVE, GameState

INSANE: Final = 0.5
"""How often a round is won insane, where that has tokens of its own: between `cautious` bots 37 to 64 % of them are."""
NEVER: Final = 99

Needs: TypeAlias = tuple[int, int]
"""How many more tokens win the game: ordinary or sane ones, or insane ones, NEVER where there are none."""


def chance_to_win(state: GameState, seat: int) -> float:
    """Returns how likely the expert thinks it that a seat wins the game, if all are as likely to win a round.

    Several winners of a game share it equally.
    """
    if state.status != ACTIVE:
        return (seat in state.winners) / max(1, len(state.winners))
    needs = [_needs_in_race(state, other) for other in state.in_game() if other != seat]
    return _chance_to_be_first(_needs_in_race(state, seat), tuple(sorted(needs)))


def _needs_in_race(state: GameState, seat: int) -> Needs:
    book, there = state.book, state.seats[seat]
    insane = book.insane_tokens_to_win - there.insane_tokens if book.insane_tokens_to_win else NEVER
    return book.tokens_to_win - (there.tokens - there.insane_tokens), insane


@lru_cache(maxsize=50_000)
def _chance_to_be_first(mine: Needs, others: tuple[Needs, ...]) -> float:
    """Returns how likely the expert's seat, which needs `mine`, is the first to have won enough; a tie is shared."""
    if min(mine) <= 0:
        return 1 / (1 + sum([min(need) <= 0 for need in others]))
    if any(min(need) <= 0 for need in others):
        return 0.0
    chance = 0.0
    for share, need in _after_a_round(mine):
        chance += share * _chance_to_be_first(need, others)
    for place in range(len(others)):
        for share, need in _after_a_round(others[place]):
            rest = (*others[:place], need, *others[place + 1 :])
            chance += share * _chance_to_be_first(mine, tuple(sorted(rest)))
    return chance / (1 + len(others))


def _after_a_round(needs: Needs) -> list[tuple[float, Needs]]:
    """Returns what a seat in the expert's race needs when it has won one more round, with the chance of each."""
    tokens, insane = needs
    if insane == NEVER:
        return [(1.0, (tokens - 1, NEVER))]
    return [(1 - INSANE, (tokens - 1, insane)), (INSANE, (tokens, insane - 1))]
