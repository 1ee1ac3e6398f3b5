"""Requests to open a table, to join one, or to wait for one."""

from typing import Any

import marshmallow as ma

from api.schemas.fields.base import (
    MAX_SEAT,
    MAX_VERSION,
    ClosedObject,
    Constant,
    Flag,
    Integer,
    Items,
    Part,
    Text,
    Union,
    Word,
    player_id,
    seat_number,
)
from api.schemas.fields.checks import FullMatch
from api.schemas.fields.vocabulary import BOT, CARD, CLOCK, EDITION, ON_TIMEOUT, OPTIONS, QUEUE_BOT_RULE, VISIBILITY
from engine.editions import EDITIONS
from games.clocks.breaks import DAYS_A_YEAR
from games.messages import Message
from games.reveals import LEAST_NONCE
from games.reveals import MOST_NONCE as MAX_NONCE

MOST_CARDS = 40
"""More than any deck has."""
MOST_BREAK_DAYS = 30
MAX_SECONDS = 1_209_600
"""Two weeks."""


def nonce_commitment() -> Text:
    """Returns a field by which a player commits to a nonce."""
    return Text(
        f"In place of `nonce`: SHA-256, as lower-case hex, of a text of {LEAST_NONCE} to {MAX_NONCE} characters that "
        "the player keeps to themselves until every seat is taken.",
        validate=[FullMatch("^[0-9a-f]{64}$", Message("fault.hex_digest"))],
    )


class CreatorSeat(ClosedObject):
    """Your own seat."""

    kind = Constant("creator")


class OpenSeat(ClosedObject):
    """A seat that anybody may take."""

    kind = Constant("open")


class BotSeat(ClosedObject):
    """A seat played by one of the service's own bots."""

    kind = Constant("bot")
    bot = Word(BOT, "The bot.", required=True)


class InvitedSeat(ClosedObject):
    """A seat that is reserved for a player, who accepts or declines."""

    kind = Constant("invited")
    player = player_id("The id of the player.", required=True)


class SeatSetup(Union):
    """Who sits where, told apart by `kind`."""

    tag = "kind"
    variants = (CreatorSeat(), OpenSeat(), BotSeat(), InvitedSeat())


class ClockSetup(ClosedObject):
    """How long a seat may think, and what happens when it does not act in time."""

    seconds = Integer(
        "Seconds for each decision, or with a bank for all decisions of a seat in the game. A day has 86,400.",
        required=True,
        least=1,
        most=MAX_SECONDS,
    )
    on_timeout = Word(ON_TIMEOUT, "What happens when the time is up; absent: `bot_plays`.")
    # What came later stands later: generated clients take members in this order.
    kind = Word(CLOCK, "What it limits; absent: `decision`.")
    increment = Integer(
        "Seconds that a bank gains with each decision; absent: none. For the kind `bank` alone.",
        least=0,
        most=MAX_SECONDS,
    )
    break_days = Integer(
        f"Days off that each player may take in a calendar year; absent: {DAYS_A_YEAR}. For clocks of a day or more "
        "alone.",
        least=0,
        most=MOST_BREAK_DAYS,
    )


class BreakSetup(ClosedObject):
    """How many days off you take."""

    days = Integer("The days.", required=True, least=1, most=MOST_BREAK_DAYS)


class RoundSetup(ClosedObject):
    """How one round of a sandbox game begins."""

    starter = seat_number("The seat that begins; absent: the rules decide.")
    order = Items(
        Word(CARD, "A card."),
        "The shuffled deck from the top: the card set aside, then those set aside face up, one for each seat from "
        "seat 0 up, then the draw pile. A prefix is enough: the rest is shuffled.",
        most=MOST_CARDS,
    )


class MarkSetup(ClosedObject):
    """A card that marks a seat for the rest of the round."""

    card = Word(CARD, "The card.", required=True)
    seat = seat_number("The seat that played it.", required=True)
    target = seat_number("The marked seat.", required=True)


