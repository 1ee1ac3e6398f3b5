"""`python -m tools.pythons` says which other Pythons are found."""

from tools.pythons.found import line

print(line())
