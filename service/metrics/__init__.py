"""Measurements summed over all processes, and the current state of an installation."""
