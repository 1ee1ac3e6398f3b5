"""The `type` of each problem leads to a section of the page of errors, which says what the document says."""

import json
import re
from pathlib import Path

import pytest

from api.document.examples import EXAMPLES
from api.document.operations import PROBLEMS
from api.problems.bare import bare_refusal
from api.problems.kinds import KINDS, type_of
from api.published import published_document
from games.errors import Refused
from games.messages import Message
from games.texts.catalogue import LANGUAGES

PAGE = Path(__file__).parents[3] / "docs" / "errors.md"
SECTIONS = dict(re.findall(r"^## (\w+)\n\n(.*?)(?=\n## |\Z)", PAGE.read_text("utf-8"), re.MULTILINE | re.DOTALL))


@pytest.mark.parametrize("code", KINDS)
def test_a_type_leads_to_the_section_of_its_code(http, code):
    path, _, anchor = type_of(code).partition("#")
    assert f'<h2 id="{anchor}">{code}</h2>' in http.get(path).get_data(as_text=True)
    said = " ".join(SECTIONS[code].split())
    assert said.startswith(f"{KINDS[code].status}. {KINDS[code].meaning} "), "what the document says, and what to do"


def test_no_section_is_about_a_code_that_is_not_answered():
    assert {*SECTIONS} - {"Reasons"} == {*KINDS}


def test_each_code_is_documented_with_an_operation_and_an_example():
    operations = [one for item in json.loads(published_document())["paths"].values() for one in item.values()]
    assert {code for one in operations for code in one[PROBLEMS]} == {*KINDS}
    for language in LANGUAGES:
        examples = EXAMPLES["problems"][language]
        assert {code: one["type"] for code, one in examples.items()} == {code: type_of(code) for code in KINDS}


def test_a_call_that_is_refused_outside_of_flask_has_the_same_type():
    refusal = Refused("unavailable", Message("detail.stopping"))
    assert json.loads(bare_refusal(refusal, {"PATH_INFO": ""})[2])["type"] == type_of("unavailable")
