"""The `premium` edition: 2018, two to eight seats, a larger deck from five seats on (rules, "The cards of premium")."""

from dataclasses import replace
from typing import Any, Final

from engine.actions import PeekHand, RedrawHand
from engine.cards import ANY, OTHER, Card, Targets
from engine.editions.common import (
    MustPlayBeside,
    baron,
    guard,
    handmaid,
    king,
    numbers_but_one,
    priest,
    prince,
    princess_discarded,
    standing,
)
from engine.events import CardPlayed, DecisionOpened
from engine.rulebook import Edition, RoundVerdict
from engine.state import GameState
from engine.table import Table

# --- cards ---


def assassin_guarded(table: Table, play: CardPlayed) -> bool:
    """Assassin: a Guard played on its holder knocks out the Guard's player; the holder discards it and draws."""
    table.knock_out(play.seat)
    table.discard_and_redraw(play.target)
    return True


def jester(table: Table, play: CardPlayed) -> None:
    """Jester: mark a seat for the round."""
    table.mark("jester", play.seat, play.target)


def jester_round_end(table: Table, winners: tuple[int, ...]) -> None:
    """Jester: a token if the marked seat is among the winners, also for a player that is out."""
    marked = table.state.marks.get("jester")
    if marked is not None and marked[1] in winners:
        table.award(marked[0], "jester")


def cardinal(table: Table, play: CardPlayed) -> None:
    """Cardinal: two seats swap hands, then the player may look at one of them."""
    first, second = play.targets
    table.trade(first, second)
    table.ask(play.seat, "cardinal", PeekHand.type, play.targets)


def cardinal_peeked(table: Table, decision: DecisionOpened, answer: PeekHand) -> None:
    """Cardinal: the hand that was picked is shown."""
    if answer.seat is not None:
        table.show(answer.seat, to=decision.seat)


def baroness(table: Table, play: CardPlayed) -> None:
    """Baroness: look at one or two hands."""
    for seat in play.targets:
        table.show(seat, to=play.seat)


def sycophant(table: Table, play: CardPlayed) -> None:
    """Sycophant: the next card played must choose this seat, if it chooses."""
    table.bind(play.target)


def constable_knocked_out(table: Table, seat: int) -> None:
    """Constable: a token for a seat knocked out with it in its discards."""
    table.award(seat, "constable")


def dowager_queen(table: Table, play: CardPlayed) -> None:
    """Dowager Queen: the higher hand is out."""
    difference = table.compare(play.seat, play.target)
    if difference:
        table.knock_out(play.seat if difference > 0 else play.target)


def bishop(table: Table, play: CardPlayed) -> None:
    """Bishop: a hit pays a token at once, and if the game goes on the guessed seat may have another hand."""
    if table.holds(play.target, play.named):
        table.award(play.seat, "bishop")
        if not champion(table.state):
            table.ask(play.target, "bishop", RedrawHand.type)


def bishop_redrawn(table: Table, decision: DecisionOpened, answer: RedrawHand) -> None:
    """Bishop: the guessed seat keeps its hand, or discards it and draws."""
    if answer.redraw:
        table.discard_and_redraw(decision.seat)


# --- rules ---


def highest_with_counts(table: Table, seats: tuple[int, ...]) -> RoundVerdict:
    """Showdown of `premium`: the highest hand wins, each Count adds one; then the highest sum of the discards.

    A Bishop is beaten whatever it counts if the Princess is held by one of the seats.
    """
    standings = tuple([standing(table, seat) for seat in seats])
    princess = any(one["card"] == "princess" for one in standings)
    for one in standings:
        _change(one, table.state.seats[one["seat"]].discards, princess)
    best = max([one["counted"] or 0 for one in standings])
    tied = [one for one in standings if one["counted"] == best]
    if len(tied) == 1:
        return RoundVerdict((tied[0]["seat"],), "highest_number", None, standings)
    for one in tied:
        discards = table.state.seats[one["seat"]].discards
        one["discard_sum"] = sum([table.state.book.values[card] for card in discards])
    most = max([one["discard_sum"] for one in tied])
    return RoundVerdict(
        tuple([one["seat"] for one in tied if one["discard_sum"] == most]), "discard_sum", None, standings
    )


