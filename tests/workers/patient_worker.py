"""A worker process that lets bots think however late it is: what waits in line is not for a slow machine to say."""

from games.bots import turns as own_bots
from service.settings import Settings
from workers import main

OVERDUE_MS = 600_000

if __name__ == "__main__":
    own_bots.OVERDUE_MS = OVERDUE_MS
    main.run(Settings.from_env())
