"""Trying nonces: it gives whoever sits down last any deal with plain nonces, and nothing by commit and reveal."""

import pytest

from tools.grinding import CHANCE, SEATS, reachable_deals, tables, tries_with_plain_nonces, wishes_granted

TRIES = 6_000


def test_with_plain_nonces_the_last_seat_gets_the_card_it_wants():
    games = tables("plain")
    tried = [tries_with_plain_nonces(next(games), 1000) for _ in range(30)]
    assert None not in tried
    assert sum(tried) / len(tried) < 3 / CHANCE


@pytest.mark.many
def test_by_commit_and_reveal_trying_changes_nothing():
    played, granted = wishes_granted(TRIES, "committed")
    deviation = (CHANCE * (1 - CHANCE) / played) ** 0.5
    assert abs(granted / played - CHANCE) < 4 * deviation, "the seed is fixed, so this is no matter of luck"


@pytest.mark.parametrize("colluding", range(1, SEATS + 1))
def test_seats_that_collude_reach_two_deals_each_and_no_more(colluding):
    deals = reachable_deals(next(tables("reachable")), colluding, TRIES)
    assert len(deals) == 2**colluding
