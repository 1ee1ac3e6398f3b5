"""How much one call may ask for: the longest pages of lists, and the longest wait."""

from typing import Final

MOST_GAMES: Final = 50
MOST_EVENTS: Final = 1000
MOST_ROUNDS: Final = 100
"""Real games have fewer."""
MOST_FRAMES: Final = 100
"""Each holds a view of 2 to 4 kB."""
MOST_NOTICES: Final = 1000
MOST_PLAYERS: Final = 50
MOST_RANKED: Final = 100
MOST_HISTORY: Final = 500
MOST_RESULTS: Final = 100
"""Each is read from the game's log."""
LONGEST_WAIT_SECONDS: Final = 30
