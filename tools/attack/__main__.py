"""Tries the attacks against a service of its own: `python -m tools.attack --help`."""

import argparse
import contextlib
import resource
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from tools.attack.mixed import mixed
from tools.attack.runner import ATTACKS, HEAD, SETTINGS, attacked, line
from tools.attack.target import Door, Target
from tools.testbed import proxies
from tools.testbed.installation import installed

WAYS = ("direct", "nginx")


def main() -> int:
    """Runs what is asked for and returns whether something was not as it must be."""
    parser = argparse.ArgumentParser(prog="python -m tools.attack", description=__doc__)
    parser.add_argument(
        "--only", choices=ATTACKS, action="append", help="this attack alone; may be given several times"
    )
    parser.add_argument("--way", choices=WAYS, help="directly, or behind nginx; else one after the other")
    parser.add_argument("--mixed", action="store_true", help="all attacks at random beside ten people, directly")
    parser.add_argument("--minutes", type=float, default=10.0, help="for how long, at most 60 (with --mixed)")
    given = parser.parse_args()
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))  # thousands of connections are open at once
    if given.mixed:
        with _direct() as target:
            return mixed(target, min(given.minutes, 60.0) * 60)
    return int(sum([_attacked(way, given.only or [*ATTACKS]) for way in ([given.way] if given.way else WAYS)]) > 0)


def _attacked(way: str, names: Sequence[str]) -> int:
    """Makes attacks one after the other, prints what they cost, and returns how many faults were found."""
    if way == "nginx" and proxies.program("nginx") is None:
        print(f"Not tried behind nginx: {proxies.missing('nginx')}.")
        return 0
    print({"direct": "Directly, by uvicorn with the guard.", "nginx": "Behind nginx, by docs/nginx.conf."}[way])
    print("Memory of API/workers/Redis in MB; calls of another client, median/p99, and which share was")
    print("answered within 250 ms; what was left in Redis.")
    print(HEAD)
    faults = 0
    with {"direct": _direct, "nginx": _behind_nginx}[way]() as target:
        for name in names:
            outcome = attacked(target, ATTACKS[name])
            faults += len(outcome.faults())
            print(line(outcome), flush=True)
    return faults


@contextlib.contextmanager
def _direct() -> Iterator[Target]:
    with tempfile.TemporaryDirectory() as folder, installed(folder, **SETTINGS) as made:
        yield Target(made)


@contextlib.contextmanager
def _behind_nginx() -> Iterator[Target]:
    with (
        tempfile.TemporaryDirectory() as folder,
        tempfile.TemporaryDirectory() as files,
        installed(folder, **SETTINGS, TRUSTED_PROXIES="1") as made,
        proxies.running("nginx", Path(files), made.port) as proxy,
    ):
        yield Target(made, Door(proxy.port, str(proxy.authority)), proxy.pid)


if __name__ == "__main__":
    sys.exit(main())
