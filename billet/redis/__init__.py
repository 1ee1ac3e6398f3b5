"""The embedded Redis: finds the binary, prepares its files, and runs it."""
