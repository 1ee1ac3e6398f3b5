"""Whether a log is what its rules and causes make of it: each step made once more, and compared."""

from games.snapshot import first_snapshot
from games.steps import events_of
from games.times import ms_of


def steps_again(log, game):
    """Returns the causes of an ended game, having checked that all events of its log follow from them, and no others.

    Each step is made again from nothing but its cause, its time and the steps before it.
    """
    ended = log.read(game).snapshot
    entries = log.entries(game, 0)
    causes = log.causes(ended)
    begins = sorted(causes)
    assert begins[0] == 1, "the first event has a cause"
    snapshot = first_snapshot(entries[0], ended.secret, ended.join_code)
    for begin, end in zip(begins, [*begins[1:], len(entries) + 1], strict=True):
        group = [entry for entry in entries[begin - 1 : end - 1] if entry.version > 1]
        assert len({entry.at for entry in group}) == 1, "what happens in one step has one time"
        assert events_of(snapshot, causes[begin], ms_of(entries[begin - 1].at)) == [entry.event for entry in group]
        snapshot = snapshot.after(group, "")
    return [causes[begin] for begin in begins]
