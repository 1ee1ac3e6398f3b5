"""What Prometheus gets to see."""

from api.app import assemble
from service.settings import Settings


def test_requests_are_counted_by_route_and_status(http, bearer):
    for _ in range(3):
        http.get("/v1/games/g1", headers=bearer)
    http.get("/v1/games/g2?at=x", headers=bearer)
    http.get("/some/scan")
    text = http.get("/metrics").get_data(as_text=True)
    route = 'method="GET",route="/v1/games/<id:game_id>"'
    assert f'billet_http_request_seconds_count{{{route},status="200"}} 3.0' in text
    assert f'billet_http_request_seconds_count{{{route},status="422"}} 1.0' in text
    assert 'billet_http_request_seconds_count{method="GET",route="unknown",status="404"} 1.0' in text
    assert "g1" not in text


def test_a_made_up_method_makes_no_series_of_its_own(http):
    http.open("/v1/games", method="BREW")
    text = http.get("/metrics").get_data(as_text=True)
    assert "BREW" not in text
    assert 'method="unknown",route="unknown",status="405"' in text


def test_two_applications_count_apart(http):
    http.get("/some/scan")
    other = assemble(Settings()).test_client()
    assert 'status="404"' not in other.get("/metrics").get_data(as_text=True)
    assert 'status="404"' in http.get("/metrics").get_data(as_text=True)
