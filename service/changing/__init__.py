"""The one way in which a game changes."""
