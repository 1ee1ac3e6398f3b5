"""The other Pythons of this machine."""
