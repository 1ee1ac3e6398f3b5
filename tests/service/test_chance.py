"""Tags of appends: none is drawn twice, and those that are drawn in a test move none of its cards."""

import os
import random

from engine.shuffle import SECRET_BYTES
from service.inputs import chance
from service.inputs.chance import TAGS_AT_ONCE, fresh, new_tag


def test_a_forked_process_draws_no_tag_of_the_one_it_was_forked_from():
    drawn = {new_tag()}
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        os.write(writing, "".join(new_tag() for _ in range(TAGS_AT_ONCE)).encode())
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as said:
        text = said.read()
    assert os.waitpid(child, 0)[1] == 0
    drawn |= {new_tag() for _ in range(TAGS_AT_ONCE)}
    assert len(drawn) == TAGS_AT_ONCE + 1
    assert drawn.isdisjoint(text[i : i + 8] for i in range(0, len(text), 8))
    assert len(text) == 8 * TAGS_AT_ONCE


def test_a_test_begins_with_the_same_tags_whatever_earlier_ones_have_drawn_so_that_it_is_dealt_the_same(request):
    tags = random.Random(f"tags of {request.node.nodeid}")
    assert [*chance._TAGS] == [f"{tags.getrandbits(32):08x}" for _ in range(TAGS_AT_ONCE)]
    for _ in range(TAGS_AT_ONCE):
        new_tag()
    assert fresh().secret == random.Random(request.node.nodeid).randbytes(SECRET_BYTES)
