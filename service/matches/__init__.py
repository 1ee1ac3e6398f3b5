"""Matches of programs and bots."""
