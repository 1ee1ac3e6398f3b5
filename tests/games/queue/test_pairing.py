"""Matching: who plays with whom, from who waits, how long they have, and how good they are."""

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.editions import rulebook
from games.queue.pairing import FILL_MS, FIRST_GAP, GAP_PER_SECOND, MET_GAP, MET_MS, MOST, pairings
from games.queue.tickets import FILL, NEVER
from tests.games.queue.waiting import NOW, ticket

RULEBOOK = rulebook("lovecraft", 2, {})


def tables(tickets, blocks=(), met=None):
    """Returns the pairings as the players and the number of seats of each table."""
    found = pairings(tickets, NOW, {frozenset(pair) for pair in blocks}, met)
    return [({one.player for one in pairing.tickets}, pairing.seats) for pairing in found]


def pair(*players):
    return frozenset(players)


def test_two_who_want_the_same_play():
    assert tables([ticket("ann"), ticket("bob")]) == [({"ann", "bob"}, 2)]


@pytest.mark.parametrize(
    "other",
    [
        {"edition": "classic"},
        {"clock": {"seconds": 60}},
        {"rated": True},
        {"kind": "bot"},
    ],
    ids=str,
)
def test_who_wants_something_else_waits(other):
    assert tables([ticket("ann"), ticket("bob", **other)]) == []


def test_people_meet_programs_only_if_they_wish_it():
    program, willing, other = ticket("bot", 3, kind="bot"), ticket("ann", 3, programs=True), ticket("bob", 3)
    assert tables([program, willing, ticket("cleo", 3, programs=True)]) == [({"bot", "ann", "cleo"}, 3)]
    assert tables([program, willing, other]) == []
    assert tables([other, ticket("cleo", 3), willing]) == [({"ann", "bob", "cleo"}, 3)], "that they would is no matter"


def test_options_separate_players():
    default, other = RULEBOOK.options["liber_ivonis"], "published"
    assert default != other
    ann = ticket("ann", edition="lovecraft")
    assert tables([ann, ticket("bob", edition="lovecraft", options={"liber_ivonis": other})]) == []
    assert tables([ann, ticket("bob", edition="lovecraft", options={"liber_ivonis": default})])


def test_the_same_wishes_in_other_words_are_the_same():
    short = ticket("ann", 2, 3, clock={"seconds": 60})
    long = ticket("bob", 3, 2, 3, clock={"seconds": 60, "kind": "decision", "on_timeout": "bot_plays"})
    assert short.wishes == long.wishes


def test_nobody_plays_a_table_of_a_size_they_do_not_want():
    assert tables([ticket("ann", 2), ticket("bob", 3)]) == []


def test_the_largest_table_that_is_full_comes_first():
    four = [ticket(name, 2, 3, 4) for name in ("ann", "bob", "cleo", "dan")]
    assert tables(four) == [({"ann", "bob", "cleo", "dan"}, 4)]
    assert tables(four[:3]) == [({"ann", "bob", "cleo"}, 3)]


def test_whoever_has_waited_longest_is_served_first():
    late, early, middle = ticket("late"), ticket("early", waited=9), ticket("middle", waited=5)
    assert tables([late, early, middle]) in (
        [({"early", "middle"}, 2)],
        [({"early", "late"}, 2)],
    )


def test_players_get_the_nearest_opponents():
    first = ticket("first", waited=61, rating=1500)
    near, far = ticket("near", waited=60, rating=1560), ticket("far", waited=60, rating=1900)
    assert tables([first, far, near]) == [({"first", "near"}, 2)]


def test_the_gap_grows_while_both_wait():
    gap = FIRST_GAP + 300
    seconds = 300 / GAP_PER_SECOND

    def met(one, other):
        return tables([ticket("ann", waited=one), ticket("bob", waited=other, rating=1500 + gap)])

    assert met(seconds, seconds)
    assert not met(seconds - 1, seconds)
    assert not met(seconds, seconds - 1)


def test_blocked_players_never_meet():
    two = [ticket("ann", waited=600), ticket("bob", waited=600)]
    assert tables(two, blocks=[("ann", "bob")]) == []
    assert tables([*two, ticket("cleo")], blocks=[("bob", "ann")]) in (
        [({"ann", "cleo"}, 2)],
        [({"bob", "cleo"}, 2)],
    )


def test_a_block_between_two_others_keeps_them_from_one_table():
    three = [ticket(name, 3) for name in ("ann", "bob", "cleo")]
    assert tables(three, blocks=[("bob", "cleo")]) == []
    assert tables([*three, ticket("dan", 3)], blocks=[("bob", "cleo")]) in (
        [({"ann", "bob", "dan"}, 3)],
        [({"ann", "cleo", "dan"}, 3)],
    )


def test_who_has_just_met_meets_others_first():
    three = [ticket("ann", waited=60), ticket("bob", waited=60), ticket("cleo", waited=60, rating=1600)]
    assert tables(three) == [({"ann", "bob"}, 2)]
    assert tables(three, met={pair("ann", "bob"): NOW - 1000}) == [({"ann", "cleo"}, 2)]


def test_a_meeting_fades():
    two = [ticket("ann"), ticket("bob")]
    half = MET_MS // 2
    assert MET_GAP / 2 <= FIRST_GAP < MET_GAP
    assert tables(two, met={pair("ann", "bob"): NOW}) == []
    assert tables(two, met={pair("ann", "bob"): NOW - half})
    assert tables(two, met={pair("ann", "bob"): NOW - 2 * MET_MS})
    assert tables(two, met={pair("ann", "bob"): NOW + MET_MS}) == []  # a clock was set back


