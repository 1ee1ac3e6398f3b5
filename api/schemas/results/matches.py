"""Matches of programs and bots."""

from typing import Any

from api.schemas.fields.base import (
    MAX_SEAT,
    ClosedObject,
    Flag,
    Integer,
    Items,
    OpenObject,
    Part,
    Share,
    Text,
    UtcTime,
    Word,
    Words,
    player_id,
)
from api.schemas.fields.vocabulary import BOT, DEALS, EDITION, MATCH_STATE, MATCH_STEP, STATUS
from api.schemas.games import Clock
from api.schemas.players import Player, line
from api.schemas.setup import ClockSetup, OptionChoices
from games.matches.setup import AT_ONCE, MOST_AT_ONCE, MOST_ENTRANTS, MOST_GAMES
from games.matches.standings import MOST_POINTS


class EntrantSetup(ClosedObject):
    """Who takes part: a program or one of the service's own bots."""

    player = player_id("The id of a program.")
    bot = Word(BOT, "One of the service's own bots.")


class OpponentSetup(ClosedObject):
    """One of the service's own bots that fills a table."""

    bot = Word(BOT, "The bot.", required=True)


class MatchSetup(ClosedObject):
    """A match to make."""

    name = line("What others see. Without it they see the entrants.", 100)
    edition = Word(EDITION, "The rule set and deck.", required=True)
    options = Part(OptionChoices(), "House rules; absent: the defaults of the edition.")
    entrants = Items(Part(EntrantSetup()), "Who takes part, each once.", required=True, least=1, most=MOST_ENTRANTS)
    against = Items(
        Part(OpponentSetup()),
        "The bots on seats that no entrant takes, in turn; needed if there are fewer entrants than seats, and with "
        "`reference`.",
        most=MAX_SEAT,
    )
    seats = Integer("How many seats each game has.", required=True, least=2, most=MAX_SEAT + 1)
    games = Integer(
        "How many games are played. With `rotated` a multiple of the number of seats, with `reference` of entrants.",
        required=True,
        least=1,
        most=MOST_GAMES,
    )
    deals = Word(DEALS, "Which games are dealt the same cards.", required=True)
    at_once = Integer(
        f"How many games run at once at most; absent: {AT_ONCE}. A program plays no more than it accepts.",
        least=1,
        most=MOST_AT_ONCE,
    )
    clock = Part(
        ClockSetup(),
        "How long a seat may think; required if programs take part. Without `on_timeout`, a seat whose time is up "
        "leaves the game.",
    )
    rated = Flag("Whether the games count for ratings of programs, which needs `fresh` deals; absent: they do not.")


class MatchChange(ClosedObject):
    """What becomes of a match."""

    state = Word(MATCH_STEP, "`paused` or `running`.", required=True)


class Entrant(Player):
    """Who takes part in a match."""

    bot = Word(BOT, "Which of the service's own bots that is; null for a program.", allow_none=True)
    accepted = Flag("Whether it has accepted. Bots always do.")


class MatchSummary(OpenObject):
    """A match in short."""

    id = Text("The match's id.")
    name = Text("What its creator calls it; empty without a name, and if they are deleted.")
    creator = Part(Player(), "Who made it.")
    state = Word(MATCH_STATE, "Where it stands.")
    edition = Word(EDITION, "The rule set and deck.")
    seats = Integer("How many seats each game has.")
    clock = Part(Clock(), "How long a seat may think; null for no limit.", allow_none=True)
    rated = Flag("Whether its games count for ratings.")
    deals = Word(DEALS, "Which games are dealt the same cards.")
    entrants = Items(Part(Entrant()), "Who takes part.")
    games = Integer("How many games are played in all.")
    played = Integer("How many have ended.")
    running = Integer("How many run now.")
    created_at = UtcTime("When it was made.")


def ends(description: str) -> Any:
    """Returns a field for the ends of an interval."""
    return Items(Share("An end.", least=-1), description, allow_none=True)


class MatchPoint(OpenObject):
    """How an entrant stood after some deals."""

    deals = Integer("After how many of its deals.")
    share = Share("Its share of the wins by then.")
    interval = Items(Share("An end."), "Within what it was nearly certain to be (95 %): two ends.")


class MatchStanding(OpenObject):
    """How an entrant stands."""

    entrant = Text("The id of the entrant.")
    games = Integer("How many games it has played to their ends.")
    share = Share("Its share of the wins, from 0 to 1; null before its first deal is over.", allow_none=True)
    interval = ends("Within what that is nearly certain to be (95 %): two ends; null before two deals are over.")
    place = Integer("Its place by share, from 1; null if it has none yet.", allow_none=True)
    course = Items(
        Part(MatchPoint()),
        f"How its share came about, for a plot: after {MOST_POINTS} of its deals at most, from the second to the last.",
    )


class MatchPair(OpenObject):
    """How two entrants compare, deal by deal."""

    a = Text("The id of the one.")
    b = Text("The id of the other.")
    deals = Integer("How many deals both have played.")
    difference = Share(
        "By how much the share of `a` is larger on average; null if there are none.", least=-1, allow_none=True
    )
    interval = ends("Within what that is nearly certain to be (95 %): two ends; null before two deals.")
    more_needed = Integer(
        "About how many more deals would decide who is stronger, if they are like those so far: 0 if that is decided; "
        "null if nothing tells them apart.",
        allow_none=True,
    )


class Match(MatchSummary):
    """A match with its standings."""

    options = Words("The house rules by name.")
    at_once = Integer("How many games run at once at most.")
    against = Items(Word(BOT, "A bot."), "The bots on seats that no entrant takes.")
    commitment = Text(
        "The commitment to the secret of the match, from which the secrets of shared deals follow; null with `fresh`.",
        allow_none=True,
    )
    secret = Text("That secret, once the match is over; null until then.", allow_none=True)
    standings = Items(Part(MatchStanding()), "How the entrants stand, in the order in which they were named.")
    pairs = Items(Part(MatchPair()), "How each two of them compare.")


class MatchPage(OpenObject):
    """A page of matches."""

    items = Items(Part(MatchSummary()), "The matches, the newest first.")
    next_cursor = Text("What to send as `cursor` for the next page; null on the last.", allow_none=True)


class MatchSeat(OpenObject):
    """Who sits where in a game of a match, and what they got."""

    player = Part(Player(), "Who sits there.")
    bot = Word(BOT, "Which of the service's own bots that is; null for a program.", allow_none=True)
    place = Integer("Its place, from 1, as in results; null until the game has ended.", allow_none=True)
    tokens = Integer("The tokens it won; null until the game has ended.", allow_none=True)


class MatchResult(OpenObject):
    """A game of a match."""

    number = Integer("Its number in the match, from 0.")
    game = Text("The id of the game.")
    deal = Integer("The number of its deal: games of one deal are dealt the same cards.")
    status = Word(STATUS, "Where the game stands.")
    seats = Items(Part(MatchSeat()), "The seats in table order.")
    commitment = Text("The commitment to the secret of its deal, if that is shared; otherwise null.", allow_none=True)
    secret = Text("The secret of its deal, if that is shared and its last game has ended.", allow_none=True)


class MatchResultPage(OpenObject):
    """A page of games of a match."""

    items = Items(Part(MatchResult()), "The games that were opened, the latest first.")
    next_cursor = Text("What to send as `cursor` for the next page; null on the last.", allow_none=True)
