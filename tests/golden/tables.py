"""The tables that golden files are made for: the smallest and the largest of every edition."""

from engine.editions import EDITIONS

TABLES = [(edition.id, seats) for edition in EDITIONS.values() for seats in (edition.seats[0], edition.seats[-1])]

SECRETS = {("standard", 6): (1, 8), ("premium", 8): (2, 48), ("lovecraft", 2): (1, 16)}
"""Which secrets the deals of the perft files come from, where 1 and 2 lead to no decision of some kind in time."""
SEEDS = {("standard", 2): 4, ("lovecraft", 2): 978, ("lovecraft", 6): 24}
"""Which seeds the playthroughs take their actions from, where the number of seats does not meet every decision."""
