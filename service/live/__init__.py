"""Live feeds of games and notices, tickets, and token revocation."""
