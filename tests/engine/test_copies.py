"""A game of the engine copies deeply and can be pickled at every decision; a copy goes its own way."""

import random

import engine
from engine.editions import EDITIONS, rulebook
from engine.logs.codec import store_event
from engine.shuffle import ArrangedChance, Dealer, LooseChance
from engine.state import GameState
from tests.engine.copies import EACH_WAY_TO_COPY
from tests.engine.random_games import EVERY_TABLE, of_all_kinds


def stored(log):
    return [store_event(event, "") for event in log]


def finish(game, actions):
    for action in actions:
        game.act(action)
    return stored(game.log)


@EVERY_TABLE
@EACH_WAY_TO_COPY
def test_a_copy_of_a_game_has_the_same_future_and_leaves_the_original_its_own(edition, seats, copied):
    options = of_all_kinds(edition, seats)["options"]
    whole, chosen, rng = engine.new_game(edition, seats, 5, options), [], random.Random(1)
    while not whole.over:
        chosen.append(rng.choice(whole.legal_actions()))
        whole.act(chosen[-1])

    game = engine.new_game(edition, seats, 5, options)
    for number, action in enumerate(chosen):
        before = repr(game.state)
        aside, same = copied(game), copied(game)
        while not aside.over and aside.state.round_number == game.state.round_number:
            aside.act(aside.legal_actions()[-1])
        assert repr(game.state) == before
        assert stored(game.log) == stored(whole.log[: len(game.log)])
        if number % 5 == 0 or number > len(chosen) - 5:
            assert finish(same, chosen[number:]) == stored(whole.log)
        game.act(action)
    assert stored(game.log) == stored(whole.log)


@EVERY_TABLE
@EACH_WAY_TO_COPY
def test_a_copy_of_a_state_or_a_view_is_equal_and_shares_nothing_that_changes(edition, seats, copied):
    game, rng = engine.new_game(edition, seats, 8), random.Random(2)
    while not game.over:
        game.act(rng.choice(game.legal_actions()))
        for original in (game.state, game.view(0)):
            before, twin = repr(original), copied(original)
            assert repr(twin) == before
            assert twin.book is original.book
            spoil(twin)
            assert repr(original) == before


def spoil(state: GameState) -> None:
    """Changes everything in a state that can be changed in place."""
    for pile in (state.deck, state.set_aside, state.in_play, state.seats):
        pile.clear()
    state.marks["jester"] = (1, 1)


def test_a_copied_rulebook_is_the_shared_one_and_its_cards_can_be_pickled():
    for edition in EDITIONS.values():
        book = rulebook(edition.id, max(edition.seats), {})
        for way in EACH_WAY_TO_COPY.args[1]:
            assert way(book) is book
            assert way(book.cards) == book.cards
            assert way(edition) == edition


@EACH_WAY_TO_COPY
def test_copied_chance_draws_on_from_where_the_original_stood_and_leaves_it_there(copied):
    def drawn(chance):
        return [chance.order("abcdefgh", 1), chance.starter(range(5), 2), chance.answer(9, 3)]

    for made in (
        lambda: LooseChance(random.Random(3)),
        lambda: ArrangedChance(LooseChance(random.Random(3)), [{"order": ["c"]}]),
        lambda: Dealer(bytes(32), "game", ["", ""]),
    ):
        chance, reference = made(), made()
        assert drawn(chance) == drawn(reference)
        twin = copied(chance)
        expected = drawn(reference)
        assert drawn(twin) == expected
        assert drawn(chance) == expected
