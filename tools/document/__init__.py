"""Derives documents from the published one, checks its changes, and records its examples."""
