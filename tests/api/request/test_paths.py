"""Which paths lead anywhere, what they may have behind them, and what a person sees where there is nothing."""

import re
from urllib.parse import quote, urljoin

import pytest
from werkzeug.test import EnvironBuilder, run_wsgi_app

from api.app import assemble
from api.responses import PAGE_POLICY
from service.settings import Settings

BROWSER = {"Accept": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"}
BEHIND = [
    "/",
    ".",
    ",",
    ";",
    ":",
    "!",
    "?",
    ")",
    "]",
    "}",
    ">",
    "'",
    '"',
    "`",
    "*",
    "~",
    "|",
    "…",
    "»",
    "”",
    "。",
    "/.",
    ").",
    "\u200b",
    "//",
    ">)",
]
"""What mails, chats and sentences put behind a link."""


def status(app, target, path, **more):
    """Returns the status for a request-target as a server passes it on, with its decoded path."""
    environ = EnvironBuilder("/", **more).get_environ() | {"PATH_INFO": path, "REQUEST_URI": target}
    return int(run_wsgi_app(app, environ)[1][:3])


@pytest.mark.parametrize(
    "path", ["/metrics", "/healthz", "/openapi.json", "/v1/editions", "/docs/index", "/", "/games/g1"]
)
def test_a_path_leads_somewhere_in_one_spelling_alone(app, path):
    """A proxy that keeps the world from a path compares what it reads with what it was told."""
    assert status(app, path, path) == 200
    assert status(app, f"{path}?x", path) in (200, 422)
    assert status(app, f"http://cards.example{path}", path) == 200, "as for a proxy"
    assert status(app, "/" + path, "/" + path) == 404
    assert status(app, f"http://cards.example/{path}", "/" + path) == 404
    assert status(app, f"{path}#x", path) == 404
    for place, letter in enumerate(path[1:], 1):
        assert status(app, f"{path[:place]}%{ord(letter):02x}{path[place + 1 :]}", path) == 404
    assert status(app, path, path) == 200, "nothing of that was remembered"


@pytest.mark.parametrize("plus", ["+", "%2B", "%2b"])
def test_the_plus_in_the_id_of_a_pool_may_be_escaped_as_clients_do(app, plus):
    pool = "/leaderboards/standard-5{}-live-people".format
    assert status(app, pool(plus), pool("+")) == 200


def test_a_path_behind_a_prefix_is_compared_with_all_that_was_written(app):
    prefix = {"base_url": "http://cards.example/billet"}
    assert status(app, "/billet/metrics", "/metrics", **prefix) == 200
    assert status(app, "/billet//metrics", "//metrics", **prefix) == 404
    assert status(app, "/billet/%6detrics", "/metrics", **prefix) == 404


@pytest.mark.parametrize("behind", BEHIND)
@pytest.mark.parametrize(
    "path", ["/games/g_1", "/replays/g-1", "/docs/decisions/020-redis-streams-as-the-log", "/docs/errors"]
)
def test_what_a_pasted_link_has_behind_it_is_left_out(http, path, behind):
    answer = http.get(f"{path}{behind}", headers=BROWSER)
    if behind == "?":
        assert answer.status_code == 200, "a query without anything in it"
        return
    assert answer.status_code == 302
    assert not answer.headers["Location"].startswith("/"), "relative, so that a prefix in front of it does no harm"
    there = urljoin(f"http://cards.example{quote(path + behind)}", answer.headers["Location"])
    assert there == f"http://cards.example{path}"


def test_what_a_link_asks_for_is_kept(http):
    answer = http.get("/replays/g1/?at=12&as=all", headers=BROWSER)
    assert (answer.status_code, answer.headers["Location"]) == (302, "../../replays/g1?at=12&as=all")


def test_a_program_is_sent_nowhere_else(http):
    assert http.get("/openapi.json/").status_code == 404


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "/v1/editions/"),
        ("GET", "/v1/editions."),
        ("POST", "/games/g1."),
        ("GET", "/nothing."),
        ("GET", "//"),
        ("GET", "//games/g1."),
        ("GET", "//evil.example/."),
        ("GET", "/docs/../metrics."),
        ("GET", "/games/a b."),
    ],
)
def test_nothing_else_is_guessed_at(app, method, path):
    assert status(app, path, path, method=method, headers=BROWSER) == 404


def test_a_long_path_of_dots_costs_no_more_than_its_length(http):
    assert http.get("/" + "a." * 20_000 + "ä.a", headers=BROWSER).status_code == 404


@pytest.mark.parametrize(
    ("language", "words", "start"),
    [("en", "There is nothing here", "start page"), ("de", "Hier ist nichts", "Startseite")],
)
@pytest.mark.parametrize(
    "path",
    [
        "/nonsense",
        "/games",
        "/games/a.b",
        "/docs/none",
        "/a/b/c/d",
        "/web/x/y.js",
        "/%6detrics",
    ],
)
def test_a_person_who_mistypes_an_address_sees_a_page(http, path, language, words, start):
    answer = http.get(path, headers=BROWSER | {"Accept-Language": language})
    text = answer.get_data(as_text=True)
    assert (answer.status_code, answer.content_type) == (404, "text/html; charset=utf-8")
    assert f'<html lang="{language}">' in text
    assert words in text
    assert start in text
    assert answer.headers["Content-Security-Policy"] == PAGE_POLICY
    assert answer.headers["Cache-Control"] == "no-store"
    assert set(answer.headers["Vary"].split(", ")) == {"Accept", "Accept-Language"}
    for link in re.findall(r'href="([^"]+)"', text):
        if link != "data:,":
            back = path.count("/") - 1
            assert link.startswith("../" * back if back else ("./", "docs", "problems"))
            assert http.get("/" + link.removeprefix("./").removeprefix("../" * back)).status_code == 200


def test_a_person_whose_request_fails_otherwise_sees_a_page_too(http, noting):
    answer = http.post("/games/g1", headers=BROWSER)
    assert (answer.status_code, answer.mimetype) == (405, "text/html")
    assert "GET" in answer.headers["Allow"]
    noting.part.result = RuntimeError("secret")
    answer = http.get("/readyz", headers=BROWSER)
    assert (answer.status_code, answer.mimetype) == (500, "text/html")
    assert b"secret" not in answer.data


def test_an_address_is_no_markup(http):
    answer = http.get("/<script>alert(1)</script>x", headers=BROWSER)
    assert answer.mimetype == "text/html"
    assert b"<script" not in answer.data


@pytest.mark.parametrize("accept", [None, "*/*", "application/json", "application/problem+json, text/html;q=0.5"])
def test_a_program_gets_a_problem_on_every_path(http, accept):
    answer = http.get("/nonsense", headers={"Accept": accept} if accept else {})
    assert (answer.status_code, answer.mimetype) == (404, "application/problem+json")
    assert answer.json["instance"] == "/nonsense"


@pytest.mark.parametrize("path", ["/v1", "/v1/nothing"])
def test_a_path_of_programs_gets_a_problem_also_in_a_browser(http, path):
    assert http.get(path, headers=BROWSER).mimetype == "application/problem+json"


def test_without_the_table_there_is_no_start_page_to_go_to(noting):
    http = assemble(Settings(web=False)).test_client()
    assert "start page" not in http.get("/nonsense", headers=BROWSER).get_data(as_text=True)
