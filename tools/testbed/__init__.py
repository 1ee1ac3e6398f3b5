"""Whole installations on this machine, and what befalls them: kills, a bad network, proxies, nodes of Redis.

Only processes that it has started itself are ever ended, each by its id.
"""
