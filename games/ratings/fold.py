"""What one game makes of its players' standings: the step of the fold that ratings are."""

from collections.abc import Mapping
from typing import TypeAlias

from games.ids import own_bot
from games.ratings.anchors import ANCHORS
from games.ratings.model import after_game
from games.ratings.pools import PEOPLE, RatedGame
from games.ratings.standing import DAY_MS, NEW, Rating, Standing

Occasion: TypeAlias = tuple[frozenset[str], int]
"""Players and a UTC day on which they play with one another."""


def standings_after(
    game: RatedGame, before: Mapping[str, Standing], earlier: int, kind: str = PEOPLE
) -> dict[str, Standing]:
    """Returns what is known of the players after a game; the service's bots stay as they are, and are left out.

    `before` has those who have played before; `earlier` is how many games the same players had that day already,
    `kind` that of the pool. A program that has another version begins anew.
    """
    versions = game.versions or (0,) * len(game.players)
    same = {
        player: before[player]
        for player, version in zip(game.players, versions, strict=True)
        if player in before and before[player].version == version
    }
    ratings = [_rating_before(game, player, same) for player in game.players]
    after = after_game(ratings, game.places, earlier, kind)
    return {
        player: Standing(rating, same[player].games + 1 if player in same else 1, game.ended_ms, version)
        for player, version, rating in zip(game.players, versions, after, strict=True)
        if own_bot(player) is None
    }


def rated_in(game: RatedGame) -> list[str]:
    """Returns the players whom a game rates: all but the service's bots."""
    return [player for player in game.players if own_bot(player) is None]


def occasion_of(game: RatedGame) -> Occasion:
    """Returns who is rated by a game, and its UTC day: the more games there are of both, the less each counts."""
    return frozenset(rated_in(game)), game.ended_ms // DAY_MS


def begin_of_day(ms: int) -> int:
    """Returns when the UTC day of a time began, in milliseconds since 1970."""
    return ms - ms % DAY_MS


def _rating_before(game: RatedGame, player: str, before: Mapping[str, Standing]) -> Rating:
    bot = own_bot(player)
    if bot is not None:
        return ANCHORS[bot]
    return before[player].at(game.ended_ms) if player in before else NEW
