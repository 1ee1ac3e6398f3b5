"""Connections to Redis, and how commands get there and replies back."""