def _change(one: dict[str, Any], discards: list[str], princess: bool) -> None:
    """Changes what a card counts at a showdown of `premium`: a seat's Counts add to it, a Princess cancels a Bishop."""
    if princess and one["card"] == "bishop":
        one["counted"], one["changed_by"] = None, "princess"
    elif "count" in discards:
        one["counted"], one["changed_by"] = one["number"] + discards.count("count"), "count"


def contenders(state: GameState) -> tuple[int, ...]:
    """Returns the seats with enough tokens in `premium`; in a tie-break round, those that have gained one.

    Several of them play another round among themselves. A seat that has left is never one: it gains no more tokens,
    and with enough of them it could have left only in a tie-break round.
    """
    target = state.book.tokens_to_win
    tie_break = max(state.scores) >= target
    found = []
    for seat, (now, before) in enumerate(zip(state.seats, state.scores, strict=True)):
        if now.tokens >= target and (now.tokens > before or not tie_break):
            found.append(seat)
    return tuple(found)


def champion(state: GameState) -> tuple[int, ...]:
    """Returns who has won a game of `premium`: the one seat with enough tokens; nobody while several have them."""
    found = contenders(state)
    return found if len(found) == 1 else ()


def entrants(state: GameState) -> tuple[int, ...]:
    """Returns who is dealt into a round of `premium`: all in the game, but a tie break only the contenders."""
    return contenders(state) or state.in_game()


# --- the table ---

ONE_OR_TWO_OTHERS: Final = Targets(1, 2)
ANY_TWO: Final = Targets(2, 2, own=True)

CARDS: Final = (
    #    key     value copies
    Card("assassin", 0, 1, guarded=assassin_guarded),
    Card("jester", 0, 1, targets=OTHER, play=jester, round_end=jester_round_end, marks="other"),
    Card("guard", 1, 8, targets=OTHER, guess=numbers_but_one, play=guard),
    Card("priest", 2, 2, targets=OTHER, play=priest),
    Card("cardinal", 2, 2, targets=ANY_TWO, play=cardinal, answers={PeekHand.type: cardinal_peeked}),
    Card("baron", 3, 2, targets=OTHER, play=baron),
    Card("baroness", 3, 2, targets=ONE_OR_TWO_OTHERS, play=baroness),
    Card("handmaid", 4, 2, play=handmaid),
    Card("sycophant", 4, 2, targets=ANY, play=sycophant, binds=True),
    Card("prince", 5, 2, targets=ANY, play=prince),
    Card("count", 5, 2),  # counts at the showdown
    Card("king", 6, 1, targets=OTHER, play=king),
    Card("constable", 6, 1, knocked_out=constable_knocked_out),
    Card("countess", 7, 1, forced=MustPlayBeside(("king", "prince"))),
    Card("dowager_queen", 7, 1, targets=OTHER, play=dowager_queen),
    Card("princess", 8, 1, discarded=princess_discarded),
    Card("bishop", 9, 1, targets=OTHER, guess=numbers_but_one, play=bishop, answers={RedrawHand.type: bishop_redrawn}),
)

SMALL_DECK: Final = {
    "guard": 5,
    "priest": 2,
    "baron": 2,
    "handmaid": 2,
    "prince": 2,
    "king": 1,
    "countess": 1,
    "princess": 1,
}


def cards_for(seats: int) -> tuple[Card, ...]:
    """Returns the cards of the edition `premium`: two to four seats play with 16 of them."""
    if seats > 4:
        return CARDS
    return tuple([replace(card, copies=SMALL_DECK[card.key]) for card in CARDS if card.key in SMALL_DECK])


PREMIUM: Final = Edition(
    id="premium",
    seats=range(2, 9),
    cards_for=cards_for,
    tokens_to_win={2: 7, 3: 5, 4: 4, 5: 4, 6: 4, 7: 4, 8: 4},
    shown_aside={2: 3},
    showdown=highest_with_counts,
    game_winners=champion,
    entrants=entrants,
    instant_winners=champion,
)
