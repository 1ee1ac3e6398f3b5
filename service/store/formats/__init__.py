"""The formats in which events are stored."""
