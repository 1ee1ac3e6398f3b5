"""Lets `python -m billet` do what the `billet` command does."""

import sys

from billet.cli import main

sys.exit(main())
