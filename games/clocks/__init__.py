"""Applies time limits of seats: how long a decision may take, what it costs, and what happens when time is up."""
