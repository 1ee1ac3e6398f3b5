"""RQ jobs and the sweeper, which call the service."""
