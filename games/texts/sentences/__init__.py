"""Turns redacted events into sentences."""
