"""What comes of games: results, records, ratings, and the pages that show them."""
