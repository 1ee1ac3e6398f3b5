"""Games on Redis: log, seats, players, clocks and use cases; no HTTP and no worker code belong here."""
