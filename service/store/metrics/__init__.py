"""What processes measure and show of themselves."""
