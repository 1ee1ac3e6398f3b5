"""Matches of programs and bots: who plays which games, and what they say of who is stronger."""
