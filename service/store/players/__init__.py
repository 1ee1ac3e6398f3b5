"""What Redis holds of players, and the tokens that they were issued."""