def test_the_same_two_alone_meet_again_after_a_while():
    waited = (MET_GAP - FIRST_GAP) / GAP_PER_SECOND
    met = {pair("ann", "bob"): NOW}
    assert tables([ticket("ann", waited=waited), ticket("bob", waited=waited)], met=met)


def test_a_ticket_from_the_future_has_not_waited():
    assert ticket("ann", waited=-5).waited(NOW) == 0


# --- bots ---


def test_bots_fill_after_a_while():
    filling = {"bots": FILL}
    assert tables([ticket("ann", 2, waited=FILL_MS / 1000 - 1, **filling)]) == []
    assert tables([ticket("ann", 2, waited=FILL_MS / 1000, **filling)]) == [({"ann"}, 2)]


def test_bots_fill_only_where_everybody_accepts_them():
    ann = ticket("ann", 4, waited=60, bots=FILL)
    assert tables([ann, ticket("bob", 4, waited=60, bots=NEVER)]) == [({"ann"}, 4)]
    assert tables([ann, ticket("bob", 4, bots=FILL)]) == [({"ann", "bob"}, 4)]


def test_with_bots_most_people_sit_together_and_then_fewest_bots():
    three = [ticket("ann", 3, 4, 6, waited=60, bots=FILL), ticket("bob", 4, 6, bots=FILL), ticket("cleo", 6, bots=FILL)]
    assert tables(three[:1]) == [({"ann"}, 3)]
    assert tables(three[:2]) == [({"ann", "bob"}, 4)]
    assert tables(three) == [({"ann", "bob", "cleo"}, 6)]


def test_people_come_before_bots():
    two = [ticket("ann", 2, 4, waited=60, bots=FILL), ticket("bob", 2, waited=60, bots=FILL)]
    assert tables(two) == [({"ann", "bob"}, 2)]


# --- whatever comes ---

PLAYERS = [f"p{number}" for number in range(14)]
SEATS = st.lists(st.integers(2, 6), min_size=1, max_size=3)
TICKETS = st.lists(
    st.builds(
        lambda player, seats, waited, rating, bots, kind, programs: ticket(
            player, *seats, waited=waited, rating=rating, bots=bots, kind=kind, programs=programs
        ),
        st.sampled_from(PLAYERS),
        SEATS,
        st.integers(0, 90),
        st.integers(1000, 2000),
        st.sampled_from([NEVER, FILL]),
        st.sampled_from(["human", "human", "bot"]),
        st.booleans(),
    ),
    unique_by=lambda one: one.player,
    max_size=14,
)
PAIRS = st.frozensets(st.sampled_from([frozenset(two) for two in combinations(PLAYERS, 2)]), max_size=20)


def test_a_wave_looks_at_those_who_have_waited_longest():
    crowd = [ticket(f"p{number:03}", waited=number) for number in range(MOST + 2)]
    left = {one.id for one in crowd} - {one.id for pairing in pairings(crowd, NOW) for one in pairing.tickets}
    assert left == {"t-p000", "t-p001"}


def accepted_by(*both):
    """Returns the gap that two players accept."""
    return FIRST_GAP + GAP_PER_SECOND * min(one.waited(NOW) for one in both) / 1000


@given(TICKETS, PAIRS, st.dictionaries(st.sampled_from(PLAYERS), st.integers(0, MET_MS)))
def test_every_pairing_is_one_that_all_its_players_want(tickets, blocks, ages):
    met = {frozenset(two): NOW - age for two, age in zip(combinations(PLAYERS, 2), ages.values(), strict=False)}
    found = pairings(tickets, NOW, blocks, met)
    matched = [one.id for pairing in found for one in pairing.tickets]
    assert len(matched) == len({*matched})
    assert {*matched} <= {one.id for one in tickets}
    for pairing in found:
        assert all(pairing.seats in one.wishes.seats for one in pairing.tickets)
        if len({one.kind for one in pairing.tickets}) > 1:
            assert all(one.wishes.programs for one in pairing.tickets if one.kind == "human")
        assert not {frozenset((a.player, b.player)) for a, b in combinations(pairing.tickets, 2)} & blocks
        if len(pairing.tickets) < pairing.seats:
            assert {one.wishes.bots for one in pairing.tickets} == {FILL}
            assert max(one.waited(NOW) for one in pairing.tickets) >= FILL_MS
        for one, other in combinations(pairing.tickets, 2):
            assert abs(one.rating - other.rating) <= accepted_by(one, other)


@given(TICKETS)
def test_the_order_in_which_tickets_are_read_changes_nothing(tickets):
    assert sorted(pairings(tickets, NOW), key=str) == sorted(pairings(tickets[::-1], NOW), key=str)


@given(TICKETS, PAIRS)
def test_nobody_who_could_have_a_table_of_two_is_left_waiting(tickets, blocks):
    matched = {one.id for pairing in pairings(tickets, NOW, blocks) for one in pairing.tickets}
    left = [one for one in tickets if one.id not in matched and 2 in one.wishes.seats]
    for one, other in combinations(left, 2):
        alike = one.kind == other.kind or all(some.wishes.programs for some in (one, other) if some.kind == "human")
        fit = alike and abs(one.rating - other.rating) <= accepted_by(one, other)
        assert not fit or frozenset((one.player, other.player)) in blocks
