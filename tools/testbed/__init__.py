"""Whole installations on this machine, and what befalls them: kills, a bad network, proxies, nodes of Redis."""
