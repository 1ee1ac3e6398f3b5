"""Serves the documentation: the OpenAPI document, the page that shows it, and the pages of `docs/`."""
