"""Reports liveness, readiness and health to operators."""

from flask import Response, current_app
from prometheus_client import CONTENT_TYPE_LATEST

from api.document.operations import Reply
from api.problems.handlers import problem
from api.request.current import service, words
from api.request.threads import PAGES
from api.responses import SECRET, CompleteResponse, plain
from api.routes.blueprint import Blueprint
from api.schemas.system import Health, Readiness
from games.errors import StoreReadOnly
from games.messages import Message

system = Blueprint("System", __name__, description="For operators: liveness, readiness, metrics.")


@system.operation("GET", "/healthz", "getHealth", Reply(200, Health(), "The process answers."), token="none")
def health() -> CompleteResponse:
    """Check that the process lives

    Asks neither Redis nor the workers.
    """
    return plain({"status": "ok"}, 200, SECRET)


@system.operation(
    "GET",
    "/readyz",
    "getReadiness",
    Reply(200, Readiness(), "Games can be played."),
    token="none",
    runs=PAGES,
)
def ready() -> Response | CompleteResponse:
    """Check that games can be played

    Redis answers and is not read-only, and at least one worker is alive. While Redis is full you can still read games:
    `writes` is false. You get an answer within a second: while Redis hangs, that of the last check.
    """
    ready, age = service().health.latest()
    parts = {"redis": ready.redis, "worker": ready.worker}
    if ready.read_only:
        return problem("unavailable", StoreReadOnly.detail, headers=[("Retry-After", "5")])
    away = sorted(part for part, answers in parts.items() if not answers)
    if away:
        missing = Message("detail.not_ready", {"parts": words().listed(away)})
        return problem("unavailable", missing, headers=[("Retry-After", "1")])
    return plain(parts | {"writes": ready.writes, "age_seconds": int(age)}, 200, SECRET)


@system.operation(
    "GET",
    "/metrics",
    "getMetrics",
    Reply(200, {"type": "string"}, "The metrics of the installation.", media_type="text/plain"),
    token="none",
    runs=PAGES,
)
def measurements() -> Response:
    """Get the metrics

    The metrics of the whole installation, in the text format of Prometheus: queues, turns of bots, timeouts, appends,
    games by edition; requests by route and status, open streams, waiting calls and events sent. They are up to a second
    old, or older while Redis hangs: `billet_survey_age_seconds`. Without Redis they say that it is down,
    and little else.
    """
    made = current_app.extensions["billet.exposition"].scrape(service().survey)
    return Response(made, headers=[("Cache-Control", SECRET)], content_type=CONTENT_TYPE_LATEST)
