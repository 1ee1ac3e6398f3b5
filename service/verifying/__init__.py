"""Verifies logs in a separate process, with bounds on memory and time."""
