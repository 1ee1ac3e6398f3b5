"""Runs the service's own bots: the list of bots, their turns and thinking time, and stand-ins for bots that fail."""
