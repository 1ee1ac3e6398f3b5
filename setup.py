"""Compiles what searches spend their time in if BILLET_COMPILE=1; everything else is in pyproject.toml.

The modules are compiled as they are, so pure Python always works and does the same (`make compiled` shows it).
"""

import os

from setuptools import setup

HOT = [
    "engine/state.py",
    "engine/table.py",
    "engine/options.py",
    "engine/rounds.py",
    "engine/rules.py",
    "engine/editions/common.py",
    "engine/editions/standard.py",
    "engine/editions/classic.py",
    "engine/editions/premium.py",
    "engine/editions/lovecraft.py",
    "engine/bots/counting.py",
    "engine/bots/deals.py",
    "engine/bots/race.py",
    "engine/bots/sightings.py",
    "engine/bots/playouts.py",
]

if os.environ.get("BILLET_COMPILE") == "1":
    from mypyc.build import mypycify

    setup(ext_modules=mypycify(["--strict", *HOT]))
else:
    setup()
