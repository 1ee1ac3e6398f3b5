"""Makes a release in this checkout: `make release VERSION=1.0.0`."""
