"""The bot that searches by playing rounds to their end; `search` is its entry point."""
