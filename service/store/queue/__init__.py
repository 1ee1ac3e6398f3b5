"""What Redis holds of those who wait for opponents."""
