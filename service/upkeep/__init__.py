"""Expires old data, archives ended games, and rebuilds indexes."""
