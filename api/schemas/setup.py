"""What a client sends to open a table or to sit down at one; the game that comes of it is elsewhere."""

from typing import Any

import marshmallow as ma

from api.schemas.base import MAX_SEAT, Closed, Constant, Integer, Items, Part, Text, Union, Word, seat_number
from api.schemas.vocabulary import BOT, CARD, CLOCK, EDITION, ON_TIMEOUT, OPTIONS, VISIBILITY
from engine.editions import EDITIONS
from service.said import Said

MAX_NONCE = 200
MAX_SECONDS = 1_209_600
"""Two weeks."""


class CreatorSeat(Closed):
    """The seat of the one who opens the table."""

    kind = Constant("creator")


class OpenSeat(Closed):
    """A seat for whoever takes it."""

    kind = Constant("open")


class BotSeat(Closed):
    """A seat played by a program of the service."""

    kind = Constant("bot")
    bot = Word(BOT, "The program.", required=True)


class InvitedSeat(Closed):
    """A seat that is kept for a player, who accepts or declines."""

    kind = Constant("invited")
    player = Text("The id of the player.", required=True, most=64)


class SeatSetup(Union):
    """Who sits where, told apart by `kind`."""

    tag = "kind"
    variants = (CreatorSeat(), OpenSeat(), BotSeat(), InvitedSeat())


class ClockSetup(Closed):
    """How long a seat may think, and what happens when it does not act in time."""

    seconds = Integer(
        "Seconds for each decision, or with a bank for all that a seat has to decide in the game. A day has 86,400.",
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


class RoundSetup(Closed):
    """How one round of a sandbox game begins."""

    starter = seat_number("The seat that begins; absent: as by the rules.")
    order = Items(
        Word(CARD, "A card."),
        "The shuffled deck from the top: the card set aside, then those set aside face up, one for each seat from "
        "seat 0 up, then the draw pile. A prefix will do, the rest is shuffled.",
        most=40,
    )


class SandboxSetup(Closed):
    """Chosen decks, for integrators' tests: the game is marked as such and kept out of any statistics."""

    rounds = Items(Part(RoundSetup()), "The first rounds; those beyond the list are shuffled.", most=60)


def option_choices() -> type[Closed]:
    """Returns the schema of `options`: one optional word for each house reading of any edition."""
    fields: dict[str, Any] = {
        name: Word(vocabulary, "One of the values listed with the edition.") for name, vocabulary in OPTIONS.items()
    }
    return type(
        "OptionChoices",
        (Closed,),
        {"__doc__": "The house readings to play by; those left out are at the default of the edition.", **fields},
    )


class GameSetup(Closed):
    """A table to open."""

    edition = Word(EDITION, "The rule set and deck.", required=True)
    seats = Items(
        Part(SeatSetup()),
        "The seats in table order: at most one `creator`, as many in all as the edition allows.",
        required=True,
        least=2,
        most=MAX_SEAT + 1,
    )
    visibility = Word(VISIBILITY, "Who may see the game; absent: `public`.")
    clock = Part(ClockSetup(), "How long a seat may think; absent: as long as it likes.")
    starter = seat_number("The seat that begins the first round; absent: drawn.")
    nonce = Text("The creator's own contribution to the shuffle.", most=MAX_NONCE)
    options = Part(option_choices()(), "House readings; absent: the defaults of the edition.")
    sandbox = Part(SandboxSetup(), "Chosen decks, for tests; absent: the decks are shuffled.")

    @ma.pre_load
    def seats_of_edition(self, data: Any, **options: Any) -> Any:
        """Refuses as many seats as no edition has with those of the edition that is wanted."""
        if not isinstance(data, dict) or not isinstance(data.get("edition"), str):
            return data
        edition, seats = EDITIONS.get(data["edition"]), data.get("seats")
        if edition is not None and isinstance(seats, list) and not 2 <= len(seats) <= MAX_SEAT + 1:
            bounds = {"fewest": edition.seats[0], "most": edition.seats[-1]}
            raise ma.ValidationError({"seats": [Said("fault.seats_of_edition", bounds)]})
        return data


class ForkBot(Closed):
    """Which program plays a seat of a fork."""

    seat = seat_number("The seat.", required=True)
    bot = Word(BOT, "The program.", required=True)


class ForkSetup(Closed):
    """From where a game that has ended is to go on, and with whom."""

    version = Integer(
        "The version to go on from, such as the `act_version` of a turn. One within a step stands for the beginning of "
        "the step: the last moment at which a seat had to act.",
        required=True,
        least=1,
    )
    seat = seat_number("The caller's seat from there on; absent: the one that they had.")
    bots = Items(
        Part(ForkBot()),
        "Who plays the other seats; those left out are played by the bot that sat there, or by `cautious` for anybody "
        "else.",
        most=MAX_SEAT,
    )
    join_code = Text("The code of an unlisted game, for one who had no seat there.", most=64)


class SeatClaim(Closed):
    """The seat wanted."""

    seat = seat_number("The seat; absent: the first open one.")
    join_code = Text("The code of an unlisted game.", most=64)
    nonce = Text("The player's own contribution to the shuffle.", most=MAX_NONCE)
    bot = Word(BOT, "By the creator: fill the seat with this program instead of sitting down.")
    player = Text("By the creator: keep the seat for the player with this id, and invite them.", most=64)
