"""Generates clients from the published document: `python -m tools.sdk [NAME ...] [--out build/sdk]` (`make sdk`)."""

import argparse
import sys
from pathlib import Path

from tools.sdk.clients import CLIENTS, named
from tools.sdk.tools import GenerationFailed, generate


def main() -> int:
    """Generates the clients that are asked for; returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tools.sdk", description=__doc__)
    names = ", ".join(client.name for client in CLIENTS)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"{names} (default: all of them)")
    parser.add_argument("--out", type=Path, default=Path("build/sdk"), help="where to (default: %(default)s)")
    asked = parser.parse_args()
    try:
        clients = named(asked.names)
    except ValueError as unknown:
        parser.error(str(unknown))
    try:
        generate(clients, asked.out)
    except GenerationFailed as failed:
        print(failed, file=sys.stderr)
        return 1
    for client in clients:
        print(f"{asked.out / client.name}: {client.language}, {client.tool.value} {client.generator}".rstrip())
    return 0


if __name__ == "__main__":
    sys.exit(main())
