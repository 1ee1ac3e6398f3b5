"""Prepares tables before play: opening, seats, forks, join codes, revealing nonces, lifetimes."""
