"""Lets players wait for opponents, pairs them, and opens their games."""
