"""Plays a game in the terminal over plain HTTP: it knows the contract and no rules, like any other client."""
