"""Live feeds of games and notifications, tickets, and token revocation."""
