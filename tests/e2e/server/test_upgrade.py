"""A rolling restart under play, with real processes.

A checkout may hold no older version, so both are the present one here; `make upgrade ARGS=COMMIT` takes an older one.
"""

import subprocess

import pytest

from tools.testbed.installed import imported
from tools.upgrade.rolling import FEWEST, PRESENT, checked_out, prepared

OTHER = PRESENT._replace(name="other")


@pytest.mark.soak
def test_nothing_is_lost_doubled_or_late_while_all_processes_are_replaced(tmp_path):
    with prepared(tmp_path, imported(), clients=4, parts=FEWEST) as made:
        made.beside = [(made.play_alone, "lovecraft"), (made.sleep, "classic")]  # the crowd plays the other editions
        made.balancer.pause = 0.2
        made.play([PRESENT, OTHER], actions=6)
        print(f"\n{made.check([PRESENT])}")
    assert set(made.balancer.passed) == {PRESENT.name, OTHER.name}


def test_the_code_of_a_commit_runs_from_a_folder_of_its_own():
    with checked_out("HEAD") as version:
        names = ("api", "billet", "engine", "games", "service", "workers")
        asked = f"from importlib.util import find_spec as f; print(*(f(name).origin for name in {names}))"
        said = subprocess.run(
            version.command("-c", asked), env=version.environment(), capture_output=True, text=True, check=True
        ).stdout
    assert said.split() == [str(version.folder / name / "__init__.py") for name in names]


def test_a_commit_that_is_not_there_is_named():
    with pytest.raises(LookupError, match=r"no commit v0\.0\.0"), checked_out("v0.0.0"):
        pass
