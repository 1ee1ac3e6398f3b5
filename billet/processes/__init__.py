"""Starts, supervises and stops the processes of an installation."""