def pile(description: str, **options: Any) -> Items:
    """Returns a field for cards."""
    return Items(Word(CARD, "A card."), description, most=MOST_CARDS, **options)


class PositionSetup(ClosedObject):
    """Where everything lies as a round of a sandbox begins in the middle; an empty one leaves the round to the rules.

    Cards that are left out are drawn from the rest of the deck. Seats at the end of a list may be left out.
    """

    hands = Items(
        pile("A hand: one card, or none for one that is drawn."),
        "By seat, the hand. The seat whose turn it is draws as its turn begins, unless it is given two cards: then it "
        "has drawn the second already. A seat that is out has no hand.",
        most=MAX_SEAT + 1,
    )
    discards = Items(pile("The cards, the oldest first."), "By seat, the discards; absent: none.", most=MAX_SEAT + 1)
    deck = pile("The cards left to draw, the top first; may be empty. Absent: all cards that lie nowhere else.")
    set_aside = Word(CARD, "The card set aside face down.")
    shown_aside = pile("The cards set aside face up; absent: as many as the edition has.")
    out = Items(seat_number("A seat."), "The seats that are out of the round; absent: none.", most=MAX_SEAT + 1)
    protected = Items(seat_number("A seat."), "The seats that cannot be chosen; absent: none.", most=MAX_SEAT + 1)
    bound = seat_number("The seat that the next card must choose, if it chooses; absent: none.")
    marks = Items(Part(MarkSetup()), "The cards that mark a seat; absent: none.", most=MAX_SEAT + 1)
    tokens = Items(
        Integer("How many.", most=99),
        "By seat, the tokens of both kinds; absent: those of the game so far.",
        most=MAX_SEAT + 1,
    )
    insane_tokens = Items(
        Integer("How many.", most=99),
        "By seat, how many of the tokens are insane; absent: none if `tokens` is given, else those of the game so far.",
        most=MAX_SEAT + 1,
    )
    turn = seat_number("The seat whose turn it is; absent: the one with two cards, else the first that is in.")


class SandboxSetup(ClosedObject):
    """Chosen decks and positions, for tests: the game is marked, and statistics leave it out."""

    rounds = Items(Part(RoundSetup()), "The first rounds, at least one; those beyond the list are shuffled.", most=60)
    positions = Items(
        Part(PositionSetup()),
        "The first rounds again, at least one, for those that begin in the middle. A round cannot be in both lists.",
        most=60,
    )


def option_choices() -> type[ClosedObject]:
    """Returns the schema of `options`: one optional word for each house rule of any edition."""
    fields: dict[str, Any] = {
        name: Word(vocabulary, "One of the values listed with the edition.") for name, vocabulary in OPTIONS.items()
    }
    return type(
        "OptionChoices",
        (ClosedObject,),
        {"__doc__": "The house rules to play by; those left out have the default of the edition.", **fields},
    )


OptionChoices = option_choices()


class GameSetup(ClosedObject):
    """A table to open."""

    edition = Word(EDITION, "The rule set and deck.", required=True)
    seats = Items(
        Part(SeatSetup()),
        "The seats in table order, as many as the edition allows: at most one `creator`, but in a sandbox several.",
        required=True,
        least=2,
        most=MAX_SEAT + 1,
    )
    visibility = Word(VISIBILITY, "Who may see the game; absent: `public`.")
    clock = Part(ClockSetup(), "How long a seat may think; absent: without limit.")
    starter = seat_number("The seat that begins the first round; absent: drawn.")
    nonce = Text("The creator's own contribution to the shuffle, as a text.", most=MAX_NONCE)
    options = Part(OptionChoices(), "House rules; absent: the defaults of the edition.")
    sandbox = Part(SandboxSetup(), "Chosen decks and positions, for tests; absent: the decks are shuffled.")
    nonce_hash = nonce_commitment()
    rated = Flag(
        "Whether the game counts for ratings; absent: it does not. It must be public and no sandbox, with at least two "
        "seats for players. All who sit down see it before, and so agree."
    )

    aids = Flag(
        "Whether players may ask, while they play, what can be known of the hidden cards, and for a hint; absent: they "
        "may. In rated games they never may."
    )

    @ma.pre_load
    def seats_of_edition(self, data: Any, **options: Any) -> Any:
        """Refuses more or fewer seats than any edition has, with those of the wanted one."""
        if not isinstance(data, dict) or not isinstance(data.get("edition"), str):
            return data
        edition, seats = EDITIONS.get(data["edition"]), data.get("seats")
        if edition is not None and isinstance(seats, list) and not 2 <= len(seats) <= MAX_SEAT + 1:
            bounds = {"fewest": edition.seats[0], "most": edition.seats[-1]}
            raise ma.ValidationError({"seats": [Message("fault.seats_of_edition", bounds)]})
        return data


