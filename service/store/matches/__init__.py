"""Matches in Redis: a hash for each, and lists of them."""
