"""What a client refuses when it is made: an address that is none, and a token that is none."""

import pytest

URL = "http://127.0.0.1:8000"


@pytest.mark.parametrize(
    "url", ["", "127.0.0.1:8000", "localhost:8000", "ws://127.0.0.1", "http://", "http://127.0.0.1:port", "/v1"]
)
def test_an_address_that_is_none(billet_client, url):
    with pytest.raises(ValueError, match="is no address"):
        billet_client.Billet(url)


@pytest.mark.parametrize("token", ["", "SECRET\n", " SECRET", "SEC RET", "SECR\u00c9T"])
def test_a_token_that_is_none_is_not_repeated(billet_client, token):
    with pytest.raises(ValueError, match="this is no token") as refused:
        billet_client.Billet(URL, token)
    assert "SEC" not in str(refused.value)


def test_what_can_be_called(connected):
    for url in (URL, "https://cards.example/", "HTTPS://cards.example:8443/billet", "http://[::1]:8000"):
        assert connected(url, "SECRET").token == "SECRET"
