"""`python -m tests.pythons` says which other Pythons are found."""

from tests.pythons.found import line

print(line())
