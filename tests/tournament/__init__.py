"""How well the bots play against each other, and how they tend to play; not part of `make test`."""
