"""Finds opponents for players who wait: what they wish, whom they fit, and the table they get."""
