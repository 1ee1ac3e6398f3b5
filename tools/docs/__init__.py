"""Generates the parts of docs/ that come from the code."""
