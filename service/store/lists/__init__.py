"""Lists of games and players: for readers by time, for sweepers by when to look."""
