"""Matches: which games they are made of, who sits where, and which are dealt the same cards."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.shuffle import commitment
from games.errors import Refused
from games.matches.setup import DEALS, FRESH, REFERENCE, ROTATED, MatchSetup, deal_secret
from games.tables.opening import Fresh
from tests.games.matches.made import BOTS, setup

SECRET = b"m" * 32


def fault(*players, **body):
    with pytest.raises(Refused) as refused:
        setup(*players, **body)
    assert refused.value.code == "invalid_request"
    return refused.value.faults[0]


@pytest.mark.parametrize(
    ("made", "field", "key"),
    [
        (lambda: fault(bots=2, entrants=[BOTS[0], BOTS[0]]), "entrants", "fault.entrant_twice"),
        (lambda: fault("a", "a"), "entrants", "fault.entrant_twice"),
        (lambda: fault("a", "b", seats=3), "against", "fault.match_needs_bots"),
        (lambda: fault("a", "b", deals=REFERENCE), "against", "fault.match_needs_bots"),
        (lambda: fault("a", "b", deals=ROTATED, games=3), "games", "fault.games_of_deals"),
        (lambda: fault("a", "b", "c", deals=REFERENCE, against=BOTS, games=4), "games", "fault.games_of_deals"),
        (lambda: fault(bots=1, entrants=[{"player": "a"}, BOTS[0]]), "clock", "fault.match_needs_clock"),
        (lambda: fault("a", bots=1, rated=True), "rated", "fault.match_not_rated"),
        (lambda: fault("a", "b", rated=True, deals=ROTATED), "rated", "fault.match_not_rated"),
        (lambda: fault("a", "b", rated=True, deals=REFERENCE, against=BOTS), "rated", "fault.match_not_rated"),
        (lambda: fault("a", "b", seats=9), "seats", "fault.seats_of_edition"),
        (lambda: fault("a", "b", options={"no": "such"}), "options.no", "fault.no_options"),
        (lambda: fault("a", "b", edition="classic", clock={"seconds": 1, "increment": 1}), "clock.increment", None),
        (lambda: fault("a", entrants=[{}]), "entrants.0", "fault.player_or_bot"),
        (lambda: fault("a", entrants=[{"player": "a", "bot": "random"}]), "entrants.0", "fault.player_or_bot"),
        (lambda: fault("a", entrants=[{"player": "a"}, {"bot": "none"}]), "entrants.1.bot", "fault.no_such_bot"),
    ],
)
def test_a_match_that_cannot_be_played_is_refused(made, field, key):
    found = made()
    assert found.field == field
    assert key in (None, found.detail.key)


def test_a_seat_whose_time_is_up_leaves_unless_somebody_says_otherwise():
    assert setup("a", "b").clock == {
        "kind": "decision",
        "seconds": 60,
        "increment": 0,
        "on_timeout": "forfeit",
        "break_days": 0,
    }
    assert setup("a", "b", clock={"seconds": 9, "on_timeout": "bot_plays"}).clock["on_timeout"] == "bot_plays"
    assert setup(bots=2).clock is None


def test_a_match_is_stored_and_read():
    made = setup("a", bots=2, seats=4, against=BOTS[:1], games=8)
    assert MatchSetup.read(made.stored()) == made


MATCHES = st.builds(
    lambda programs, bots, seats, deals, rounds: setup(
        *[f"p{i}" for i in range(programs)],
        bots=bots,
        seats=seats,
        deals=deals,
        against=BOTS,
        games=rounds * (seats if deals != REFERENCE else programs + bots),
    ),
    st.integers(1, 5),
    st.integers(0, 2),
    st.integers(2, 6),
    st.sampled_from(DEALS),
    st.integers(1, 8),
)


@given(MATCHES)
def test_every_table_is_full_and_nobody_sits_twice(made):
    for number in range(made.games):
        slot = made.slot(number)
        assert len(slot.players) == len(slot.entrants) == made.seats
        entrants = [one for one in slot.entrants if one is not None]
        assert len(entrants) == len({*entrants}) == made.at_a_table
        assert number in made.slots_of(slot.deal)
        for player, entrant in zip(slot.players, slot.entrants, strict=True):
            assert player == entrant if entrant is not None else player in made.against


@given(MATCHES)
def test_seats_are_rotated(made):
    """Each group of games has everybody on every seat once; with reference deals all entrants sit on the same."""
    for first in range(0, made.games, made.of_deal if made.deals == REFERENCE else made.seats):
        if made.deals == REFERENCE:
            slots = [made.slot(number) for number in made.slots_of(first // made.of_deal)]
            assert [next(filter(None, slot.entrants)) for slot in slots] == [*made.entrants]
            assert len({tuple(one is not None for one in slot.entrants) for slot in slots}) == 1
            others = [
                [player for player, one in zip(slot.players, slot.entrants, strict=True) if one is None]
                for slot in slots
            ]
            assert all(one == others[0] for one in others)
            continue
        seats = Counter(
            (seat, one)
            for number in range(first, first + made.seats)
            for seat, one in enumerate(made.slot(number).entrants)
            if one is not None
        )
        assert {*seats.values()} == {1}
        assert len(seats) == made.seats * made.at_a_table


def test_every_group_of_entrants_has_its_turn():
    made = setup("a", "b", "c", games=6)
    assert [made.slot(number).players for number in range(6)] == [
        *[("a", "b"), ("b", "a"), ("a", "c"), ("c", "a"), ("b", "c"), ("c", "b")],
    ]


def opened(made, number):
    return made.opening(number, SECRET, 5000, Fresh(bytes([number]) * 32, "AAAAAAAA", "tag")).after


@pytest.mark.parametrize("deals", DEALS)
def test_games_of_a_shared_deal_have_the_same_decks_and_others_have_not(deals):
    made = setup("a", "b", seats=2, games=8, deals=deals, against=BOTS[:1])
    decks = {}
    for number in range(8):
        game = opened(made, number)
        assert game.id == made.game(number)
        assert game.table.match == {"id": "m1", "number": number}
        assert game.table.deal == (f"m1/{number // 2}" if deals != FRESH else None)
        chance = game.chance()
        first = (*chance.order([str(card) for card in range(20)], 1), chance.starter((0, 1), 1), chance.answer(9, 4))
        decks.setdefault(made.slot(number).deal, set()).add((first, game.secret))
    assert all(len(same) == 1 for same in decks.values())
    assert len({next(iter(same)) for same in decks.values()}) == (8 if deals == FRESH else 4)


def test_the_secret_of_a_deal_tells_nothing_of_others():
    secrets = {deal_secret(SECRET, deal) for deal in range(50)}
    assert len(secrets) == 50
    assert SECRET not in secrets
    assert opened(setup("a", "b", deals=ROTATED), 2).table.commitment == commitment(deal_secret(SECRET, 1))


def test_nobody_has_opened_the_games():
    game = opened(setup("a", "b"), 0)
    assert game.table.creator == "m1", "or somebody could call them off"
    assert game.state.status == "active"
    assert game.table.visibility == "public"
