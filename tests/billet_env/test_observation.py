"""What a seat observes: all that its view tells, and nothing that it does not."""

import numpy as np

from billet_env.features import FEATURES
from billet_env.observation import ObservationLayout
from engine.editions import rulebook
from engine.views import present, view
from tests.billet_env.play import positions
from tests.engine.given import given
from tests.engine.random_games import EVERY_TABLE, TABLES

ROUNDS = 5
SHUFFLES = 4
GAMES = 3


def told(known, seat):
    """What a view tells but for the course of the game: numbers of rounds and versions, the order of cards."""
    shown = present(known)
    for member in ("version", "status", "winners"):
        del shown[member]
    del shown["round"]["number"]
    for lying in (*shown["seats"], shown["round"]):
        for pile in ("hand", "discards", "shown_aside", "in_play"):
            if pile in lying:
                lying[pile] = sorted(card or "" for card in lying[pile])
    return repr((seat, shown, known.deck, known.decision))


@EVERY_TABLE
def test_all_that_a_view_tells_can_be_told_from_the_row(edition, seats):
    views_of = {}
    for seed in range(GAMES):
        for environment in positions(edition, seats, seed):
            agent = environment.agent_selection
            known, seat = environment.view(agent), environment.possible_agents.index(agent)
            row = environment.layout.observe(known, seat)
            assert (row >= 0).all()
            assert (row <= environment.layout.most).all()
            views_of.setdefault((seat, row.tobytes()), set()).add(told(known, seat))
    assert len(views_of) > GAMES
    assert all(len(views) == 1 for views in views_of.values())


def test_a_row_looks_the_same_from_every_seat():
    rows = []
    for turn in range(3):
        hands = ["king"] * 3
        hands[turn] = "guard baron"
        table = given(hands=hands, deck="spy", turn=turn, protected=[(turn + 1) % 3], tokens=[turn == 1] * 3)
        table.state.seats[turn].tokens = table.state.seats[(turn + 1) % 3].tokens = 1
        known = view(table.log, turn)
        rows.append(ObservationLayout(known.book).observe(known, turn))
    layout = ObservationLayout(known.book)
    own = {name: figures for name, figures in layout.named(rows[0]).items() if name not in ("tokens", "scores")}
    for row in rows[1:]:
        assert all(np.array_equal(own[name], layout.named(row)[name]) for name in own)


def test_a_row_by_feature():
    table = given(hands=["priest baron", "king", "guard"], deck="spy guard", discards={2: "spy spy"}, protected=[2])
    table.play("priest", 1)
    known = view(table.log, 0)
    layout = ObservationLayout(known.book)
    named = layout.named(layout.observe(known, 0))
    cards = layout.axes["cards"]
    assert named["to_act"].tolist() == named["turn"].tolist() == [0, 1, 0]
    assert named["protected"].tolist() == [0, 0, 1]
    assert named["hand_size"].tolist() == [1, 2, 1]
    assert named["hand"][1, cards.index("king")] == 1
    assert named["hand"].sum() == 2, "its own card, and the one that was shown"
    assert named["discards"][2, cards.index("spy")] == 2
    assert named["deck_size"].tolist() == [1]


def test_a_seat_knows_what_it_has_put_under_the_deck():
    table = given(hands=["chancellor priest", "king"], deck="princess guard spy spy")
    table.play("chancellor")
    table.keep("princess", bottom="guard priest")
    cards = ObservationLayout(table.state.book).axes["cards"]
    for seat, known_cards in ((0, [(1, "guard"), (2, "priest")]), (1, [])):
        layout = ObservationLayout(table.state.book)
        deck = layout.named(layout.observe(view(table.log, seat), seat))["deck"]
        assert [(place, cards[card]) for place, card in zip(*deck.nonzero(), strict=True)] == known_cards


def test_every_feature_is_told_somewhere():
    layouts = [ObservationLayout(rulebook(edition, seats, {})) for edition, seats in TABLES]
    assert {feature.name for layout in layouts for feature in layout.features} == {feature.name for feature in FEATURES}
