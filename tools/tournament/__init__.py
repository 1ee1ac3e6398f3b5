"""Measures how strong the bots are and how they tend to play; run by hand, for hours."""
