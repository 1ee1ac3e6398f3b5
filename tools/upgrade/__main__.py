"""Plays through rolling restarts between a commit and the present code: `python -m tools.upgrade COMMIT`.

All processes become of the present code one by one, then of the commit again, while people play.
"""

import argparse
import sys
import tempfile
from pathlib import Path

from tools.upgrade.rolling import PRESENT, checked_out, client_of, prepared


def main(arguments=None) -> int:
    """Runs what is asked for; returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tools.upgrade", description=__doc__)
    parser.add_argument("commit", metavar="COMMIT", help="an older version: a commit or tag")
    parser.add_argument("--there-and-back", type=int, default=2, help="how often (default: %(default)s)")
    parser.add_argument("--actions", type=int, default=60, help="between two steps (default: %(default)s)")
    parser.add_argument("--clients", type=int, default=20, help="who play at a time (default: %(default)s)")
    given = parser.parse_args(arguments)
    with (
        checked_out(given.commit) as older,
        tempfile.TemporaryDirectory() as folder,
        prepared(Path(folder), client_of(older), given.clients) as made,
    ):
        try:
            made.play([older, *[PRESENT, older] * given.there_and_back], given.actions)
            print(f"{given.commit}: {made.check([older, PRESENT])}", flush=True)
        except BaseException:
            for part in made.parts:
                print(f"--- {part.words}\n{part.said()}", file=sys.stderr)
            raise
    return 0


if __name__ == "__main__":
    sys.exit(main())
