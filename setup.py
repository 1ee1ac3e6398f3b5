"""Adds the pages of `docs/` to the package that serves them, and compiles the hot modules if BILLET_COMPILE=1.

The modules are compiled as they are, so pure Python always works and does the same (`make compiled` shows it).
Everything else is in pyproject.toml.
"""

import os
import shutil
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

HOT = [
    "engine/rulebook.py",
    "engine/state.py",
    "engine/events.py",
    "engine/table.py",
    "engine/options.py",
    "engine/refusals.py",
    "engine/rounds.py",
    "engine/rules.py",
    "engine/editions/common.py",
    "engine/editions/standard.py",
    "engine/editions/classic.py",
    "engine/editions/premium.py",
    "engine/editions/lovecraft.py",
    "engine/shuffle.py",
    "engine/views.py",
    "engine/logs/codec.py",
    "engine/bots/counting.py",
    "engine/bots/expert/deals.py",
    "engine/bots/expert/race.py",
    "engine/bots/expert/sightings.py",
    "engine/bots/expert/playouts.py",
    "games/records/admissible.py",
    "games/snapshot.py",
    "games/steps.py",
    "games/times.py",
    "games/ids.py",
    "games/causes.py",
    "games/notices.py",
    "games/clocks/banks.py",
    "games/clocks/expired.py",
    "games/clocks/time_limits.py",
    "games/views/view.py",
    "games/views/events.py",
    "games/views/frames.py",
    "games/views/seated.py",
    "games/texts/actions.py",
    "games/texts/plays.py",
    "service/inputs/chance.py",
    "service/inputs/clock.py",
    "service/play.py",
    "service/players.py",
    "service/changing/changes.py",
    "service/changing/retry.py",
    "service/jobs/notifier.py",
    "service/jobs/schedule.py",
    "service/metrics/measures.py",
    "service/store/keys.py",
    "service/store/formats/short_events.py",
    "service/store/formats/storage_format.py",
    "service/store/lists/indexes.py",
    "service/store/lists/listing.py",
    "service/store/log/answers.py",
    "service/store/log/event_log.py",
]


class WithPages(build_py):
    """Builds the packages, with the documentation beside the templates of `api`."""

    def run(self):
        """Copies the pages after everything else; an editable installation reads them where they are."""
        super().run()
        if not self.editable_mode:
            pages = {page: page for page in Path("docs").rglob("*.md")}
            pages |= {Path(name): Path("docs", name) for name in ("CHANGELOG.md", "CONTRIBUTING.md")}
            for page, place in pages.items():
                target = Path(self.build_lib, "api", "pages", place)
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(page, target)


if os.environ.get("BILLET_COMPILE") == "1":
    from mypyc.build import mypycify

    setup(cmdclass={"build_py": WithPages}, ext_modules=mypycify(["--strict", *HOT]))
else:
    setup(cmdclass={"build_py": WithPages})
