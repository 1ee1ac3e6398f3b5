"""How a game counts in its players' records: against whom, and whether it was won."""

from collections.abc import Mapping, Sequence
from typing import Final

from engine.state import GameState
from games.ids import own_bot
from games.snapshot import Snapshot

PEOPLE, PROGRAMS, BOTS = "people", "programs", "bots"
AGAINST: Final = (PEOPLE, PROGRAMS, BOTS)
"""Against whom: people if any other plays, else programs if any does, else only the service's bots."""
WON, SHARED, LOST = "won", "shared", "lost"
OUTCOMES: Final = (WON, SHARED, LOST)


def records_of(snapshot: Snapshot, kinds: Mapping[str, str]) -> dict[str, tuple[str, str]]:
    """Returns for each player of a finished game against whom it counts and what came of it."""
    players = [player for player in snapshot.players if player is not None]
    return {
        player: (_against([kinds[other] for other in players if other != player and own_bot(other) is None]), outcome)
        for player, outcome in zip(players, _outcomes(snapshot.state), strict=True)
        if own_bot(player) is None
    }


def _against(others: Sequence[str]) -> str:
    if not others:
        return BOTS
    return PEOPLE if "human" in others else PROGRAMS


def _outcomes(state: GameState) -> list[str]:
    won = WON if len(state.winners) == 1 else SHARED
    return [won if seat in state.winners else LOST for seat in range(len(state.seats))]
