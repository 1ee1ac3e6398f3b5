"""Two versions of the code on one Redis, replaced process by process under play."""
