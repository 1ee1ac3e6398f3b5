"""What Redis holds for those who follow something."""
