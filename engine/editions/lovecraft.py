"""The `lovecraft` edition: sane and insane, two to six seats, a deck and the Braincase.

Rules, "The cards of lovecraft" and what follows it there.
"""

from typing import Final

from engine.actions import GiveHands, PlayCard
from engine.cards import ANY, OTHER, OTHERS, Card, Face
from engine.editions.common import (
    all_in_game,
    baron,
    guard,
    handmaid,
    king,
    numbers_but_one,
    priest,
    prince,
    standing,
)
from engine.events import CardPlayed, DecisionOpened
from engine.rulebook import Edition, RoundVerdict, Rulebook
from engine.state import SEATS_OF, GameState
from engine.table import Table

# --- cards ---


def braincase(table: Table, play: CardPlayed) -> None:
    """Mi-Go Braincase: whoever plays it is out."""
    table.knock_out(play.seat)


def deep_ones_insane(table: Table, play: CardPlayed) -> None:
    """Deep Ones, insane: a seat that holds a 1 is out, whatever number is named."""
    if table.holds(play.target, 1):
        table.knock_out(play.target)
    else:
        guard(table, play)


def golden_mead_insane(table: Table, play: CardPlayed) -> None:
    """Golden Mead, insane: look at a hand, draw, and play one more card."""
    table.show(play.target, to=play.seat)
    if table.draw_card(play.seat):
        table.ask(play.seat, "golden_mead", PlayCard.type)


def hound_of_tindalos_insane(table: Table, play: CardPlayed) -> None:
    """Hound of Tindalos, insane: a sane seat is out."""
    if not table.state.is_insane(play.target):
        table.knock_out(play.target)


def liber_ivonis_insane(table: Table, play: CardPlayed) -> None:
    """Liber Ivonis, insane: the option says from what it saves the seat, at the showdown or before."""
    table.mark("liber_ivonis", play.seat, play.seat)


def mi_go_insane(table: Table, play: CardPlayed) -> None:
    """Mi-Go, insane: take a card, leave the Braincase for it, and play one more card."""
    table.take_hand(play.seat, play.target)
    table.receive(play.target, "mi_go_braincase")
    table.ask(play.seat, "mi_go", PlayCard.type)


def nyarlathotep_insane(table: Table, play: CardPlayed) -> None:
    """Nyarlathotep, insane: collect the hands of all others that can be chosen, and give one to each."""
    others = SEATS_OF[table.state.choosable() & ~(1 << play.seat)]
    for seat in others:
        table.show(seat, to=play.seat)
    if others:
        table.ask(play.seat, "nyarlathotep", GiveHands.type, others)


def nyarlathotep_gave(table: Table, decision: DecisionOpened, answer: GiveHands) -> None:
    """Nyarlathotep, insane: the hands go where the player wants them."""
    table.give_hands(decision.seat, answer.hands)


def shining_trapezohedron_insane(table: Table, play: CardPlayed) -> None:
    """Shining Trapezohedron, insane: with a card above 4 the round is won at once."""
    if table.value(play.seat) > 4:
        table.win_round(play.seat, play.card)


def cthulhu_insane(table: Table, play: CardPlayed) -> None:
    """Cthulhu, insane: with two insanity cards in the discards the game is won at once."""
    if insanity_cards(table.state, play.seat) >= 2:
        table.win_game(play.seat)


def out(table: Table, seat: int) -> None:
    """Necronomicon and Cthulhu: out as soon as they lie in one's discards."""
    table.knock_out(seat)


# --- parts of rows ---


def beside_above_four(book: Rulebook, other: str, insane: bool) -> bool:
    """Silver Key: must be played while the other card is above 4, but for an insane seat's Shining Trapezohedron."""
    return book.values[other] > 4 and not (insane and other == "shining_trapezohedron")


def beside_above_four_if_sane(book: Rulebook, other: str, insane: bool) -> bool:
    """Shining Trapezohedron: must be played while the other card is above 4, unless the seat is insane."""
    return book.values[other] > 4 and not insane


# --- rules ---


def insanity_cards(state: GameState, seat: int) -> int:
    """Returns how many insanity cards lie in a seat's discards, in the edition `lovecraft`."""
    return sum([card in state.book.insanity for card in state.seats[seat].discards])


def sanity_check(table: Table, seat: int) -> None:
    """Sanity check of `lovecraft`: each insanity card reveals one; another, or the Necronomicon, knocks out."""
    for _ in range(insanity_cards(table.state, seat)):
        if not table.state.deck or not table.in_round(seat):
            return
        card = table.reveal_top(seat)
        if card in table.state.book.insanity or card == "necronomicon":
            table.knock_out(seat)


def has_read_liber_ivonis(state: GameState, seat: int) -> bool:
    """Returns whether a seat has played the edition's Liber Ivonis insane in this round."""
    return state.marks.get("liber_ivonis") == (seat, seat)


def spared_by_liber_ivonis(state: GameState, seat: int) -> bool:
    """Returns whether the edition's Liber Ivonis, as published, spares a seat every knock-out before the showdown."""
    return state.book.options["liber_ivonis"] == "published" and has_read_liber_ivonis(state, seat)


