"""An operator with a player of its own on the last seat, who tries nonces until a deal pleases it.

`python -m tools.grinding --tries 1000000` plays it in both modes and prints what came of it. The operator
knows the secret and whatever players have told the service before its own player sits down.
"""

import argparse
import random
import time
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

from engine.editions import rulebook
from engine.shuffle import COMMITTED, PLAIN, Dealer, nonce_digest, revealed_digest
from games.reveals import Reveals

SEATS = 3
OWN = SEATS - 1
"""The operator's seat: the last one to be taken."""
DECK = list(rulebook("standard", SEATS, {}).deck)
WANTED = "princess"
CHANCE = DECK.count(WANTED) / len(DECK)
"""How often the wanted card is dealt to a seat by chance."""


@dataclass(frozen=True)
class Table:
    """A table as the operator has it: its secret, and what the others give to the shuffle."""

    secret: bytes
    nonces: tuple[str, ...]

    def first_card(self, contributions: list[str], mode: int) -> str:
        """Returns the first card of the operator's seat."""
        order = Dealer(self.secret, "game", contributions, mode).order(DECK, 1)
        return order[1 + OWN]


def tables(seed: str) -> Iterator[Table]:
    """Yields tables without end."""
    rng = random.Random(seed)
    while True:
        yield Table(rng.randbytes(32), tuple(f"{rng.getrandbits(160):040x}" for _ in range(OWN)))


def tries_with_plain_nonces(table: Table, most: int) -> int | None:
    """Returns how many nonces the operator tries until its player gets the wanted card; None if `most` do not do."""
    others = [nonce_digest(nonce) for nonce in table.nonces]
    for tried in range(1, most + 1):
        if table.first_card([*others, nonce_digest(f"{tried:032}")], PLAIN) == WANTED:
            return tried
    return None


def best_commitment(table: Table, rng: random.Random, most: int) -> tuple[str, int]:
    """Returns the nonce that the operator commits to and how many it has tried.

    It knows only the hashes of the others' nonces, so it tries with nonces of others that it makes up.
    """
    others = [revealed_digest(f"{rng.getrandbits(160):040x}") for _ in table.nonces]
    for tried in range(1, most + 1):
        if table.first_card([*others, revealed_digest(f"{tried:032}")], COMMITTED) == WANTED:
            return f"{tried:032}", tried
    return f"{most:032}", most


def wishes_granted(tries: int, seed: str) -> tuple[int, int]:
    """Returns how many tables were played until so many nonces were tried, and at how many the wanted card came."""
    rng, granted = random.Random(seed), 0
    for played, table in enumerate(tables(seed)):
        if tries <= 0:
            return played, granted
        nonce, tried = best_commitment(table, rng, tries)
        tries -= tried
        contributions = [revealed_digest(one) for one in (*table.nonces, nonce)]
        granted += table.first_card(contributions, COMMITTED) == WANTED
    raise AssertionError("there are tables without end")


def reachable_deals(table: Table, colluding: int, tries: int = 0) -> set[tuple[str, ...]]:
    """Returns the deals that the last seats can bring about together once all have committed.

    Each may reveal its nonce or not; before that, each tries so many other nonces in place of its own.
    """
    own = [f"of the colluding seat number {seat:04}" for seat in range(colluding)]
    nonces = [*table.nonces[: SEATS - colluding], *own]
    hashes = {seat: nonce_digest(nonce) for seat, nonce in enumerate(nonces)}
    seats = range(SEATS - colluding, SEATS)
    deals = set()
    for count in range(colluding + 1):
        for silent in combinations(seats, count):
            reveals = Reveals(0, hashes, {})
            for seat, nonce in enumerate(nonces):
                if seat not in silent:
                    assert reveals.fits(seat, nonce)
                    reveals = reveals.with_nonce(seat, nonce)
            deals.add(
                tuple(Dealer(table.secret, "game", reveals.contributions([""] * SEATS), COMMITTED).order(DECK, 1))
            )
    empty = Reveals(0, hashes, {})
    fitting = sum(empty.fits(OWN, f"{tried:032}") for tried in range(tries))
    assert fitting == 0, "another nonce fits the hash"
    return deals


def main() -> None:
    """Prints what an operator who grinds gains in both modes."""
    parser = argparse.ArgumentParser(description="Try nonces as an operator who has the last seat.")
    parser.add_argument("--tries", type=int, default=1_000_000)
    tries = parser.parse_args().tries
    begun, spent, games = time.perf_counter(), 0, 0
    for table in tables("plain"):
        spent += tries_with_plain_nonces(table, tries) or tries
        games += 1
        if games == 1000 or spent >= tries:
            break
    each = (time.perf_counter() - begun) / games
    print(f"plain nonces: wanted card in all of {games} games, {spent / games:.1f} tries, {each * 1000:.1f} ms each")
    begun = time.perf_counter()
    played, granted = wishes_granted(tries, "committed")
    took = time.perf_counter() - begun
    print(
        f"commit and reveal: {tries} tries ({took:.0f} s) at {played} tables, wanted card at {granted} "
        f"({granted / played:.2%}); by chance {CHANCE:.2%}"
    )
    table = next(tables("reachable"))
    for colluding in range(1, SEATS):
        deals = reachable_deals(table, colluding, tries)
        print(f"{colluding} colluding: {len(deals)} deals after {tries} more tries, at most {2**colluding}")


if __name__ == "__main__":
    main()
