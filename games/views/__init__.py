"""Renders games as plain data with the contract's names: views, events, rounds, editions."""
