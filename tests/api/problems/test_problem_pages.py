"""The catalogue of problems: each kind has its page at its `type`, each page is of use, each link leads somewhere."""

import json
import re
from html.parser import HTMLParser
from urllib.parse import urljoin, urlsplit

import pytest
from werkzeug.test import TestResponse

from api.app import assemble, published_document
from api.document.examples import EXAMPLES
from api.document.operations import PROBLEMS
from api.document.problem_entries import LABELS
from api.problems.bare import bare_refusal
from api.problems.kinds import KINDS, sentences, type_of
from games.errors import Refused
from games.messages import Message
from games.texts.catalogue import LANGUAGES, catalogue
from service.settings import Settings

PAGES = ["/problems", *map(type_of, KINDS)]


class Reader(HTMLParser):
    """What a page says and leads to; fails on a page whose elements do not nest."""

    VOID = frozenset({"meta", "link", "br"})

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.links: list[str] = []
        self.ids: list[str] = []
        self.said = ""
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attributes):
        found = dict(attributes)
        self.links += [found[name] for name in ("href", "src") if name in found]
        self.ids += [found["id"]] if "id" in found else []
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.said += data


def read(http, path: str, language: str = "en") -> tuple[TestResponse, Reader]:
    answer = http.get(path, headers={"Accept-Language": language})
    assert answer.status_code == 200, path
    assert answer.content_type == "text/html; charset=utf-8"
    assert answer.headers["Content-Language"] == language
    assert answer.headers["Vary"] == "Accept-Language"
    text = answer.get_data(as_text=True)
    assert f'<html lang="{language}">' in text
    return answer, Reader(text)


def bare(text: str) -> str:
    """Returns a text of the catalogues as a reader sees it."""
    return re.sub(r"{(\w+)}", r"\1", text.replace("`", ""))


@pytest.fixture(scope="module")
def http():
    """One application for all: nothing that is asked here changes it."""
    return assemble(Settings()).test_client()


@pytest.fixture(scope="module")
def operations():
    return [operation for item in json.loads(published_document())["paths"].values() for operation in item.values()]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("code", KINDS)
def test_a_page_says_all_there_is_to_say(http, operations, code, language):
    words = catalogue(language)
    said = read(http, type_of(code), language)[1].said
    kind = KINDS[code]
    keys = [f"problem.{code}.{part}" for part in ("title", "meaning", "person", "program")]
    keys += [f"again.{kind.again}", *(f"member.{member}" for member in kind.members)]
    texts = [words.text(key) for key in keys] + [text for reason in kind.reasons for text in sentences(words, reason)]
    for wanted in [str(kind.status), code, *kind.members, *kind.reasons, *map(bare, texts)]:
        assert wanted in said, wanted
    assert json.loads(said[said.index("{\n") : said.rindex("\n}") + 2]) == EXAMPLES["problems"][language][code]
    places = [operation for operation in operations if code in operation[PROBLEMS]]
    assert places, "a page without use"
    assert (words.text("page.everywhere") in said) is (places == operations)


@pytest.mark.parametrize("language", LANGUAGES)
def test_who_acts_after_leaving_is_not_sent_after_another_token_first(language):
    said = catalogue(language).text("problem.not_seated.program")
    assert said.index("`viewer`") < said.index("`left`") < said.rindex("oken")


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_example_holds_what_its_page_says(language):
    usual = {"type", "title", "status", "detail", "instance", "code"}
    assert list(EXAMPLES["problems"][language]) == sorted(KINDS)
    for code, example in EXAMPLES["problems"][language].items():
        assert set(example) - usual <= set(KINDS[code].members), code
        assert usual <= set(example)


def test_every_type_that_is_answered_and_every_code_of_the_document_has_its_page(http, operations):
    answered = {problem["type"] for problems in EXAMPLES["problems"].values() for problem in problems.values()}
    written = {
        json.loads(bare_refusal(Refused(code, Message(detail)), {"PATH_INFO": ""})[2])["type"]
        for code, detail in (
            ("malformed_request", "detail.not_utf_8"),
            ("unavailable", "detail.stopping"),
        )
    }
    documented = {type_of(code) for operation in operations for code in operation[PROBLEMS]}
    assert written <= answered == documented == {*PAGES} - {"/problems"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_list_leads_to_every_page(http, language):
    reader = read(http, "/problems", language)[1]
    linked = [urljoin("/problems", link) for link in reader.links]
    assert [path for path in linked if path.startswith("/problems/")] == [*map(type_of, KINDS)]
    assert all(bare(catalogue(language).text(f"problem.{code}.meaning")) in reader.said for code in KINDS)


@pytest.mark.parametrize("path", PAGES)
def test_every_link_leads_somewhere_also_below_a_prefix(http, operations, path):
    known = {f"/{operation['tags'][0]}/{operation['operationId']}" for operation in operations}
    reader = read(http, path)[1]
    assert len(reader.links) >= 4
    for link in reader.links:
        if link == "data:,":
            continue
        assert not link.startswith(("http", "/"))
        target = urlsplit(urljoin(path, link))
        assert http.get(target.path).status_code == 200, link
        assert not target.fragment or target.fragment in known, link
    assert len(reader.ids) == len(set(reader.ids))


@pytest.mark.parametrize("path", PAGES)
def test_a_page_runs_nothing_and_asks_nobody_else(http, path):
    answer, _ = read(http, path)
    policy = answer.headers["Content-Security-Policy"]
    assert policy.startswith("default-src 'none'; style-src 'self';")
    assert "script" not in answer.get_data(as_text=True)
    assert "style=" not in answer.get_data(as_text=True)
    css = http.get("/docs/problems.css")
    assert css.content_type.startswith("text/css")
    assert "url(" not in css.get_data(as_text=True)


def test_a_page_that_the_browser_has_is_not_sent_again(http):
    tag = http.get("/problems/game-over").headers["ETag"]
    again = http.get("/problems/game-over", headers={"If-None-Match": tag})
    assert (again.status_code, again.data) == (304, b"")
    german = http.get("/problems/game-over", headers={"If-None-Match": tag, "Accept-Language": "de"})
    assert german.status_code == 200


def test_every_label_is_used(http):
    said = "".join(read(http, path)[1].said for path in PAGES)
    assert all(bare(catalogue("en").text(f"page.{label}")) in said for label in LABELS)
