"""A game as a viewer sees it, in full and in short."""

from api.schemas.actions import LegalAction
from api.schemas.fields.base import (
    MAX_SEAT,
    Flag,
    Integer,
    Items,
    OpenObject,
    Part,
    Text,
    UtcTime,
    Word,
    Words,
    seat_number,
)
from api.schemas.fields.vocabulary import (
    CARD,
    CLOCK,
    DECISION,
    EDITION,
    LOBBY_CHANGE,
    ON_TIMEOUT,
    QUEUE_BOT_RULE,
    QUEUE_STATE,
    STATUS,
    VISIBILITY,
)
from api.schemas.players import Player


class Viewer(OpenObject):
    """Whose view this is."""

    seat = seat_number("The viewer's seat.", allow_none=True)


class Clock(OpenObject):
    """How long a seat may think, and what happens when it does not act in time."""

    kind = Word(CLOCK, "What it limits.")
    seconds = Integer("Seconds for each decision, or with a bank for all decisions of a seat in the game.")
    increment = Integer("Seconds that a bank gains with each decision; 0 without banks.")
    on_timeout = Word(ON_TIMEOUT, "What happens when the time is up.")
    break_days = Integer("Days off that each player may take in a calendar year; 0 if the game is not by the day.")


class SeatSummary(OpenObject):
    """A seat in short."""

    seat = seat_number("The seat's number, from 0 in table order.")
    player = Part(Player(), "Who sits there; null while the seat is open.", allow_none=True)
    invited = Part(Player(), "For whom the open seat is reserved; null if it is for anybody.", allow_none=True)
    tokens = Integer("The tokens it has won.")
    left = Flag("Whether it has left the running game.")


class Seat(SeatSummary):
    """A seat and what lies in front of it."""

    hints = Integer("How many hints it has been given in this game.")
    sane_tokens = Integer("Those of them that are sane; null in editions without insanity.", allow_none=True)
    insane_tokens = Integer("Those of them that are insane; null in editions without insanity.", allow_none=True)
    insane = Flag("Whether it is insane now; null in editions without insanity.", allow_none=True)
    in_round = Flag("Whether it is still in the round.")
    protected = Flag("Whether it cannot be chosen just now.")
    hand = Items(
        Word(CARD, "A card; null where the viewer does not know it.", allow_none=True),
        "Its hand; null for each card the viewer does not know.",
    )
    discards = Items(Word(CARD, "A card."), "Its discards, the first one first.")
    away = Flag(
        "Whether its time has run out and a bot stands in for it. Its player takes it back by acting or by `POST "
        "/v1/games/{game_id}/seats`."
    )
    bank_ms = Integer(
        "What it has in its bank, in milliseconds; null without banks. The bank of the seat that must act is what it "
        "had when it was asked, and is used up at `deadline`.",
        allow_none=True,
    )
    break_until = UtcTime(
        "Until when its player is on a break, unless the seat acts before; null without one. It may be over.",
        allow_none=True,
    )
    break_days_left = Integer(
        "How many days off its player has left at the newest event, of the year (UTC) in which more would begin."
    )


class Mark(OpenObject):
    """Something that a card set down until the round ends."""

    card = Word(CARD, "The card that set it down.")
    seat = seat_number("The seat that played the card.")
    target = seat_number("The seat it is about.")


class Round(OpenObject):
    """The round being played, or the last one."""

    number = Integer("The number of the round, from 1.", least=1)
    seats = Items(seat_number("A seat."), "The seats it was dealt to.")
    tie_break = Flag("Whether only some seats play it, to break a tie among those with enough tokens.")
    starter = seat_number("The seat that began it.")
    turn = seat_number("The seat whose turn it is.")
    deck_size = Integer("How many cards the draw pile has.")
    set_aside = Word(CARD, "The card set aside face down; null unless the viewer knows it.", allow_none=True)
    shown_aside = Items(Word(CARD, "A card."), "The cards set aside face up.")
    scores = Items(Integer("The tokens of a seat."), "The tokens of every seat when the round began.")
    bound = seat_number(
        "The seat that the next card must choose, if it chooses at all; null when there is none.", allow_none=True
    )
    marks = Items(Part(Mark()), "What cards have set down until the round ends; empty in most rounds.")
    in_play = Items(
        Word(CARD, "A card."),
        "The cards whose effect is not over yet, in editions where a played card is discarded only afterwards.",
    )


class UnseenCard(OpenObject):
    """How many copies of a card the viewer cannot place."""

    card = Word(CARD, "The card.")
    count = Integer("How many copies of it lie where the viewer does not know; 0 when all are accounted for.")


class Decision(OpenObject):
    """The question a seat has to answer before anything else happens."""

    seat = seat_number("The seat that must answer.")
    card = Word(CARD, "The card that asks.")
    kind = Word(DECISION, "What is asked.")
    text = Text("The question in words, without a full stop.")


class ForkPoint(OpenObject):
    """The game and version that a fork continues."""

    game = Text("The id of the game.")
    version = Integer("The version of that game from which this one continues.")


class MatchGame(OpenObject):
    """Which game of a match this is."""

    id = Text("The id of the match.")
    number = Integer("The number of the game in the match, from 0.")


class NonceReveals(OpenObject):
    """Which nonces the start of a game waits for."""

    until = UtcTime("When the game starts without those that are missing.")
    seats = Items(seat_number("A seat."), "The seats that have not revealed theirs.")


