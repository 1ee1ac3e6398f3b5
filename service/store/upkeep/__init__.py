"""What backups, rebuilding and operators need of a whole installation."""
