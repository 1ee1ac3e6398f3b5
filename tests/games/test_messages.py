"""What is said before a language is known: lengths of time, in the words of each."""

import pytest

from games.messages import time_span
from games.texts.catalogue import catalogue


@pytest.mark.parametrize(
    ("seconds", "english", "german"),
    [
        (1, "1 second", "1 Sekunde"),
        (10, "10 seconds", "10 Sekunden"),
        (60, "1 minute", "1 Minute"),
        (61, "61 seconds", "61 Sekunden"),
        (121, "3 minutes", "3 Minuten"),
        (3599, "60 minutes", "60 Minuten"),
        (3600, "1 hour", "1 Stunde"),
        (86_400, "24 hours", "24 Stunden"),
    ],
)
def test_a_length_of_time_is_in_the_unit_that_suits_it(seconds, english, german):
    assert time_span(seconds).written(catalogue("en")) == english
    assert time_span(seconds).written(catalogue("de")) == german
