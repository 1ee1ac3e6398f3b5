"""Deductions, hints and reviews."""
