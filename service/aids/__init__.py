"""Helps players of a game: deductions, hints, reviews."""
