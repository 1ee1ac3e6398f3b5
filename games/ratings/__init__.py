"""Ratings of people and programs, as a fold over the results of games."""
