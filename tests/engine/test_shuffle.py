"""Chance: the verifiable shuffle, the loose one and the arranged one; the vectors are tested with the golden files."""

import hashlib
import hmac
import random
from collections import Counter

import pytest

from engine.shuffle import ArrangedChance, Dealer, LooseChance, commitment, nonce_digest

SECRET = bytes(range(32))
CARDS = [f"card {i}" for i in range(16)]
CHANCES = [
    lambda seed: Dealer(bytes([seed]) * 32, "game", []),
    lambda seed: LooseChance(random.Random(seed)),
    lambda seed: ArrangedChance(LooseChance(random.Random(seed)), []),
]


@pytest.mark.parametrize("chance", CHANCES, ids=["dealer", "loose", "arranged"])
class TestEveryChance:
    def test_deals_every_card_once(self, chance):
        for seed in range(20):
            assert Counter(chance(seed).order(CARDS, 1)) == Counter(CARDS)

    def test_leaves_the_cards_alone(self, chance):
        cards = list(CARDS)
        chance(1).order(cards, 1)
        assert cards == CARDS

    def test_puts_every_card_everywhere(self, chance):
        tops = Counter(chance(seed).order(CARDS[:4], 1)[0] for seed in range(200))
        assert set(tops) == set(CARDS[:4])
        assert min(tops.values()) > 20

    def test_lets_every_seat_start(self, chance):
        assert {chance(seed).starter((1, 4, 5), 1) for seed in range(60)} == {1, 4, 5}
        assert chance(1).starter((3,), 1) == 3

    def test_gives_every_answer(self, chance):
        assert {chance(seed).answer(3, 9) for seed in range(60)} == {0, 1, 2}


class TestDealer:
    def test_repeats_itself(self):
        assert Dealer(SECRET, "game", ["a"]).order(CARDS, 3) == Dealer(SECRET, "game", ["a"]).order(CARDS, 3)

    @pytest.mark.parametrize(
        ("secret", "game", "nonces", "number"),
        [
            (bytes(32), "game", ["a"], 3),
            (SECRET, "other", ["a"], 3),
            (SECRET, "game", ["b"], 3),
            (SECRET, "game", ["a", ""], 3),
            (SECRET, "game", ["a"], 4),
        ],
    )
    def test_deals_otherwise_when_anything_differs(self, secret, game, nonces, number):
        assert Dealer(secret, game, nonces).order(CARDS, number) != Dealer(SECRET, "game", ["a"]).order(CARDS, 3)

    def test_is_hmac_in_counter_mode_with_fisher_yates(self):
        """The algorithm once more, from its description alone."""
        numbers = []
        for counter in range(4):
            message = f"billet/1/deck\ngame\n3\na,b\n{counter}".encode()
            block = hmac.new(SECRET, message, hashlib.sha256).digest()
            numbers += [int.from_bytes(block[i : i + 4], "big") for i in range(0, 32, 4)]
        pile = list(CARDS)
        for last in range(len(pile) - 1, 0, -1):
            chosen = numbers.pop(0) % (last + 1)  # no number here is so high that it would be thrown away
            pile[last], pile[chosen] = pile[chosen], pile[last]

        assert Dealer(SECRET, "game", ["a", "b"]).order(CARDS, 3) == pile

    def test_throws_away_what_would_favour_low_numbers(self, monkeypatch):
        block = b"\xff\xff\xff\xff" * 7 + b"\x00\x00\x00\x05"
        monkeypatch.setattr("engine.shuffle.hmac.digest", lambda *_: block)

        assert Dealer(SECRET, "game", []).answer(3, 1) == 5 % 3

    def test_asks_for_more_when_a_block_is_used_up(self):
        assert Counter(Dealer(SECRET, "game", []).order(CARDS * 8, 1)) == Counter(CARDS * 8)


class TestArranged:
    def test_begins_with_the_chosen_cards(self):
        chance = ArrangedChance(LooseChance(random.Random(1)), [{"order": ["card 3", "card 1"]}])

        assert chance.order(CARDS, 1)[:2] == ["card 3", "card 1"]
        assert Counter(chance.order(CARDS, 1)) == Counter(CARDS)

    def test_starts_with_the_chosen_seat_though_another_has_won(self):
        chance = ArrangedChance(LooseChance(random.Random(1)), [{}, {"starter": 2}])

        assert chance.starter((1,), 1) == 1
        assert chance.starter((1,), 2) == 2
        assert chance.starter((1,), 3) == 1


def test_the_loose_shuffle_prefers_no_order_and_no_place():
    chance, cards = LooseChance(random.Random(1)), [str(i) for i in range(32)]
    orders = Counter(tuple(chance.order("abcd", 1)) for _ in range(24_000))
    assert len(orders) == 24
    assert sum((count - 1000) ** 2 / 1000 for count in orders.values()) < 60, "23 on average"
    piles = [chance.order(cards, 1) for _ in range(3_200)]
    places = Counter((card, place) for pile in piles for place, card in enumerate(pile))
    assert sum((places[card, place] - 100) ** 2 / 100 for card in cards for place in range(32)) < 1200, "992 on average"


def test_a_commitment_is_a_digest_that_gives_nothing_away():
    assert commitment(SECRET) == hashlib.sha256(b"billet/1/commitment\n" + SECRET).hexdigest()


def test_a_nonce_is_kept_as_a_digest():
    assert nonce_digest("") == ""
    assert nonce_digest("luck") == hashlib.sha256(b"luck").hexdigest()
