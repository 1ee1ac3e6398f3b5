"""Pages of players, their ratings, and leaderboards."""

from api.schemas.fields.base import Flag, Integer, Items, OpenObject, Part, Text, UtcTime, Word
from api.schemas.fields.vocabulary import EDITION, PACE, POOL_KIND, POOL_SIZE
from api.schemas.games import GameSummary
from api.schemas.players import Player, Program


class ResultTally(OpenObject):
    """Games by what came of them."""

    won = Integer("Games that the player won alone.")
    shared = Integer("Games that the player won together with others.")
    lost = Integer("Games that others won.")


class PlayerResults(OpenObject):
    """A player's public games that have ended."""

    people = Part(ResultTally(), "Those in which at least one other person played.")
    programs = Part(ResultTally(), "The others in which at least one program played.")
    bots = Part(ResultTally(), "Those against the service's own bots alone.")


class PlayerRating(OpenObject):
    """How strong a player is believed to be."""

    rating = Integer("The rating; newcomers begin with 1500.")
    deviation = Integer("How uncertain it is: the rating is off by less than twice that nearly always.")
    games = Integer("How many games it is made of.")
    provisional = Flag("Whether it is still, or again, too uncertain to rely on.")


class PoolRating(PlayerRating):
    """A player's rating in a pool."""

    pool = Text("The pool's id.")
    rank = Integer("The player's rank on the leaderboard, from 1; null for one who is not on it.", allow_none=True)


class RatedPoint(OpenObject):
    """A rating after a game."""

    game = Text("The id of the game.")
    ended_at = UtcTime("When the game ended.")
    rating = Integer("The rating after it.")
    deviation = Integer("How uncertain it was.")
    version = Text("Which version of a program played; null for anybody else.", allow_none=True)


class PoolHistory(PoolRating):
    """A player's rating in a pool, and how it came about."""

    history = Items(Part(RatedPoint()), "The rating after each of the latest 500 games, the oldest first.")


class PlayerRatings(OpenObject):
    """A player's ratings by pool."""

    items = Items(Part(PoolHistory()), "The pools in which the player has a rating; none if the player hides them.")


class PlayerPage(Player):
    """What anybody may know of a player; null is what the player hides."""

    since = UtcTime("When the player registered; null if that is not known.", allow_none=True)
    online = Flag("Whether the player was seen within the last five minutes.", allow_none=True)
    program = Part(Program(), "How a program describes itself; null for anybody else.", allow_none=True)
    record = Part(PlayerResults(), "What came of the player's public games.", allow_none=True)
    ratings = Items(Part(PoolRating()), "The ratings by pool.", allow_none=True)
    games = Items(Part(GameSummary()), "The latest public games that have ended, the newest first.", allow_none=True)


class Leaderboard(OpenObject):
    """A pool of games in which players are compared."""

    pool = Text("The pool's id: edition, size, pace and kind.")
    edition = Word(EDITION, "The rule set and deck.")
    size = Word(POOL_SIZE, "How many seats its games have.")
    pace = Word(PACE, "How fast they are played.")
    kind = Word(POOL_KIND, "Who is compared.")
    players = Integer("How many players are on the leaderboard: those whose ratings were certain enough.")


class LeaderboardList(OpenObject):
    """All leaderboards."""

    items = Items(Part(Leaderboard()), "The leaderboards.")


class RankedPlayer(PlayerRating):
    """A player on a leaderboard."""

    rank = Integer("The rank, from 1.", least=1)
    player = Part(Player(), "The player.")


class LeaderboardPage(Leaderboard):
    """A part of a leaderboard."""

    items = Items(Part(RankedPlayer()), "The players, the strongest first.")
    next_cursor = Text("What to send as `cursor` for those who follow; null at the end.", allow_none=True)
    previous_cursor = Text("What to send as `cursor` for those before; null at the beginning.", allow_none=True)
