"""`billet` with bots that fail in every way there is, and with other faults: what the tests run in its place.

Bots fail on their first turn and on some of the others only, or games would take long. The bounds that faults run into
are lower for the same reason; what they are in earnest is for other tests to see.
"""

import itertools
import os
import random
import signal
import sys
import time
from dataclasses import replace
from pathlib import Path

from billet import cli
from billet.processes import serve
from engine import bots
from games.bots import turns as own_bots
from games.clocks import expired
from games.texts.catalogue import LANGUAGES, catalogue
from service.jobs import schedule as due
from service.upkeep import packing
from workers import limit

HOUR_MS = 3_600_000
JUMPS_MS = (0, HOUR_MS, 0, -HOUR_MS)
JUMP_SECONDS = 0.6
CLOCK_JUMPS, SWEEPER_ENDS = "clock-jumps", "sweeper-ends"
"""Files in the data directory: the workers' clocks jump while there is one, and for each a sweeper ends."""


def raising(question):
    raise RuntimeError(f"I hold {question.view.seats[question.view.to_act].hand}")


def nonsense(question):
    return "princess"


def endless(question):
    while True:
        try:
            time.sleep(0.01)
        except Exception:
            continue


def stuck(question):
    """Computes without ever letting a signal through."""
    sum(itertools.repeat(0))


def deadly(question):
    os.kill(os.getpid(), signal.SIGSEGV)


def slow(question):
    """Thinks as long as it may."""
    while not question.hurry():
        time.sleep(0.02)
    return random.Random(question.view.version).choice(question.legal)


FAULTS = {fault.__name__: fault for fault in (raising, nonsense, endless, stuck, deadly, slow)} | {"lingering": slow}
SELDOM = {"stuck", "deadly"}
"""Those that take their process with them, and so on their first turn only."""


def bot(fault):
    """A bot that fails in a way, first of all and now and then."""

    def choose(question, rng):
        view = question.view
        first = view.round_number == 1 and not view.seats[view.to_act].discards
        fails = first or FAULTS[fault] is slow or (fault not in SELDOM and rng.random() < 0.15)
        return FAULTS[fault](question) if fails else rng.choice(question.legal)

    return choose


def be_impatient():
    """Lowers the bounds."""
    own_bots.GRACE_SECONDS = 0.1
    limit.STUCK_SECONDS = 0.3
    own_bots.OVERDUE_MS = own_bots.UNATTENDED_OVERDUE_MS = 3_000


def let_linger():
    """Gives one of the bots five seconds to think, whatever the installation allows."""

    def choice(snapshot, seat, bot, patience, now):
        return own_bots.choice(
            snapshot, seat, bot, replace(patience, think_ms=5_000) if bot == "lingering" else patience, now
        )

    expired.choice = choice


def jump(wish):
    """Lets the clock of this process jump to and fro while there is a file; no game that seems to be old is packed."""
    packing.QUIET_MS = 3 * HOUR_MS
    for module in list(sys.modules.values()):
        now_ms = getattr(module, "now_ms", None)
        if now_ms is not None and module.__name__.startswith("service."):
            module.now_ms = lambda now_ms=now_ms: (
                now_ms() + wish.exists() * JUMPS_MS[int(time.monotonic() / JUMP_SECONDS) % len(JUMPS_MS)]
            )


def end_sweeper(wish):
    """Ends one sweeper of an installation whenever a test has put a certain file there."""
    tasks = due.Schedule.tasks

    def ending(self):
        try:
            wish.unlink()
        except FileNotFoundError:
            return tasks(self)
        raise SystemExit

    due.Schedule.tasks = ending


if __name__ == "__main__":
    be_impatient()
    bots.BOTS.update({fault: bots.Bot(bot(fault)) for fault in FAULTS})
    for language in LANGUAGES:
        for fault in FAULTS:
            catalogue(language).texts |= {f"bot.{fault}.name": fault, f"bot.{fault}.names": ", ".join([fault] * 8)}
    own_bots.THINKERS = bots.THINKERS | {"slow", "lingering", "deadly", "endless"}
    let_linger()
    serve.billet = lambda *words: [sys.executable, "-P", __file__, *words]
    if "worker" in sys.argv:
        jump(Path(os.environ["DATA_DIR"]) / CLOCK_JUMPS)
        end_sweeper(Path(os.environ["DATA_DIR"]) / SWEEPER_ENDS)
    sys.exit(cli.main())
