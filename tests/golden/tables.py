"""The tables that golden files are made for: the smallest and the largest of every edition."""

from engine.editions import EDITIONS, rulebook

TABLES = [(edition.id, seats) for edition in EDITIONS.values() for seats in (edition.seats[0], edition.seats[-1])]
TRIED = 5_000
"""Among so many seeds the generator looks for one whose playthrough holds every decision."""


def decisions_of(edition, seats):
    """Returns the card and kind of every decision that a table can ask for."""
    book = rulebook(edition, seats, {})
    return {(card, kind) for card, kinds in book.answers.items() if card in book.deck for kind in kinds}
