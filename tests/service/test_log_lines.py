"""Lines of the log tell of errors where they were raised and of which kind, and nothing that they say."""

import json
import logging
import re
import subprocess
import sys
from datetime import datetime

from service.log_lines import Discreet, DiscreetJson, request_id

SECRET = "she holds the princess"


def record_of(error):
    record = logging.LogRecord("billet", logging.ERROR, __file__, 1, "it has failed", None, (type(error), error, None))
    record.request = "request-1"
    return record


def raised():
    def find():
        raise KeyError(SECRET)

    try:
        try:
            find()
        except KeyError as cause:
            raise ValueError(SECRET) from cause
    except ValueError as error:
        return error


def test_an_error_is_told_by_kind_and_place_with_what_led_to_it():
    told = Discreet().format(record_of(raised()))
    assert re.match(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z ERROR billet \[request-1\]: it has failed\n", told)
    assert told.index("in find") < told.index("KeyError") < told.index("ValueError")
    assert SECRET not in told


def test_what_was_raised_while_another_was_dealt_with_is_told_too_unless_it_is_suppressed():
    for suppressed in (False, True):
        error = ValueError(SECRET)
        error.__context__ = LookupError(SECRET)
        error.__suppress_context__ = suppressed
        told = Discreet().format(record_of(error))
        assert ("LookupError" in told) is not suppressed
        assert SECRET not in told


def test_a_line_for_programs_is_an_object():
    told = json.loads(DiscreetJson().format(record_of(raised())))
    assert datetime.fromisoformat(told.pop("time")).tzinfo is not None
    assert "in find" in told.pop("exc_info")
    assert told == {"level": "ERROR", "logger": "billet", "request": "request-1", "message": "it has failed"}
    assert SECRET not in DiscreetJson().format(record_of(raised()))


def test_a_process_that_is_configured_writes_so():
    program = f"""
import logging
from service.log_lines import configure
configure("info")
logging.getLogger("x").debug("not this")
try:
    raise ValueError({SECRET[:5]!r} + {SECRET[5:]!r})
except ValueError:
    logging.getLogger("x").exception("failed")
"""
    said = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stderr
    lines = said.splitlines()
    assert (lines[0].split(" ", 1)[1], lines[-1]) == ("ERROR x [-]: failed", "ValueError")
    assert request_id.get() == "-"
    assert SECRET not in said
