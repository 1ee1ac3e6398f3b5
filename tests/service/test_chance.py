"""Tags of appends: none is drawn twice."""

import os

from service.inputs.chance import TAGS_AT_ONCE, new_tag


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
