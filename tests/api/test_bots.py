"""The list of the service's own bots says what holds in this installation."""

from api import create_app
from service import Settings


def test_a_bot_that_thinks_takes_the_time_of_the_installation(redis_url):
    client = create_app(Settings(redis_url=redis_url, bot_think_ms=50)).test_client()
    assert {bot["think_ms"] for bot in client.get("/v1/bots").json["items"]} == {0, 50}
