"""A game's state at a version, what may change it, and how it reads. Pure: no Redis, no HTTP."""
