"""Formats the steps of a game as lines, for a page or for a screen."""

from collections.abc import Iterator

from billet.demo import table
from billet.demo.names import TableNames
from billet.replay.course import ReplayCourse
from engine.views import ALL
from games.texts.seats import with_seat
from games.views import editions


class ReplayPages:
    """Formats a game as lines."""

    def __init__(self, course: ReplayCourse) -> None:
        self._course = course
        self._edition = editions.detail(course.edition, course.words)

    def head(self, step: int, version: int | None = None) -> str:
        """Returns the headline of a replay's page: the position in the game, and the viewer."""
        course = self._course
        view = course.view(step, version)
        return course.words.text(
            "replay.head",
            step=step + 1,
            steps=len(course),
            version=view["version"],
            versions=course.version,
            who=self._who(),
        )

    def whole(self) -> Iterator[str]:
        """Yields the lines of a replay of the whole game, and of its result."""
        for step in range(len(self._course)):
            yield from table.event_lines(self._course.events(step))
        last = self._course.view(len(self._course) - 1)
        yield ""
        shown = table.lines if last["status"] == "active" else table.standings
        yield from shown(last, self._names(last))

    def page(self, step: int, version: int | None = None) -> Iterator[str]:
        """Yields the lines of a replay's page on one step: its cause, its events, and the table after it."""
        yield self.head(step, version)
        if (cause := self._course.cause(step)) is not None:
            yield self._course.words.text("replay.cause", cause=cause)
        yield from table.event_lines(self._course.events(step, version))
        yield ""
        view = self._course.view(step, version)
        yield from table.lines(view, self._names(view))
        if view["status"] == "finished":
            yield ""
            yield from table.standings(view, self._names(view))

    def doubt(self) -> Iterator[str]:
        """Yields the reason why a replayed log is not verified, if it is not."""
        if self._course.doubt is not None:
            words = self._course.words
            yield words.text("replay.doubt", why=self._course.doubt.written(words))

    def _names(self, view: "dict[str, object]") -> TableNames:
        return TableNames(self._course.words, self._edition, view)

    def _who(self) -> str:
        words, viewer = self._course.words, self._course.viewer
        if viewer < 0:
            return words.text("replay.as_all" if viewer == ALL else "replay.as_watcher")
        seats = self._course.view(len(self._course) - 1)["seats"]
        name = (seats[viewer]["player"] or {}).get("name", "")
        return words.text("replay.as_seat", who=with_seat(words, viewer, name))
