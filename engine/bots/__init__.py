"""Bots that choose among legal actions from a view; nothing here ever sees a full state."""
