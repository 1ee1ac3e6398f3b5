"""What comes of games: results and ratings."""
