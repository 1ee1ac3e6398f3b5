"""What rate limits keep in Redis."""
