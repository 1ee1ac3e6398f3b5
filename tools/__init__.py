"""Makes files that ship: derived documents, generated parts of the docs, clients, and the ratings of the bots."""
