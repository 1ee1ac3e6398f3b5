"""Test vectors of the verifiable shuffle, for whoever writes it in another language."""

import json

from engine.editions import rulebook
from engine.shuffle import COMMITTED, PLAIN, Dealer, commitment, nonce_digest, revealed_digest

CASES = (
    ("00" * 32, "game-1", ("", ""), "standard"),
    (bytes(range(32)).hex(), "game-2", ("a lucky number", "", "ünïcode"), "standard"),
    ("ff" * 32, "3f2a", ("one", "two", "three", "four"), "classic"),
)
REVEALED = ("the first of two nonces, 32 long.", "", "ünïcode, but at least 32 characters")
"""The nonces of a game by commit and reveal: the second seat did not reveal its own."""


def vector(secret, game, texts, edition, mode=PLAIN):
    digest = nonce_digest if mode == PLAIN else revealed_digest
    nonces = [digest(text) if text else "" for text in texts]
    dealer = Dealer(bytes.fromhex(secret), game, nonces, mode)
    seats = list(range(len(texts)))
    cards = list(rulebook(edition, len(texts), {}).deck)
    return {
        "secret": secret,
        "commitment": commitment(bytes.fromhex(secret)),
        "game": game,
        "mode": mode,
        "nonce_texts": texts,
        "nonces": nonces,
        "cards": cards,
        "rounds": [
            {"number": number, "order": dealer.order(cards, number), "starter": dealer.starter(seats, number)}
            for number in (1, 2, 17)
        ],
        "answers": [
            {"count": count, "version": version, "index": dealer.answer(count, version)}
            for count, version in ((2, 1), (6, 40), (1, 5000))
        ],
    }


def files():
    """Returns the file of the vectors by its name; the starters are drawn among all seats."""
    vectors = [vector(*case) for case in CASES]
    vectors.append(vector(bytes(range(32)).hex(), "game-4", REVEALED, "standard", COMMITTED))
    return {"shuffle.json": json.dumps(vectors, indent=1, ensure_ascii=False) + "\n"}
