"""The shuffle once more, written from `docs/shuffle.md` alone: it is enough to check a game in another language."""

import hashlib
import hmac
import json
import re
from itertools import permutations
from pathlib import Path

import pytest

from engine.events import CardsReturned
from engine.shuffle import ArrangedChance, Dealer
from tests.engine.given import given

PAGE = (Path(__file__).parents[2] / "docs" / "shuffle.md").read_text(encoding="utf-8")
GOLDEN = Path(__file__).parents[1] / "golden" / "shuffle.json"
EXAMPLE, REVEALED = (json.loads(block) for block in re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL))
SECRET = bytes.fromhex(EXAMPLE["secret"])


class Stream:
    def __init__(self, secret, purpose, game, number, nonces, mode=1):
        self.secret = secret
        self.context = f"billet/{mode}/{purpose}\n{game}\n{number}\n{','.join(nonces)}\n"
        self.blocks = 0
        self.left = b""
        self.thrown_away = 0

    def integer(self):
        if not self.left:
            message = self.context + str(self.blocks)
            self.left = hmac.new(self.secret, message.encode("ascii"), hashlib.sha256).digest()
            self.blocks += 1
        first, self.left = self.left[:4], self.left[4:]
        return int.from_bytes(first, "big")

    def below(self, bound):
        limit = 2**32 - 2**32 % bound
        while (value := self.integer()) >= limit:
            self.thrown_away += 1
        return value % bound


def stream(purpose, number):
    return Stream(SECRET, purpose, EXAMPLE["game"], number, EXAMPLE["nonces"])


def deck_on_the_page(edition, seats):
    rows = re.findall(rf"^\| `{edition}` \| (\d)(?: to (\d))? \| (.*) \|$", PAGE, re.MULTILINE)
    (row,) = (deck for least, most, deck in rows if int(least) <= seats <= int(most or least))
    cards = (text.split(" x") for text in row.split(", "))
    return [card for card, copies in cards for _ in range(int(copies))]


def shuffled(cards, numbers):
    pile = list(cards)
    for i in range(len(pile) - 1, 0, -1):
        j = numbers.below(i + 1)
        pile[i], pile[j] = pile[j], pile[i]
    return pile


class TestTheExample:
    def test_commits_to_the_secret(self):
        assert hashlib.sha256(b"billet/1/commitment\n" + SECRET).hexdigest() == EXAMPLE["commitment"]

    def test_keeps_digests_of_the_contributions(self):
        digests = [hashlib.sha256(text.encode()).hexdigest() if text else "" for text in EXAMPLE["nonce_texts"]]
        assert digests == EXAMPLE["nonces"]

    def test_orders_the_decks(self):
        deck = deck_on_the_page(EXAMPLE["edition"], len(EXAMPLE["nonces"]))
        for case in EXAMPLE["orders"]:
            assert shuffled(deck, stream("deck", case["round"])) == case["order"]

    def test_draws_the_starters(self):
        for case in EXAMPLE["starters"]:
            index = stream("starter", case["round"]).below(len(case["among"]))
            assert case["among"][index] == case["seat"]

    def test_draws_the_answers_and_throws_integers_away(self):
        thrown_away = 0
        for case in EXAMPLE["answers"]:
            numbers = stream("answer", case["version"])
            assert numbers.below(case["count"]) == case["index"]
            thrown_away += numbers.thrown_away
        assert thrown_away


def test_the_example_by_commit_and_reveal_follows_from_the_page():
    hashes = [hashlib.sha256(text.encode()).hexdigest() for text in REVEALED["nonce_texts"]]
    assert hashes == REVEALED["nonce_hashes"]
    given = [hashlib.sha256(b"billet/2/nonce\n" + text.encode()).hexdigest() for text in REVEALED["nonce_texts"]]
    assert ["" if seat in REVEALED["unrevealed"] else one for seat, one in enumerate(given)] == REVEALED["nonces"]
    numbers = Stream(SECRET, "deck", REVEALED["game"], 1, REVEALED["nonces"], 2)
    assert shuffled(deck_on_the_page(REVEALED["edition"], len(given)), numbers) == REVEALED["orders"][0]["order"]
    numbers = Stream(SECRET, "starter", REVEALED["game"], 1, REVEALED["nonces"], 2)
    assert REVEALED["starters"][0]["among"][numbers.below(len(given))] == REVEALED["starters"][0]["seat"]


@pytest.mark.parametrize("hand", ["guard baron king", "guard guard king", "king guard guard"])
def test_a_seat_that_leaves_answers_as_the_page_says(hand):
    kept, *drawn = hand.split()
    table = given(hands=[f"chancellor {kept}", "priest", "priest"], deck=" ".join([*drawn, "handmaid"]))
    table.chance = Dealer(SECRET, "some-game", ["", "", ""])
    table.play("chancellor")
    numbers = Stream(SECRET, "answer", "some-game", len(table.log), ["", "", ""])
    happened = table.leave(0)

    orders = list(dict.fromkeys(permutations(hand.split())))
    _, *under = orders[numbers.below(len(orders))]
    assert CardsReturned(0, tuple(under)) in happened


def test_a_sandbox_deals_as_the_page_says():
    chosen = [{"starter": 2, "order": ["king", "guard", "guard"]}]
    chance = ArrangedChance(Dealer(SECRET, EXAMPLE["game"], EXAMPLE["nonces"]), chosen)
    deck = deck_on_the_page("standard", 3)
    rest = list(deck)
    for card in chosen[0]["order"]:
        rest.remove(card)

    assert chance.order(deck, 1) == ["king", "guard", "guard", *shuffled(rest, stream("deck", 1))]
    assert chance.order(deck, 2) == shuffled(deck, stream("deck", 2))
    assert chance.starter([0, 1], 1) == 2


def test_the_vectors_of_the_golden_files_agree():
    for case in json.loads(GOLDEN.read_text(encoding="utf-8")):
        secret = bytes.fromhex(case["secret"])
        begin = b"billet/2/nonce\n" if case["mode"] == 2 else b""
        digests = [hashlib.sha256(begin + text.encode()).hexdigest() if text else "" for text in case["nonce_texts"]]
        assert digests == case["nonces"]
        for dealt in case["rounds"]:
            numbers = Stream(secret, "deck", case["game"], dealt["number"], case["nonces"], case["mode"])
            assert shuffled(case["cards"], numbers) == dealt["order"]
            numbers = Stream(secret, "starter", case["game"], dealt["number"], case["nonces"], case["mode"])
            assert numbers.below(len(case["nonces"])) == dealt["starter"]
        for answer in case["answers"]:
            numbers = Stream(secret, "answer", case["game"], answer["version"], case["nonces"], case["mode"])
            assert numbers.below(answer["count"]) == answer["index"]
