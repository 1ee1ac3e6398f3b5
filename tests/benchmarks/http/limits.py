"""What limits cost an action: two servers in turn, one that counts every call and one that counts none."""

from dataclasses import fields
from pathlib import Path
from tempfile import TemporaryDirectory

from billet.redis import embedded as embedded_redis
from service import Service, build
from service.settings import OFF, Settings
from tests.benchmarks.http.action import (
    CONNECTIONS,
    COURSES,
    Cost,
    measured,
    player,
    print_cost,
    redis_process,
    served,
    spread,
)
from tests.benchmarks.http.scripted import Course, scripted_game

REPEATS = 7
NONE = {field.metadata["variable"]: OFF for field in fields(Settings) if field.name.startswith("limit_")}
API = ["-m", "billet", "api"]


def run() -> None:
    """Prints the cost of an action with limits and without, and the ratio."""
    with TemporaryDirectory() as folder, embedded_redis.running(Path(folder)) as own:
        settings = Settings(redis_url=own.url)
        service = build(settings)
        with served(API, settings) as limited, served(API, settings, "/healthz", **NONE) as free:
            server = redis_process(own.url)
            on: list[Cost] = []
            off: list[Cost] = []
            for repeat in range(REPEATS + 1):
                # Who is first changes, so that what gets slower meanwhile is shared.
                for one, costs in ((limited, on), (free, off))[:: 1 if repeat % 2 else -1]:
                    costs.append(
                        measured(one, server, [player(some) for some in _courses(service, repeat, len(costs))])
                    )
    print("limits: what counting costs an action")
    print_cost("an action, limits as they come", on[1:])
    print_cost("an action, no limits", off[1:])
    ratio = spread([a.api / b.api for a, b in zip(on[1:], off[1:], strict=True)])
    print(f"  with limits it costs {ratio} the processor time")


def _courses(service: Service, repeat: int, number: int) -> list[list[Course]]:
    seed = 500_000 + 1000 * repeat + 100 * number
    return [[scripted_game(service, 4, seed + 10 * i + j) for j in range(COURSES)] for i in range(CONNECTIONS)]


if __name__ == "__main__":
    run()
