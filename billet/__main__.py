"""Lets `python -m billet` run the `billet` command."""

import sys

from billet.cli import main

sys.exit(main())
