"""The tables that golden files are made for: the smallest and the largest of every edition."""

from engine.editions import EDITIONS

TABLES = [(edition.id, seats) for edition in EDITIONS.values() for seats in (edition.seats[0], edition.seats[-1])]
