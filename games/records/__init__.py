"""Writes, reads and verifies portable logs and scoresheets."""
