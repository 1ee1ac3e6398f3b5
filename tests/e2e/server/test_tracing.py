"""Requests are traced by OpenTelemetry's own instrumentation, as docs/operations.md says."""

import json
import subprocess
import sys
import urllib.request
from contextlib import suppress
from pathlib import Path

from tools.testbed.installation import free_port
from tools.testbed.waiting import wait_until

TRACE = "4bf92f3577b34da6a3ce929d0e0e4736"
PAGE = Path(__file__).parents[3] / "docs" / "operations.md"


def spans_in(text):
    """Reads the spans from what the console exporter has written, one after the other."""
    found, decoder, at = [], json.JSONDecoder(), text.find("{")
    while at >= 0:
        with suppress(ValueError):
            span, end = decoder.raw_decode(text, at)
            found.append(span)
            at = end
        at = text.find("{", at + 1)
    return found


def test_a_request_is_a_span_of_its_callers_trace(redis_url, tmp_path):
    port = free_port()
    environment = {
        "REDIS_URL": redis_url,
        "PORT": str(port),
        "OTEL_TRACES_EXPORTER": "console",
        "OTEL_METRICS_EXPORTER": "none",
        "OTEL_LOGS_EXPORTER": "none",
        "OTEL_BSP_SCHEDULE_DELAY": "100",
        "UNSAFE_REDIS": "1",
    }
    log = tmp_path / "log"
    tool = Path(sys.executable).with_name("opentelemetry-instrument")
    with log.open("wb") as stream:
        process = subprocess.Popen(
            [tool, sys.executable, "-P", "-m", "billet", "api"],
            env=environment,
            stdout=stream,
            stderr=subprocess.DEVNULL,
        )
    try:
        request = urllib.request.Request(
            f"http://127.0.0.1:{port}/v1/games/unknown?join_code=K7",
            headers={"traceparent": f"00-{TRACE}-00f067aa0ba902b7-01"},
        )
        wait_until(lambda: answered(request))
        wait_until(lambda: TRACE in log.read_text())
    finally:
        process.terminate()
        process.wait(100)
    span = next(span for span in spans_in(log.read_text()) if span["context"]["trace_id"] == f"0x{TRACE}")
    assert span["name"] == "GET /v1/games/<id:game_id>"
    with_query = {name for name, value in span["attributes"].items() if "K7" in str(value)}
    assert with_query <= {"http.target", "http.url"}
    assert all(f"key: {name}" in PAGE.read_text() for name in with_query), "the page says how to drop the query"


def answered(request):
    """Returns whether the API answers; there is no such game."""
    try:
        urllib.request.urlopen(request, timeout=30).close()
    except urllib.error.HTTPError as error:
        with error:
            return error.code == 404
    except OSError:
        return False
    return False
