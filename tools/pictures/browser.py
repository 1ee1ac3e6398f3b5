"""Finds a Chromium: the machine's, or else the one that npm installs; driven by Playwright."""

import fcntl
import os
import shutil
import subprocess
from pathlib import Path

HERE = Path(__file__).parent
BUILD = HERE.parents[1] / "build/chromium"
NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "chrome")
"""The one that has no window to draw comes first: it takes two thirds of the processor time of the next."""
SECONDS = 120
"""How long a busy machine may take to start it."""


def found():
    """Returns the path of the machine's Chromium, or None."""
    return next((path for name in NAMES if (path := shutil.which(name))), None)


def program():
    """Returns the path of a Chromium and the environment it needs."""
    if own := found():
        return own, {}
    BUILD.parent.mkdir(exist_ok=True)
    # One process unpacks: a browser that runs already must not lose its fonts to another that unpacks them anew.
    with BUILD.with_name("chromium.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        made = subprocess.run(["node", HERE / "chromium.mjs", BUILD], capture_output=True, text=True)
    assert made.returncode == 0, (
        f"no browser: install Chromium, or run 'npm ci --ignore-scripts' in tools/pictures: {made.stderr}"
    )
    return made.stdout.strip(), {"LD_LIBRARY_PATH": str(BUILD / "lib"), "FONTCONFIG_PATH": str(BUILD)}


def launched(playwright):
    """Returns a new headless browser."""
    path, more = program()
    return playwright.chromium.launch(
        executable_path=path,
        args=["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"],
        env={**os.environ, **more},
        timeout=SECONDS * 1000,
    )
