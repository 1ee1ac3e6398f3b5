"""The lines in which bots' turns wait."""
