"""Chance: the verifiable shuffle, an ordinary one for simulations, and chosen decks for sandboxes.

Whatever calls itself chance answers three questions: in which order a round's cards lie, which seat starts, and which
of several answers is taken for a seat that cannot give one. The algorithm is written down for other languages, with
test vectors, in `docs/shuffle.md`.
"""

import hashlib
import random
import struct
from collections.abc import Iterator, Sequence
from typing import Any, Final, Protocol

SECRET_BYTES: Final = 32
_BLOCK_BYTES: Final = 64
_INNER: Final = bytes([byte ^ 0x36 for byte in range(256)])
_OUTER: Final = bytes([byte ^ 0x5C for byte in range(256)])
_EIGHT: Final = struct.Struct(">8I")
_STILL_EVEN: Final = 1 << 24
"""What is left of a random number below this would prefer some of 32 cards by more than a millionth."""
PLAIN: Final = 1
"""The mode of a game in which every contribution was known to the service when its player sat down."""
COMMITTED: Final = 2
"""The mode of a game in which at least one player committed to a nonce before any was revealed."""


class Chance(Protocol):
    """What rounds ask of chance."""

    def order(self, cards: Sequence[str], round_number: int) -> list[str]:
        """Returns the cards of a round in the order of its shuffle, the top first."""

    def starter(self, seats: Sequence[int], round_number: int) -> int:
        """Returns the seat that begins the round by the chance of the shuffle."""

    def answer(self, count: int, version: int) -> int:
        """Returns an index below `count` by the shuffle's chance, to answer for a seat that left."""


def commitment(secret: bytes) -> str:
    """Returns the commitment to a shuffle's secret, published before the first deal: its hex SHA-256."""
    return hashlib.sha256(b"billet/1/commitment\n" + secret).hexdigest()


def nonce_digest(nonce: str) -> str:
    """Returns a player's contribution to the shuffle as the log keeps it: hex SHA-256 of the text; empty for none.

    Of a nonce that is revealed later it is the hash by which a player commits to it.
    """
    return hashlib.sha256(nonce.encode()).hexdigest() if nonce else ""


def revealed_digest(nonce: str) -> str:
    """Returns what a revealed nonce adds to the shuffle: a hex digest that its hash does not tell before."""
    return hashlib.sha256(b"billet/2/nonce\n" + nonce.encode()).hexdigest()


class Dealer:
    """Chance out of a game's secret: HMAC-SHA256 as a counter-mode stream, rejection sampling, Fisher-Yates."""

    def __init__(self, secret: bytes, game: str, nonces: Sequence[str], mode: int = PLAIN) -> None:
        """Takes what the shuffle follows from; `nonces` are as in `game_started`, `mode` is `PLAIN` or `COMMITTED`."""
        assert len(secret) <= _BLOCK_BYTES, "a longer key would be hashed first"
        self._secret = secret
        self._mode = mode
        self._game = game
        self._nonces = nonces

    def order(self, cards: Sequence[str], round_number: int) -> list[str]:
        """Returns the cards of a round as the secret shuffles them, the top first."""
        stream = self._stream("deck", round_number)
        pile = list(cards)
        for i in range(len(pile) - 1, 0, -1):
            j = _below(stream, i + 1)
            pile[i], pile[j] = pile[j], pile[i]
        return pile

    def starter(self, seats: Sequence[int], round_number: int) -> int:
        """Returns the seat that the secret of the shuffle lets begin the round."""
        return seats[_below(self._stream("starter", round_number), len(seats))]

    def answer(self, count: int, version: int) -> int:
        """Returns which of `count` answers the secret of the shuffle takes for a seat that leaves: an index."""
        return _below(self._stream("answer", version), count)

    def _stream(self, purpose: str, number: int) -> Iterator[int]:
        """Yields the shuffle's unsigned 32-bit integers, big-endian, from HMAC(secret, context + counter)."""
        context = f"billet/{self._mode}/{purpose}\n{self._game}\n{number}\n{','.join(self._nonces)}\n"
        # The two halves of HMAC (RFC 2104): `hmac.digest` takes three times as long to begin.
        key = self._secret.ljust(_BLOCK_BYTES, b"\0")
        inner_key, outer_key = key.translate(_INNER), key.translate(_OUTER)
        counter = 0
        while True:
            inner = hashlib.sha256(inner_key + f"{context}{counter}".encode()).digest()
            yield from _EIGHT.unpack(hashlib.sha256(outer_key + inner).digest())
            counter += 1


def _below(stream: Iterator[int], bound: int) -> int:
    """Draws an unbiased integer below `bound` for the shuffle; values past the last whole multiple are thrown away."""
    limit = 2**32 - 2**32 % bound
    value = next(stream)
    while value >= limit:
        value = next(stream)
    return value % bound


class LooseChance:
    """Chance out of an ordinary generator, for simulations and searches; nothing of it can be verified."""

    def __init__(self, generator: random.Random) -> None:
        self._generator = generator  # not its methods: a copy of those would still draw from this generator

    def order(self, cards: Sequence[str], round_number: int) -> list[str]:
        """Returns the cards shuffled without a secret, for simulations (Fisher-Yates); one number serves many swaps."""
        pile = list(cards)
        bits = self._generator.getrandbits
        number = 0
        for left in range(len(pile), 1, -1):
            if number < _STILL_EVEN:
                number = bits(60)
            place = number % left
            number //= left
            pile[left - 1], pile[place] = pile[place], pile[left - 1]
        return pile

    def starter(self, seats: Sequence[int], round_number: int) -> int:
        """Returns one of the seats to begin a round, by chance without a secret, for simulations."""
        return seats[int(self._generator.random() * len(seats))]

    def answer(self, count: int, version: int) -> int:
        """Returns which of `count` answers chance without a secret takes for a seat that leaves: an index."""
        return int(self._generator.random() * count)


class ArrangedChance:
    """Chance of a sandbox: the listed rounds begin as chosen, everything else comes from another chance."""

    def __init__(self, chance: Chance, rounds: Sequence[dict[str, Any]]) -> None:
        self._chance = chance
        self._rounds = rounds

    def _chosen(self, round_number: int) -> dict[str, Any]:
        return self._rounds[round_number - 1] if round_number <= len(self._rounds) else {}

    def order(self, cards: Sequence[str], round_number: int) -> list[str]:
        """Returns a sandbox's chosen cards first, then the rest as the shuffle has them."""
        top = list(self._chosen(round_number).get("order", ()))
        rest = list(cards)
        for card in top:
            rest.remove(card)
        return top + self._chance.order(rest, round_number)

    def starter(self, seats: Sequence[int], round_number: int) -> int:
        """Returns a sandbox's chosen starter, whoever won the round before; if none is chosen, one by the shuffle."""
        chosen = self._chosen(round_number).get("starter")
        return int(chosen) if chosen is not None else self._chance.starter(seats, round_number)

    def answer(self, count: int, version: int) -> int:
        """Returns which of `count` answers the shuffle of a sandbox takes for a seat that leaves: an index."""
        return self._chance.answer(count, version)
