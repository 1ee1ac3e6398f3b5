"""Those who watch are answered while a survey hangs: by the last one, with its age."""

import math
import threading

import pytest

from service.metrics import latest
from service.metrics.latest import Latest


class Hanging:
    """A survey that may hang, and counts how often it is made."""

    def __init__(self):
        self.goes_on = threading.Event()
        self.goes_on.set()
        self.made = 0

    def __call__(self):
        self.made += 1
        made = self.made
        assert self.goes_on.wait(60)
        return made


@pytest.fixture
def hanging():
    survey = Hanging()
    yield survey
    survey.goes_on.set()


@pytest.fixture(autouse=True)
def impatient(monkeypatch):
    """Whoever asks while a survey hangs would wait for long otherwise."""
    monkeypatch.setattr(latest, "patience_seconds", 0.05)


@pytest.fixture
def patient(monkeypatch):
    monkeypatch.setattr(latest, "patience_seconds", 60.0)


def test_a_new_survey_is_waited_for(hanging, patient):
    kept = Latest(hanging, 0)
    assert [kept.get().outcome for _ in range(3)] == [1, 2, 3]


def test_an_outcome_is_kept_for_as_long_as_wanted_however_many_ask(hanging, patient):
    kept = Latest(hanging, 0, kept_seconds=1000.0)
    assert {kept.get().outcome for _ in range(20)} == {1}
    assert hanging.made == 1


def test_one_that_hangs_is_not_waited_for_and_not_made_again(hanging, monkeypatch):
    kept = Latest(hanging, 0)
    monkeypatch.setattr(latest, "patience_seconds", 60.0)
    assert kept.get().outcome == 1
    monkeypatch.setattr(latest, "patience_seconds", 0.05)
    hanging.goes_on.clear()
    known = [kept.get() for _ in range(20)]
    assert {one.outcome for one in known} == {1}
    assert 0 < known[0].age < known[-1].age
    assert hanging.made == 2
    monkeypatch.setattr(latest, "patience_seconds", 60.0)
    hanging.goes_on.set()
    assert kept.get().outcome >= 2


def test_what_nobody_knows_yet_is_unknown(hanging):
    hanging.goes_on.clear()
    assert Latest(hanging, 0).get() == (0, math.inf)


def test_one_that_fails_leaves_the_last_one_and_the_next_one_follows(patient, caplog):
    outcomes = iter([1, ValueError("a secret"), 3])

    def survey():
        if isinstance(outcome := next(outcomes), Exception):
            raise outcome
        return outcome

    kept = Latest(survey, 0)
    assert [kept.get().outcome for _ in range(3)] == [1, 1, 3]
    assert "a survey failed" in caplog.text
