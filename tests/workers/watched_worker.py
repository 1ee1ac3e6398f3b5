"""A worker process that writes a line for each job: what was imported during it. Run as a module by the tests."""

import json
import sys

from service.settings import Settings
from workers import main

perform = main.WarmWorker.perform_job


def watched(self, job, queue):
    """Performs a job and says what it has imported."""
    before = set(sys.modules)
    done = perform(self, job, queue)
    print(json.dumps({"function": job.func_name, "imported": sorted(set(sys.modules) - before)}), flush=True)
    return done


if __name__ == "__main__":
    main.WarmWorker.perform_job = watched
    main.run(Settings.from_env())
