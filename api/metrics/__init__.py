"""Measures the requests of an API process, and serves the page that Prometheus reads."""
