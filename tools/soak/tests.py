"""The tests that `make test` leaves out because others show the same: at more tables, with more kills, for longer."""

import subprocess
import sys


class Broken(Exception):
    """A test has failed; what is wrong has been printed."""


def run(jobs: int) -> None:
    """Runs them in so many processes.

    Raises:
        Broken: one has failed.
    """
    print("tests: those marked soak", flush=True)
    words = ["-m", "pytest", "tests", "-m", "soak", "-n", str(jobs or "auto"), "--dist", "worksteal"]
    if subprocess.run([sys.executable, *words], check=False).returncode:
        raise Broken("tests: the lines above say which has failed, and why")