def kept_by_liber_ivonis(state: GameState, seat: int) -> bool:
    """Returns whether the edition's Liber Ivonis, not as published, keeps a seat at a showdown with equal numbers."""
    return state.book.options["liber_ivonis"] == "showdown" and has_read_liber_ivonis(state, seat)


def highest_without_equal(table: Table, seats: tuple[int, ...]) -> RoundVerdict:
    """Showdown of `lovecraft`: equal numbers remove each other; the highest that is left wins, or nobody."""
    standings = tuple([standing(table, seat) for seat in seats])
    numbers = [one["number"] for one in standings]
    for one in standings:
        if numbers.count(one["number"]) == 1:
            continue
        if kept_by_liber_ivonis(table.state, one["seat"]):
            one["changed_by"] = "liber_ivonis"
        else:
            one["counted"] = None
    left = [one for one in standings if one["counted"] is not None]
    if not left:
        return RoundVerdict((), "equal_numbers", None, standings)
    return RoundVerdict((max(left, key=lambda one: one["counted"])["seat"],), "highest_number", None, standings)


def enough_of_one_kind(state: GameState) -> tuple[int, ...]:
    """Returns who has won a game of `lovecraft`: enough sane tokens, or enough insane ones; not together."""
    book = state.book
    return tuple(
        [
            i
            for i, seat in enumerate(state.seats)
            if not seat.left
            and (
                seat.tokens - seat.insane_tokens >= book.tokens_to_win
                or seat.insane_tokens >= book.insane_tokens_to_win
            )
        ]
    )


def sane_or_insane(state: GameState, seat: int) -> str:
    """Returns the kind of token a round of `lovecraft` pays: an insane one if an insane seat has won it."""
    return "insane" if state.is_insane(seat) else "sane"


# --- the table ---

CARDS: Final = (
    #    key     value copies
    Card("mi_go_braincase", 0, 0, insanity=True, play=braincase),  # lies beside the deck
    Card("investigators", 1, 5, targets=OTHER, guess=numbers_but_one, play=guard),
    Card(
        "deep_ones",
        1,
        1,
        targets=OTHER,
        guess=numbers_but_one,
        play=guard,
        insanity=True,
        insane=Face(targets=OTHER, guess=numbers_but_one, play=deep_ones_insane),
    ),
    Card("cats_of_ulthar", 2, 2, targets=OTHER, play=priest),
    Card(
        "golden_mead",
        2,
        1,
        targets=OTHER,
        play=priest,
        insanity=True,
        insane=Face(targets=OTHER, play=golden_mead_insane, answers={PlayCard.type: None}),
    ),
    Card("great_race_of_yith", 3, 2, targets=OTHER, play=baron),
    Card(
        "hound_of_tindalos",
        3,
        1,
        targets=OTHER,
        play=baron,
        insanity=True,
        insane=Face(targets=OTHER, play=hound_of_tindalos_insane),
    ),
    Card("elder_sign", 4, 2, play=handmaid),
    Card("liber_ivonis", 4, 1, play=handmaid, insanity=True, insane=Face(play=liber_ivonis_insane), marks="own"),
    Card("professor_henry_armitage", 5, 2, targets=ANY, play=prince),
    Card(
        "mi_go",
        5,
        1,
        targets=ANY,
        play=prince,
        insanity=True,
        insane=Face(targets=OTHER, play=mi_go_insane, answers={PlayCard.type: None}),
        gives="mi_go_braincase",
    ),
    Card("randolph_carter", 6, 1, targets=OTHER, play=king),
    Card(
        "nyarlathotep",
        6,
        1,
        targets=OTHER,
        play=king,
        insanity=True,
        insane=Face(play=nyarlathotep_insane, needs=OTHERS, answers={GiveHands.type: nyarlathotep_gave}),
    ),
    Card("silver_key", 7, 1, forced=beside_above_four),
    Card(
        "shining_trapezohedron",
        7,
        1,
        forced=beside_above_four_if_sane,
        insanity=True,
        insane=Face(play=shining_trapezohedron_insane),
    ),
    Card("necronomicon", 8, 1, discarded=out),
    Card("cthulhu", 8, 1, discarded=out, insanity=True, insane=Face(play=cthulhu_insane)),
)


def cards_for(seats: int) -> tuple[Card, ...]:
    """Returns the cards of the edition `lovecraft`: the deck is the same at every table."""
    return CARDS


LOVECRAFT: Final = Edition(
    id="lovecraft",
    seats=range(2, 7),
    cards_for=cards_for,
    tokens_to_win=dict.fromkeys(range(2, 7), 2),
    insane_tokens_to_win=3,
    shown_aside={2: 5},
    showdown=highest_without_equal,
    game_winners=enough_of_one_kind,
    entrants=all_in_game,
    turn_start=sanity_check,
    spared=spared_by_liber_ivonis,
    token_kind=sane_or_insane,
    played_into="in_play",
    options={"liber_ivonis": ("showdown", "published")},
)
