"""The table in a browser: pages, scripts and styles, which `api/web.py` serves; no Python is in it."""
