"""The service answers what its document promises to whatever the document allows and forbids; bounded in time."""

import json
from collections import defaultdict

import pytest

from api.document.published import render
from games.texts.catalogue import LANGUAGES, catalogue
from tests.conformance import runs, words

LEFT_OUT = ("stream", "admin")
"""How the ids of operations begin that schemathesis.toml leaves out."""


@pytest.fixture
def document():
    return json.loads(render())


@pytest.fixture(scope="module")
def one():
    with runs.unlimited() as one:
        yield one


@pytest.mark.long
@pytest.mark.timeout(1200)
def test_nothing_fails(one, document):
    """What boundaries and mistakes the document suggests, and a little that is made up; `make fuzz` makes up more."""
    outcome = runs.run(one, 1, seed=1, phases="coverage,fuzzing")
    assert outcome.failures == [], outcome.said
    every = [operation["operationId"] for item in document["paths"].values() for operation in item.values()]
    assert outcome.operations == sum(not name.startswith(LEFT_OUT) for name in every)
    assert outcome.requests > 1000


def test_a_status_that_is_not_documented_and_a_refusal_of_what_is_are_found(one, document):
    del document["paths"]["/v1/players"]["post"]["responses"]["415"]
    document["components"]["schemas"]["PlayerSetup"]["properties"]["name"]["maxLength"] = 500
    outcome = runs.run(one, 1, seed=1, document=document, operations=["registerPlayer"], phases="coverage")
    refused = "Custom check failed: `what_is_as_documented_is_accepted`: POST /v1/players"
    assert sorted(outcome.failures) == [refused, "Undocumented status code: POST /v1/players"], outcome.said


@pytest.mark.parametrize("language", LANGUAGES)
def test_why_no_schema_says_it_is_known_by_its_words(language):
    texts, something = catalogue(language).texts, defaultdict(lambda: "one and another")
    for key in words.NO_SCHEMA_SAYS:
        assert words.FAULTS.fullmatch(texts[key].format_map(something)), key
    assert not words.FAULTS.fullmatch(texts["fault.required"])
