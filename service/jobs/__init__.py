"""Asks the workers for work: queues, the schedule of due games, pending notices."""
