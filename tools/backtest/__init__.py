"""Shows how well ratings predict games that they have not seen."""
