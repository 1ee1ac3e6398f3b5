"""How likely each seat is to win the game from the tokens it has; how likely it is to win a round belongs elsewhere."""

from functools import lru_cache

from engine.state import ACTIVE, GameState


def chance_to_win(state: GameState, seat: int) -> float:
    """Returns how likely a seat wins the game if from now on every seat is as likely as the others to win a round.

    Several winners of a game share it equally.
    """
    if state.status != ACTIVE:
        return (seat in state.winners) / max(1, len(state.winners))
    needs = [_needed(state, other) for other in state.in_game() if other != seat]
    return _first(_needed(state, seat), tuple(sorted(needs)))


def _needed(state: GameState, seat: int) -> int:
    """Returns how many more rounds a seat must win, of the kind of token it is closest to winning with."""
    book, there = state.book, state.seats[seat]
    needed = book.tokens_to_win - (there.tokens - there.insane_tokens)
    if book.insane_tokens_to_win:
        needed = min(needed, book.insane_tokens_to_win - there.insane_tokens)
    return needed


@lru_cache(maxsize=50_000)
def _first(mine: int, others: tuple[int, ...]) -> float:
    """Returns how likely the one that needs `mine` rounds is the first to have won enough; a tie is shared."""
    if mine <= 0:
        return 1 / (1 + sum(need <= 0 for need in others))
    if others and others[0] <= 0:
        return 0.0
    chance = _first(mine - 1, others)
    for place, need in enumerate(others):
        rest = (*others[:place], need - 1, *others[place + 1 :])
        chance += _first(mine, tuple(sorted(rest)))
    return chance / (1 + len(others))