class QueueSetup(ClosedObject):
    """The game that you wait for."""

    edition = Word(EDITION, "The rule set and deck.", required=True)
    seats = Items(
        Integer("A number of seats.", least=2, most=MAX_SEAT + 1),
        "The numbers of seats that suit you, at least one.",
        required=True,
        least=1,
        most=MAX_SEAT,
    )
    clock = Part(ClockSetup(), "How long a seat may think; absent: without limit.")
    rated = Flag("Whether the game counts; absent: it does not.")
    bots = Word(QUEUE_BOT_RULE, "Whether bots may take seats; absent: `never`.")
    options = Part(OptionChoices(), "House rules; absent: the defaults of the edition.")
    programs = Flag(
        "Whether you sit down with programs that play as players do; absent: you do not. A program sits down with "
        "anybody."
    )


class ForkBot(ClosedObject):
    """Which bot plays a seat of a fork."""

    seat = seat_number("The seat.", required=True)
    bot = Word(BOT, "The bot.", required=True)


class ForkSetup(ClosedObject):
    """Where a fork continues an ended game, and with whom."""

    version = Integer(
        "The version to continue from, such as the `act_version` of a turn. A version within a step means the "
        "beginning of the step: the last moment at which a seat had to act.",
        required=True,
        least=1,
        most=MAX_VERSION,
    )
    seat = seat_number("Your seat in the fork; absent: the one that you had.")
    bots = Items(
        Part(ForkBot()),
        "Who plays the other seats; those left out are played by the bot that sat there, or by `cautious` in place of "
        "a player.",
        most=MAX_SEAT,
    )
    join_code = Text("The join code of an unlisted game where you had no seat.", most=64)


class SeatClaim(ClosedObject):
    """The seat you want."""

    seat = seat_number("The seat; absent: the first open one.")
    join_code = Text("The code of an unlisted game.", most=64)
    nonce = Text("The player's own contribution to the shuffle.", most=MAX_NONCE)
    bot = Word(BOT, "As the creator: fill the seat with this bot instead of sitting down.")
    player = player_id("As the creator: reserve the seat for the player with this id, and invite them.")
    nonce_hash = nonce_commitment()


class CodeClaim(ClosedObject):
    """A seat at the table with a join code."""

    code = Text("The join code, in upper or lower case.", required=True, least=1, most=64)
    nonce = Text("The player's own contribution to the shuffle.", most=MAX_NONCE)
    nonce_hash = nonce_commitment()


class RematchClaim(ClosedObject):
    """What you contribute to the shuffle if you sit down again."""

    nonce = Text("The player's own contribution to the shuffle.", most=MAX_NONCE)
    nonce_hash = nonce_commitment()


class NonceReveal(ClosedObject):
    """The nonce behind a hash."""

    nonce = Text(
        f"The text whose hash was sent when the seat was taken. It needs at least {LEAST_NONCE} characters.",
        required=True,
        least=1,
        most=MAX_NONCE,
    )
