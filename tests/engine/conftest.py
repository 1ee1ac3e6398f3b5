"""Fixtures of the engine's tests."""

from hypothesis import HealthCheck, settings

# How long an example takes says something about the machine only.
settings.register_profile("patient", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("patient")
