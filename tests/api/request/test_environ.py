"""The WSGI environment of a request: whose address it names, and what is refused before anything is parsed."""

import pytest

from api.request.environ import MOST_PARAMETERS, REQUEST, Environs, check
from api.request.limits import address_of
from games.errors import Refused


def scope(*headers, path=b"/v1/games", query=b""):
    return {
        "method": "GET",
        "path": "/decoded by the server",
        "raw_path": path,
        "query_string": query,
        "headers": [*headers],
        "http_version": "1.1",
        "client": ("192.0.2.1", 4711),
        "server": ("127.0.0.1", 8000),
    }


@pytest.mark.parametrize(
    ("proxies", "forwarded", "address"),
    [
        (0, b"198.51.100.1", "192.0.2.1"),
        (1, b"198.51.100.1", "198.51.100.1"),
        (1, b"1.1.1.1, 198.51.100.1", "198.51.100.1"),
        (2, b"1.1.1.1, 198.51.100.1, 10.0.0.1", "198.51.100.1"),
    ],
)
def test_behind_proxies_the_address_is_the_one_that_the_trusted_ones_have_seen(proxies, forwarded, address):
    environ = Environs(proxies).of(scope((b"x-forwarded-for", forwarded)))
    assert address_of(environ) == address


def test_a_path_is_decoded_once_and_a_repeated_header_is_one_list():
    environ = Environs(0).of(scope((b"accept", b"a/b"), (b"accept", b"c/d"), path=b"/v1/a%2fb%25"))
    assert environ["PATH_INFO"] == "/v1/a/b%"
    assert environ["HTTP_ACCEPT"] == "a/b,c/d"


def test_a_header_with_an_underscore_poses_as_no_other():
    environ = Environs(0).of(scope((b"x_forwarded_for", b"198.51.100.1"), (b"content-type", b"a/b")))
    assert "HTTP_X_FORWARDED_FOR" not in environ
    assert environ["CONTENT_TYPE"] == "a/b"


@pytest.mark.parametrize(("given", "kept"), [(b"abcd-1234", True), (b"short", False), (b"no.tokens.here", False)])
def test_a_well_formed_id_of_a_request_is_kept(given, kept):
    environ = Environs(0).of(scope((b"x-request-id", given)))
    assert (environ[REQUEST] == given.decode()) is kept


@pytest.mark.parametrize("refused", [scope((b"accept", b"a" * 1001)), scope(query=b"&" * MOST_PARAMETERS)])
def test_what_takes_long_to_parse_is_refused(refused):
    with pytest.raises(Refused, match="malformed_request"):
        check(refused)
    check(scope((b"cookie", b"a" * 1001)))