class Game(OpenObject):
    """A game as the viewer sees it."""

    id = Text("The game's id.")
    edition = Word(EDITION, "The rule set and deck.")
    options = Words("The house rules in force, by name; which there are depends on the edition.")
    status = Word(STATUS, "Where the game stands.")
    version = Integer("How many events the game has; the version of this view.")
    viewer = Part(Viewer(), "Whose view this is; null for a watcher and for a view of every seat.", allow_none=True)
    creator = Text("The id of the player who opened the table, or null.", allow_none=True)
    visibility = Word(VISIBILITY, "Who may see the game.")
    join_code = Text(
        "The code to join and watch an unlisted game; null unless you created it or have a seat.",
        allow_none=True,
    )
    clock = Part(Clock(), "The clock; null for no limit.", allow_none=True)
    sandbox = Flag(
        "Whether the decks were chosen by the creator, or are those of another game, as in a fork; statistics leave "
        "such games out."
    )
    rated = Flag(
        "Whether the game counts for ratings once it has ended, if at least two people or two programs play it."
    )
    aids = Flag("Whether players may ask, while they play, what can be known of the hidden cards, and for a hint.")
    seats = Items(Part(Seat()), "The seats in table order.")
    tokens_to_win = Integer("How many tokens win the game; where there are two kinds, how many sane ones.")
    round = Part(Round(), "The round; null before the start.", allow_none=True)
    unseen = Items(
        Part(UnseenCard()),
        "How many copies of each card of the deck the viewer cannot place, by public knowledge and what the viewer has "
        "seen; null outside a round, and in running games without `aids`.",
        allow_none=True,
    )
    to_act = seat_number("The seat that must act; null if none must.", allow_none=True)
    decision = Part(Decision(), "The open question; null when there is none.", allow_none=True)
    deadline = UtcTime("When the time of the seat that must act is up; null for no limit.", allow_none=True)
    legal_actions = Items(
        Part(LegalAction()), "Everything the viewer may do now; empty when another seat or nobody must act."
    )
    winners = Items(seat_number("A seat."), "The seats that won; empty while the game goes on.")
    commitment = Text("SHA-256 commitment to the secret that all chance of the game comes from, in hex.")
    created_at = UtcTime("When the table was opened.")
    started_at = UtcTime("When play began; null before.", allow_none=True)
    finished_at = UtcTime("When the game was over or called off; null before.", allow_none=True)
    abort_reason = Text(
        "Why the game ended without a result: `called_off` by its creator or an operator, `expired` after nobody "
        "touched it, or `restored` from a backup, before whose making it had not ended; null for any other game.",
        allow_none=True,
    )
    previous_game = Text("The id of the game this one is a rematch of, or null.", allow_none=True)
    next_game = Text("The id of the rematch of this game, or null.", allow_none=True)
    forked_from = Part(
        ForkPoint(), "The game and version that this game continues; null if it is no fork.", allow_none=True
    )
    match = Part(MatchGame(), "The match that this game is part of; null for none.", allow_none=True)
    deal = Text("The name of the deal that others are dealt, too; null if this game alone is.", allow_none=True)
    reveal = Part(
        NonceReveals(),
        "Every seat is taken, and the players who committed to a nonce must reveal it; null at any other time.",
        allow_none=True,
    )


class GameSummary(OpenObject):
    """A game in short."""

    id = Text("The game's id.")
    edition = Word(EDITION, "The rule set and deck.")
    status = Word(STATUS, "Where the game stands.")
    version = Integer("How many events the game has.")
    visibility = Word(VISIBILITY, "Who may see the game.")
    clock = Part(Clock(), "The clock; null for no limit.", allow_none=True)
    sandbox = Flag("Whether the decks were chosen by the creator, or are those of another game, as in a fork.")
    rated = Flag("Whether the game counts for ratings once it has ended, if two people or two programs play it.")
    host_present = Flag(
        "Whether the player who opened the table was here in the last minute, with a call or with an open stream; null "
        "for a game that is not open any more.",
        allow_none=True,
    )
    seats = Items(Part(SeatSummary()), "The seats in table order.")
    to_act = seat_number("The seat that must act; null if none must.", allow_none=True)
    your_turn = Flag("Whether that seat is the caller's.")
    deadline = UtcTime("When the time of the seat that must act is up; null for no limit.", allow_none=True)
    winners = Items(
        seat_number("A seat."),
        "The seats that won; empty for a game that ended without a result, null before the end.",
        allow_none=True,
    )
    created_at = UtcTime("When the table was opened.")
    started_at = UtcTime("When play began; null before.", allow_none=True)
    finished_at = UtcTime("When the game was over or called off; null before.", allow_none=True)


class LobbyChange(OpenObject):
    """A change of the lobby."""

    type = Word(LOBBY_CHANGE, "What has happened.")
    game = Part(
        GameSummary(),
        "The game as the lobby lists it for everybody, at that moment: `your_turn` is always false. With `gone` it is "
        "the last known state.",
    )


class GamePage(OpenObject):
    """One page of games."""

    items = Items(Part(GameSummary()), "The games.")
    next_cursor = Text("What to send as `cursor` for the next page; null on the last.", allow_none=True)


class QueueTicket(OpenObject):
    """Your place among those who wait for opponents."""

    id = Text("The ticket's id.")
    state = Word(QUEUE_STATE, "What has become of it.")
    waiting_since = UtcTime("When you began to wait.")
    waiting = Integer("How many players wait for a game of this edition now, with you.")
    game = Text("The id of your game once it is open; null until then.", allow_none=True)
    edition = Word(EDITION, "The rule set and deck.")
    seats = Items(Integer("A number of seats.", least=2, most=MAX_SEAT + 1), "The numbers of seats that suit you.")
    clock = Part(Clock(), "How long a seat may think; null for no limit.", allow_none=True)
    options = Words("The house rules by name, with those you left out.")
    rated = Flag("Whether the game counts.")
    bots = Word(QUEUE_BOT_RULE, "Whether bots may take seats.")
    programs = Flag("Whether you sit down with programs, if you are a person.")
