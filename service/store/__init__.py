"""The only code that talks to Redis and the archive: connections, keys, scripts, the event log."""
