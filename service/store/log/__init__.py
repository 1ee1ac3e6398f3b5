"""The event log of games, and what is kept with it for retried calls."""
