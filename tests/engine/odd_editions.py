"""Two toy editions of the oddest cards there are, to prove that such cards are rows and small functions.

`odd_marks` has marks, several targets, decisions by other seats, tokens in the middle of a round and tie-break rounds;
`odd_madness` has two faces per card, cards that reach the discards after their effect, extra plays, sanity checks, two
kinds of tokens and instant wins. They are no editions to play: `tests/engine/conftest.py` adds them where a test asks.
"""

from typing import Final

from engine.cards import ANY, OTHER, Card, Face, Targets
from engine.decisions import GIVE_HANDS, PEEK_HAND, PLAY_CARD, REDRAW_HAND
from engine.editions.common import (
    all_in_game,
    baron,
    guard,
    handmaid,
    must_play_beside,
    priest,
    prince,
    princess_discarded,
)
from engine.rulebook import Edition

ONE_OR_TWO_OTHERS: Final = Targets(1, 2)
ANY_TWO: Final = Targets(2, 2, own=True)


def numbers_but_one(book):
    return tuple(sorted(set(book.values.values()) - {1}))


# --- marks -----------------------------------------------------------------------------------------------------------


def jester(table, play):
    table.mark("jester", play.seat, play.target)


def jester_round_end(table, winners):
    player, marked = table.state.marks.get("jester", (None, None))
    if marked in winners:
        table.award(player, "jester")


def assassin_guarded(table, play):
    table.knock_out(play.seat)
    table.discard_and_redraw(play.target)
    return True


def cardinal(table, play):
    first, second = play.targets
    table.trade(first, second)
    table.ask(play.seat, "cardinal", PEEK_HAND, play.targets)


def cardinal_peeked(table, decision, answer):
    if answer.seat is not None:
        table.show(answer.seat, to=decision.seat)


def baroness(table, play):
    for seat in play.targets:
        table.show(seat, to=play.seat)


def sycophant(table, play):
    table.bind(play.target)


def constable_knocked_out(table, seat):
    table.award(seat, "constable")


def bishop(table, play):
    if table.holds(play.target, play.named):
        table.award(play.seat, "bishop")
        if not champion(table.state):
            table.ask(play.target, "bishop", REDRAW_HAND)


def bishop_redrawn(table, decision, answer):
    if answer.redraw:
        table.discard_and_redraw(decision.seat)


def leaders(state):
    best = max(state.seats[seat].tokens for seat in state.in_game())
    if best < state.book.tokens_to_win:
        return ()
    return tuple(seat for seat in state.in_game() if state.seats[seat].tokens == best)


def champion(state):
    first = leaders(state)
    return first if len(first) == 1 else ()


def tie_break_entrants(state):
    return leaders(state) or state.in_game()


def highest_hand_with_counts(table, seats):
    def strength(seat):
        return table.value(seat) + table.state.seats[seat].discards.count("count")

    tied = [seat for seat in seats if strength(seat) == max(strength(other) for other in seats)]
    sums = {seat: sum(table.state.book.values[card] for card in table.state.seats[seat].discards) for seat in tied}
    return tuple(seat for seat in tied if sums[seat] == max(sums.values()))


MARKS: Final = (
    #    key     value copies
    Card("jester", 0, 1, targets=OTHER, play=jester, round_end=jester_round_end),
    Card("assassin", 0, 1, guarded=assassin_guarded),
    Card("guard", 1, 4, targets=OTHER, guess=numbers_but_one, play=guard),
    Card("cardinal", 2, 2, targets=ANY_TWO, play=cardinal, answers={PEEK_HAND: cardinal_peeked}),
    Card("baroness", 3, 2, targets=ONE_OR_TWO_OTHERS, play=baroness),
    Card("sycophant", 4, 2, targets=ANY, play=sycophant),
    Card("handmaid", 4, 1, play=handmaid),
    Card("prince", 5, 2, targets=ANY, play=prince),
    Card("count", 5, 2),
    Card("constable", 6, 1, knocked_out=constable_knocked_out),
    Card("countess", 7, 1, forced=must_play_beside("prince")),
    Card("princess", 8, 1, discarded=princess_discarded),
    Card("bishop", 9, 1, targets=OTHER, guess=numbers_but_one, play=bishop, answers={REDRAW_HAND: bishop_redrawn}),
)

ODD_MARKS: Final = Edition(
    id="odd_marks",
    title="Marks",
    seats=range(2, 6),
    cards_for=lambda seats: MARKS,
    tokens_to_win={2: 4, 3: 3, 4: 3, 5: 2},
    shown_aside={2: 3},
    showdown=highest_hand_with_counts,
    game_winners=champion,
    entrants=tie_break_entrants,
    instant_winners=champion,
)


# --- madness ---------------------------------------------------------------------------------------------------------


def madness(state, seat):
    return sum(card in state.book.insanity for card in state.seats[seat].discards)


def sanity_check(table, seat):
    for _ in range(min(madness(table.state, seat), len(table.state.deck))):
        card = table.reveal_top(seat)
        if card in table.state.book.insanity or card == "necronomicon":
            table.knock_out(seat)
            return


