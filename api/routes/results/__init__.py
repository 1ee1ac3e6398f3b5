"""What comes of games: the feed of results, ratings and pages of players."""
