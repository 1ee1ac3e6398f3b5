"""Commands about whole games: export, verify, archive."""
