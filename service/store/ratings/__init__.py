"""Keeps the pools of ratings in Redis."""
