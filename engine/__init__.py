"""The rules of the games, pure: no I/O, no clock, no logging, no Flask and no Redis belong here."""