def braincase(table, play):
    table.knock_out(play.seat)


def deep_ones_insane(table, play):
    if table.holds(play.target, 1):
        table.knock_out(play.target)
    else:
        guard(table, play)


def golden_mead_insane(table, play):
    table.show(play.target, to=play.seat)
    if table.draw_card(play.seat):
        table.ask(play.seat, "golden_mead", PLAY_CARD)


def hound_insane(table, play):
    if not table.state.is_insane(play.target):
        table.knock_out(play.target)


def liber_ivonis_insane(table, play):
    table.mark("liber_ivonis", play.seat, play.seat)


def marked_by_liber_ivonis(state, seat):
    return state.marks.get("liber_ivonis") == (seat, seat)


def spared_by_liber_ivonis(state, seat):
    return state.book.options["liber_ivonis"] == "published" and marked_by_liber_ivonis(state, seat)


def mi_go_insane(table, play):
    table.take_hand(play.seat, play.target)
    table.receive(play.target, "braincase")
    table.ask(play.seat, "mi_go", PLAY_CARD)


def nyarlathotep_insane(table, play):
    others = tuple(seat for seat in table.state.alive() if seat != play.seat and not table.state.is_protected(seat))
    for seat in others:
        table.show(seat, to=play.seat)
    if others:
        table.ask(play.seat, "nyarlathotep", GIVE_HANDS, others)


def nyarlathotep_gave(table, decision, answer):
    table.give_hands(decision.seat, answer.hands)


def above_four(book, other, insane):
    return book.values[other] > 4


def above_four_while_sane(book, other, insane):
    return above_four(book, other, insane) and not insane


def trapezohedron_insane(table, play):
    if table.value(play.seat) > 4:
        table.round_winners = (play.seat,)


def out(table, seat):
    table.knock_out(seat)


def cthulhu_insane(table, play):
    if madness(table.state, play.seat) >= 2:
        table.game_winners = (play.seat,)


def unequal_hand(table, seats):
    kept = {seat: table.value(seat) for seat in seats}
    numbers = list(kept.values())
    left = [seat for seat in seats if numbers.count(kept[seat]) == 1 or marked_by_liber_ivonis(table.state, seat)]
    return tuple(seat for seat in left if kept[seat] == max(kept[other] for other in left))


def two_sane_or_three_insane(state):
    return tuple(
        i
        for i, seat in enumerate(state.seats)
        if not seat.left and (seat.tokens - seat.insane_tokens >= 2 or seat.insane_tokens >= 3)
    )


def sane_or_insane(state, seat):
    return "insane" if state.is_insane(seat) else "sane"


GUESS = {"targets": OTHER, "guess": numbers_but_one}
MADNESS: Final = (
    #    key     value copies
    Card("braincase", 0, 0, insanity=True, play=braincase),
    Card("investigators", 1, 4, **GUESS, play=guard),
    Card("deep_ones", 1, 1, **GUESS, play=guard, insanity=True, insane=Face(**GUESS, play=deep_ones_insane)),
    Card("cats", 2, 2, targets=OTHER, play=priest),
    Card("golden_mead", 2, 1, targets=OTHER, play=priest, insanity=True, insane=Face(OTHER, play=golden_mead_insane)),
    Card("great_race", 3, 2, targets=OTHER, play=baron),
    Card("hound", 3, 1, targets=OTHER, play=baron, insanity=True, insane=Face(OTHER, play=hound_insane)),
    Card("elder_sign", 4, 2, play=handmaid),
    Card("liber_ivonis", 4, 1, play=handmaid, insanity=True, insane=Face(play=liber_ivonis_insane)),
    Card("armitage", 5, 2, targets=ANY, play=prince),
    Card("mi_go", 5, 1, targets=ANY, play=prince, insanity=True, insane=Face(OTHER, play=mi_go_insane)),
    Card(
        "nyarlathotep",
        6,
        1,
        insanity=True,
        insane=Face(play=nyarlathotep_insane),
        answers={GIVE_HANDS: nyarlathotep_gave},
    ),
    Card("silver_key", 7, 1, forced=above_four),
    Card("trapezohedron", 7, 1, forced=above_four_while_sane, insanity=True, insane=Face(play=trapezohedron_insane)),
    Card("necronomicon", 8, 1, discarded=out),
    Card("cthulhu", 8, 1, discarded=out, insanity=True, insane=Face(play=cthulhu_insane)),
)

ODD_MADNESS: Final = Edition(
    id="odd_madness",
    title="Madness",
    seats=range(2, 5),
    cards_for=lambda seats: MADNESS,
    tokens_to_win={2: 2, 3: 2, 4: 2},
    shown_aside={2: 5},
    showdown=unequal_hand,
    game_winners=two_sane_or_three_insane,
    entrants=all_in_game,
    turn_start=sanity_check,
    spared=spared_by_liber_ivonis,
    token_kind=sane_or_insane,
    played_into="in_play",
    options={"liber_ivonis": ("showdown", "published")},
)
