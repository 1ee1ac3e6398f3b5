"""Time and chance, which games take as arguments."""
