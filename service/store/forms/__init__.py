"""The forms in which events are stored."""
