"""Attacks on a running service, and what they cost it and others."""
