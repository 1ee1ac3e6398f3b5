"""RQ jobs and the sweeper: hints that call the service; no rules belong here."""
