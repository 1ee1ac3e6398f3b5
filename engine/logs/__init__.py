"""Converts events and actions to plain data and back, and upgrades stored forms of earlier versions."""
