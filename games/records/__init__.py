"""Writes, reads and verifies portable logs."""
