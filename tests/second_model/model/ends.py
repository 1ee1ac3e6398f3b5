"""Who wins a showdown and a game, who plays the next round and who may begin it.

Sections are those of `docs/rules.md`.
"""

from tests.second_model.model.cards import INSANE_TOKENS_TO_WIN, SANE_TOKENS_TO_WIN, TOKENS_TO_WIN
from tests.second_model.model.game import Game
from tests.second_model.model.moves import number

# --- showdowns -----------------------------------------------------------------------------------------------------


def showdown(game: Game) -> list[int]:
    """Who wins when the deck is empty."""
    seats = sorted(game.in_round)
    if game.edition == "premium":
        return _showdown_with_counts(game, seats)
    if game.edition == "lovecraft":
        return _showdown_of_different_numbers(game, seats)
    # A round, 5: all with the highest number win; there is no second criterion.
    highest = max(number(game, seat) for seat in seats)
    game.counted = {seat: number(game, seat) for seat in seats}
    return [seat for seat in seats if number(game, seat) == highest]


def _showdown_with_counts(game: Game, seats: list[int]) -> list[int]:
    """The cards of premium: the highest number, Counts included, then the highest sum of discards, then all."""
    if any(game.hands[seat] == ["princess"] for seat in seats):
        # Decided: Bishop and Princess. The Bishop's holder is out of the comparison.
        compared = [seat for seat in seats if game.hands[seat] != ["bishop"]]
        if compared != seats:
            game.used.add("the Princess beats the Bishop")
    else:
        compared = seats
    strengths = {seat: number(game, seat) + game.discards[seat].count("count") for seat in compared}
    game.counted = {seat: strengths.get(seat) for seat in seats}
    strongest = [seat for seat in compared if strengths[seat] == max(strengths.values())]
    sums = {seat: sum(game.numbers[card] for card in game.discards[seat]) for seat in strongest}
    winners = [seat for seat in strongest if sums[seat] == max(sums.values())]
    game.sums = sums if len(strongest) > 1 else {}
    if len(winners) < len(strongest):
        game.used.add("the sum of the discards decides")
    if any(strengths[seat] != number(game, seat) for seat in winners):
        game.used.add("a winner has Counts")
    return winners


def _showdown_of_different_numbers(game: Game, seats: list[int]) -> list[int]:
    """How a round of lovecraft ends: equal numbers remove each other; the highest of those that are left wins alone.

    They do not remove the seat that has played Liber Ivonis insane, unless the table plays it as published.
    """
    numbers = [number(game, seat) for seat in seats]
    alone = [seat for seat in seats if numbers.count(number(game, seat)) == 1]
    kept = [seat for seat in seats if game.marks.get("liber_ivonis") == (seat, seat) and not game.liber_spares]
    staying = [seat for seat in seats if seat in alone or seat in kept]
    game.counted = {seat: number(game, seat) if seat in staying else None for seat in seats}
    if len(alone) < len(seats):
        game.used.add("equal numbers remove each other")
    if alone != staying:
        game.used.add("Liber Ivonis keeps a seat in the showdown")
    return [max(staying, key=lambda seat: number(game, seat))] if staying else []


# --- the game ------------------------------------------------------------------------------------------------------


def in_game(game: Game) -> list[int]:
    """The seats that have not left."""
    return [seat for seat in range(game.seats) if seat not in game.left]


def enough(game: Game, seat: int) -> bool:
    """Whether a seat has the tokens to win (Editions)."""
    if game.edition == "lovecraft":
        # Two sane tokens or three insane ones; the two kinds do not add up.
        insane = game.insane_tokens[seat]
        return game.tokens[seat] - insane >= SANE_TOKENS_TO_WIN or insane >= INSANE_TOKENS_TO_WIN
    return game.tokens[seat] >= TOKENS_TO_WIN[game.edition][game.seats]


def is_tie_break(game: Game) -> bool:
    """How a game of premium ends: a round that began although somebody had enough."""
    target = TOKENS_TO_WIN["premium"][game.seats]
    return game.edition == "premium" and max(game.tokens_before) >= target


def tied(game: Game) -> list[int]:
    """Decided: who is tied. Everybody with enough tokens; in a tie-break round only a token gained in it counts."""
    rich = [seat for seat in in_game(game) if enough(game, seat)]
    if is_tie_break(game):
        return [seat for seat in rich if game.tokens[seat] > game.tokens_before[seat]]
    return rich


def champions(game: Game) -> list[int]:
    """Who has won the game: in `premium` one alone, elsewhere all that have enough (A game, 1)."""
    rich = tied(game)
    return [] if game.edition == "premium" and len(rich) > 1 else rich


def entrants(game: Game) -> list[int]:
    """Who is dealt into the next round: those in the game, in a tie-break round the tied only."""
    return tied(game) or in_game(game)


def possible_starters(game: Game) -> list[int]:
    """Who may begin the next round.

    A game, 3: the winner, after a tie one of the tied. Decided: who begins a tie-break round: a winner that takes part,
    if none does any seat that does. Decided: a round that nobody wins: the same seat again, or any if it has left.
    """
    allowed = entrants(game)
    wanted = game.round_winners or (game.starter,)
    return [seat for seat in allowed if seat in wanted] or allowed
