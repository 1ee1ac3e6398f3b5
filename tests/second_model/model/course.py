"""What an action leads to: its effect, the turns after it, the end of the round and of the game; new deals are told.

Sections are those of `docs/rules.md`. Whether an action is allowed belongs to `legality`.
"""

from typing import Any

from tests.second_model.model import ends, moves
from tests.second_model.model.cards import FACE_UP, INSANITY_CARDS, deck_of
from tests.second_model.model.effects import play
from tests.second_model.model.game import Deal, Game
from tests.second_model.model.questions import answer


def carry_out(game: Game, action: dict[str, Any]) -> None:
    """The seat to act takes an allowed action; `go_on` says what follows its effect."""
    asked, game.question = game.question, None
    seat = game.turn if asked is None else asked.seat
    if action["type"] != "play_card":
        answer(game, seat, action)
        return
    if asked is not None:
        game.used.add(f"an extra play with {asked.card}")
    play(game, seat, action)


def go_on(game: Game) -> None:
    """What follows an effect: the game goes on until somebody must act, or the round is over.

    An open question is waited for; it lapses when only one seat is left in the round (Leaving a running game).
    """
    if game.question is not None and len(game.in_round) > 1:
        return
    game.question = None
    lay_down_what_was_played(game)
    while goes_on(game):
        following = [*range(game.turn + 1, game.seats), *range(game.turn + 1)]
        if begin_turn(game, next(seat for seat in following if seat in game.in_round)):
            return


def lay_down_what_was_played(game: Game) -> None:
    """One more card: what an extra play was comes to lie among the discards before the card that allowed it.

    A card that has won the game does nothing more.
    """
    while game.in_play:
        card = game.in_play.pop()
        game.discards[game.turn].append(card)
        if game.game_won_by is None:
            moves.out_if_it_lies_there(game, game.turn, card)


def goes_on(game: Game) -> bool:
    """Whether the round goes on with another turn; ends round and game if not."""
    if game.game_won_by is not None:
        finish(game, [game.game_won_by])
        return False
    if game.round_won_by is not None:
        end_round(game, [game.round_won_by])
        return False
    if len(game.in_round) < 2:
        # A round, 5: it ends at once when one seat is left. An extra play of one that leaves may leave nobody.
        end_round(game, sorted(game.in_round))
        return False
    if game.edition == "premium" and ends.champions(game):
        # Decided: what is paid and checked together. A Bishop, or a knock-out that leaves more than one seat, ends
        # the game at once.
        game.used.add("the game ends within a round")
        finish(game, ends.champions(game))
        return False
    if not game.deck:
        end_round(game, ends.showdown(game))
        return False
    return True


def begin_turn(game: Game, seat: int) -> bool:
    """A round, 2: the protection ends and a card is drawn; says whether the seat can play now."""
    game.turn = seat
    game.protected.discard(seat)
    if game.edition == "lovecraft":
        check_sanity(game, seat)
    return seat in game.in_round and moves.draw(game, seat)


def check_sanity(game: Game, seat: int) -> None:
    """The cards of lovecraft: as many cards as insanity cards lie there, one by one.

    Decided: the check goes one by one. It is over with the card that knocks the seat out. Decided: Liber Ivonis. As
    published it goes on to its end.
    """
    for _ in range(moves.insanity_cards(game, seat)):
        if not game.deck:
            game.used.add("a check finds no card")
            return
        game.used.add("a check")
        card = game.deck.pop(0)
        game.discards[seat].append(card)
        if card in INSANITY_CARDS or card == "necronomicon":
            moves.knock_out(game, seat)
            if seat not in game.in_round:
                game.used.add("a check is the end")
                return


def end_round(game: Game, winners: list[int]) -> None:
    """A game, 1, and A round, 5 and 6: all tokens of a round are given before anybody looks who has won the game."""
    game.round_winners = tuple(winners)
    game.used.add(f"a round is won by {len(winners) if len(winners) < 3 else 'more'}")
    for seat in winners:
        moves.gain(game, seat)
        if moves.is_insane(game, seat):
            # How a round of lovecraft ends: an insanity card lies among the winner's discards.
            game.insane_tokens[seat] += 1
    pay_spy(game)
    pay_jester(game)
    champions = ends.champions(game)
    if champions:
        finish(game, champions)


def pay_spy(game: Game) -> None:
    """The cards of standard, spy: if exactly one seat still in has one among its discards, it gains a token."""
    spies = [seat for seat in game.in_round if "spy" in game.discards[seat]]
    if len(spies) == 1:
        game.used.add("the Spy pays")
        moves.gain(game, spies[0])
    elif spies:
        game.used.add("Spies of several seats pay nothing")


def pay_jester(game: Game) -> None:
    """The cards of premium, jester: a token if the marked seat is among the winners, also for a player that is out."""
    if "jester" in game.marks:
        seat, marked = game.marks["jester"]
        if marked in (game.round_winners or ()):
            game.used.add("the Jester pays")
            moves.gain(game, seat)


def finish(game: Game, winners: list[int]) -> None:
    """The game is over."""
    if ends.is_tie_break(game):
        game.used.add("a tie-break round ends the game")
    if len(winners) > 1:
        game.used.add("several seats win the game")
    game.running = False
    game.winners = tuple(winners)


# --- the next round ------------------------------------------------------------------------------------------------


def wrong_with(game: Game, deal: Deal) -> str:
    """Says what the rules do not allow about a deal; an empty text says that it is right."""
    if list(deal.seats) != ends.entrants(game):
        return f"{ends.entrants(game)} are dealt in"
    if deal.starter not in ends.possible_starters(game):
        return f"one of {ends.possible_starters(game)} begins"
    if [seat for seat in range(game.seats) if deal.hands[seat] is not None] != list(deal.seats):
        return "each of them is dealt a card"
    if len(deal.face_up) != (FACE_UP[game.edition] if game.seats == 2 else 0):
        return "there is another number of cards face up"
    held = [card for card in deal.hands if card is not None]
    if sorted([*held, *deal.deck, deal.set_aside, *deal.face_up]) != sorted(deck_of(game.edition, game.seats)):
        return "the deck is another one"
    return ""


def begin_round(game: Game, deal: Deal) -> None:
    """A round, 1: everything that belonged to the old one is gone, cards are dealt, and the starter draws."""
    if ends.tied(game):
        game.used.add("a tie-break round begins" if not ends.is_tie_break(game) else "a tie-break round is repeated")
    game.tokens_before = tuple(game.tokens)
    game.starter = deal.starter
    game.hands = [[] if card is None else [card] for card in deal.hands]
    game.discards = [[] for _ in range(game.seats)]
    game.in_round, game.protected = set(deal.seats), set()
    game.deck, game.set_aside, game.face_up = list(deal.deck), [deal.set_aside], list(deal.face_up)
    game.bound, game.marks, game.question = None, {}, None
    game.round_winners = game.round_won_by = None
    begin_turn(game, deal.starter)
