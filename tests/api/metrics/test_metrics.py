"""What Prometheus gets to see."""

import json
import random

from prometheus_client import generate_latest
from prometheus_client.parser import text_string_to_metric_families

from api.app import create_app
from api.metrics.requests import Metrics, published
from api.published import published_document
from service.settings import Settings
from tests.service.at_table import Game

CLOCK = {"seconds": 60, "on_timeout": "bot_plays"}
NOWHERE = "redis://127.0.0.1:1/0"


def test_requests_are_counted_by_route_and_status(http, bearer):
    for _ in range(3):
        http.get("/v1/games/g1", headers=bearer)
    http.get("/v1/games/g2?at=x", headers=bearer)
    http.get("/some/scan")
    text = http.get("/metrics").get_data(as_text=True)
    route = 'method="GET",route="/v1/games/{game_id}"'
    assert f'billet_http_request_seconds_count{{{route},status="200"}} 3.0' in text
    assert f'billet_http_request_seconds_count{{{route},status="422"}} 1.0' in text
    assert 'billet_http_request_seconds_count{method="GET",route="unknown",status="404"} 1.0' in text
    assert "g1" not in text


def test_routes_are_the_paths_of_the_document(app):
    paths = set(json.loads(published_document())["paths"])
    routes = {published(rule.rule) for rule in app.url_map.iter_rules()}
    assert paths <= routes
    assert not [route for route in routes if "<" in route or ">" in route]


def test_a_made_up_method_makes_no_series_of_its_own(http):
    http.open("/v1/games", method="BREW")
    text = http.get("/metrics").get_data(as_text=True)
    assert "BREW" not in text
    assert 'method="unknown",route="unknown",status="405"' in text


def test_the_measurements_have_a_size():
    metrics = Metrics()
    for number in range(2000):
        metrics.answered("GET", f"/v1/a/rather/long/path/of/which/there/are/few/{number}", "200", 0.01)
    text = generate_latest(metrics.registry)
    assert len(text) < 250_000
    assert b'method="unknown",route="other",status="200"} 1850.0' in text


def test_two_applications_of_an_installation_are_read_from_either(redis_url):
    one, other = (create_app(Settings(redis_url=redis_url)).test_client() for _ in range(2))
    counted = 'billet_http_request_seconds_count{method="GET",route="unknown",status="404"}'
    for http in (one, one, other):
        http.get("/some/scan")
    one.get("/metrics")
    assert f"{counted} 3.0" in other.get("/metrics").get_data(as_text=True)
    other.get("/some/scan")
    other.get("/metrics")
    assert f"{counted} 4.0" in one.get("/metrics").get_data(as_text=True)


def test_what_operators_are_promised_is_there(redis_url):
    app = create_app(Settings(redis_url=redis_url))
    game = Game.open(app.extensions["billet.service"], "creator", "cautious", clock=CLOCK, starter=1)
    game.play(random.Random(1))
    text = app.test_client().get("/metrics").get_data(as_text=True)
    for line in (
        'billet_redis_up{keeps="games"} 1.0',
        'billet_redis_up{keeps="queues"} 1.0',
        'billet_queue_jobs{queue="timeouts"} 0.0',
        'billet_processes{kind="worker"} 0.0',
        'billet_games_active{edition="classic"} 0.0',
        "billet_games_overdue 0.0",
        "billet_results_late 0.0",
        "billet_deals_late 0.0",
        'billet_queue_tickets_waiting{edition="classic"} 0.0',
        "billet_pairings_pending 0.0",
        "billet_matches_active 0.0",
        "billet_matches_late 0.0",
        'billet_games_ended_total{edition="standard",how="finished"} 1.0',
        'billet_turn_seconds_bucket{bot="cautious",edition="standard",le="+Inf"}',
        'billet_bot_think_seconds_count{bot="cautious",edition="standard"}',
        'billet_appends_total{edition="standard"}',
        "billet_conflicts_total",
        "billet_timeout_lateness_seconds",
        "billet_streams_open 0.0",
        "process_resident_memory_bytes",
    ):
        assert f"\n{line}" in text or f"# TYPE {line} " in text, line
    assert game.id not in text
    assert game.creator.id not in text
    assert [family.name for family in text_string_to_metric_families(text)], "Prometheus can read it"


def test_without_redis_that_is_what_is_said():
    answer = create_app(Settings(redis_url=NOWHERE)).test_client().get("/metrics")
    assert answer.status_code == 200
    text = answer.get_data(as_text=True)
    assert 'billet_redis_up{keeps="games"} 0.0' in text
    assert "billet_appends" not in text, "a sum that lacks the other processes would be wrong"
    assert "process_resident_memory_bytes" in text
