"""In which language the interface answers."""

import pytest

from api.request.current import LONGEST_READ, language_of
from games.texts.catalogue import LANGUAGES, catalogue

HEADERS = [
    ("", "en"),
    ("en", "en"),
    ("de", "de"),
    ("DE", "de"),
    ("de-AT", "de"),
    ("de-Latn-CH", "de"),
    ("de_DE", "de"),
    ("en-GB", "en"),
    ("de-AT, en;q=0.5", "de"),
    ("de-AT,de;q=0.9,en;q=0.8", "de"),
    ("en;q=0.5, de", "de"),
    ("de;q=0.4, en;q=0.6", "en"),
    ("de, en", "de"),
    ("en, de", "en"),
    ("tlh, de;q=0.1", "de"),
    ("tlh, xx;q=0.5", "en"),
    ("*", "en"),
    ("*;q=0.5, de", "de"),
    ("*, en;q=0", "de"),
    ("*, en;q=0.5", "de"),
    ("*, de;q=0.5", "en"),
    ("de;q=0", "en"),
    ("en;q=0, de;q=0", "en"),
    ("en;q=0", "en"),
]
MALFORMED = [
    ",",
    ";",
    ";;q",
    "q=1",
    "de;q=",
    "de;q=x",
    "de;q=nan",
    "de;q=2",
    "de;q=-1",
    "=;=,=",
    '"',
    '"de',
    "de;q*=utf-8''1",
    "-",
    "--,__",
    "\xff\xfe",
    "*-*",
    "a" * 5000,
    ",".join(["xx;q=0.3"] * 2000),
]


@pytest.mark.parametrize(("header", "language"), HEADERS)
def test_the_most_wanted_language_that_there_is(http, header, language):
    assert language_of(header) == language
    for _ in range(2):
        answer = http.get("/v1/nothing", headers={"Accept-Language": header})
        assert answer.headers["Content-Language"] == language
        assert answer.json["title"] == {"en": "Not found", "de": "Nicht gefunden"}[language]


@pytest.mark.parametrize("header", MALFORMED)
def test_what_cannot_be_read_never_fails(http, header):
    answer = http.get("/v1/nothing", headers={"Accept-Language": header})
    assert answer.status_code == 404
    assert answer.headers["Content-Language"] in LANGUAGES


def test_a_long_header_is_read(http):
    header = "de" + " " * (LONGEST_READ // 2) + ";q=0.9"
    assert http.get("/v1/nothing", headers={"Accept-Language": header}).headers["Content-Language"] == "de"


def test_only_the_beginning_of_a_longer_header_is_read(http):
    for spaces, language in ((LONGEST_READ - 3, "de"), (LONGEST_READ - 2, "en")):
        header = "x," + " " * (spaces - 1) + "de;q=0.5"
        assert http.get("/v1/nothing", headers={"Accept-Language": header}).headers["Content-Language"] == language


def test_the_header_is_not_read_anew_for_each_fault(http, monkeypatch):
    read = []
    monkeypatch.setattr("api.problems.handlers.words", lambda: read.append("once more") or catalogue("en"))
    counted = []
    for faults in (1, 50):
        read.clear()
        assert len(http.get("/v1/games?" + "&".join(f"p{i}=" for i in range(faults))).json["errors"]) == faults
        counted.append(len(read))
    assert counted[0] == counted[1]


def test_no_header_is_english(http):
    answer = http.get("/v1/nothing")
    assert (answer.json["title"], answer.headers["Content-Language"]) == ("Not found", "en")
    assert answer.headers["Vary"] == "Accept-Language"


def test_codes_fields_and_the_rest_do_not_change_with_the_language(http):
    english, german = (
        http.get("/v1/games?limit=x&colour=red", headers={"Accept-Language": language}).json
        for language in ("en", "de")
    )
    for problem in (english, german):
        for texts in (problem, *problem["errors"]):
            texts.pop("title", None)
            texts.pop("detail")
    assert english == german
