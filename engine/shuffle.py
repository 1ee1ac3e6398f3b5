"""Chance: the verifiable shuffle, an ordinary one for simulations, and chosen decks for sandboxes.

Whatever calls itself chance answers three questions: in which order a round's cards lie, which seat starts, and which
of several answers is taken for a seat that cannot give one. The algorithm is written down for other languages, with
test vectors, in `docs/shuffle.md`.
"""

import hashlib
import hmac
import random
import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol

SECRET_BYTES: Final = 32
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


@dataclass(frozen=True, slots=True)
class Dealer:
    """Chance out of a game's secret: HMAC-SHA256 as a counter-mode stream, rejection sampling, Fisher-Yates."""

    secret: bytes
    game: str
    """The game's id; where several games are dealt the same cards, the name of the deal."""
    nonces: Sequence[str]
    """As in `game_started`."""
    mode: int = PLAIN
    """`PLAIN` or `COMMITTED`."""

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
        context = f"billet/{self.mode}/{purpose}\n{self.game}\n{number}\n{','.join(self.nonces)}\n"
        counter = 0
        while True:
            yield from _EIGHT.unpack(hmac.digest(self.secret, f"{context}{counter}".encode(), "sha256"))
            counter += 1


def _below(stream: Iterator[int], bound: int) -> int:
    """Draws an unbiased integer below `bound` for the shuffle; values past the last whole multiple are thrown away."""
    limit = 2**32 - 2**32 % bound
    value = next(stream)
    while value >= limit:
        value = next(stream)
    return value % bound


@dataclass(frozen=True, slots=True)
class LooseChance:
    """Chance out of an ordinary generator, for simulations and searches; nothing of it can be verified."""

    generator: random.Random

    def order(self, cards: Sequence[str], round_number: int) -> list[str]:
        """Returns the cards shuffled without a secret, for simulations (Fisher-Yates); one number serves many swaps."""
        pile = list(cards)
        bits = self.generator.getrandbits
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
        return seats[int(self.generator.random() * len(seats))]

    def answer(self, count: int, version: int) -> int:
        """Returns which of `count` answers chance without a secret takes for a seat that leaves: an index."""
        return int(self.generator.random() * count)


@dataclass(frozen=True, slots=True)
class ArrangedChance:
    """Chance of a sandbox: the listed rounds begin as chosen, everything else comes from another chance."""

    chance: Chance
    rounds: Sequence[dict[str, Any]]

    def _chosen(self, round_number: int) -> dict[str, Any]:
        return self.rounds[round_number - 1] if round_number <= len(self.rounds) else {}

    def order(self, cards: Sequence[str], round_number: int) -> list[str]:
        """Returns a sandbox's chosen cards first, then the rest as the shuffle has them."""
        top = list(self._chosen(round_number).get("order", ()))
        rest = list(cards)
        for card in top:
            rest.remove(card)
        return top + self.chance.order(rest, round_number)

    def starter(self, seats: Sequence[int], round_number: int) -> int:
        """Returns a sandbox's chosen starter, whoever won the round before; if none is chosen, one by the shuffle."""
        chosen = self._chosen(round_number).get("starter")
        return int(chosen) if chosen is not None else self.chance.starter(seats, round_number)

    def answer(self, count: int, version: int) -> int:
        """Returns which of `count` answers the shuffle of a sandbox takes for a seat that leaves: an index."""
        return self.chance.answer(count, version)
