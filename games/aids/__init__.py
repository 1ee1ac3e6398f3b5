"""Helps those who play: what can be known of the hidden cards, what a strong player would do, and why."""
