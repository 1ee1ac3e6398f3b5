"""Reads a request: its token, limits, arguments, body and language."""
