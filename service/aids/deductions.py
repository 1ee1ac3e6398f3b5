"""Reads what a viewer of a game can know of the hidden cards, now or at an earlier version."""

from games.aids.allowed import check_aids, check_round
from games.aids.deductions import deductions
from games.texts.catalogue import Catalogue
from games.views.view import viewer_of
from games.views.viewpoints import version_at, viewer_as
from service.admission import Admission
from service.past_events import game_at
from service.players import Players
from service.store.log.event_log import EventLog
from service.store.log.stored_answers import Answer


class Deductions:
    """Answers what can be known in games that allow it."""

    def __init__(self, log: EventLog, players: Players, admission: Admission) -> None:
        self._log = log
        self._players = players
        self._admission = admission

    def read(
        self,
        token: str | None,
        game: str,
        *,
        at: int | None = None,
        as_: str | int | None = None,
        join_code: str | None = None,
        words: Catalogue,
    ) -> Answer:
        """Returns what a game's viewer, chosen as for its view, can know of the hidden cards.

        Raises:
            Refused: the caller may not see that view, the game gives no aids, or no round had begun.
        """
        snapshot, caller = self._admission.open(token, game, join_code)
        viewer = viewer_as(snapshot, as_, caller)
        check_aids(snapshot)
        if at is not None:
            snapshot = game_at(version_at(snapshot, at), snapshot, self._log)
            if as_ is None:
                viewer = viewer_of(snapshot, caller)
        check_round(snapshot)
        return Answer.of(deductions(snapshot, viewer, self._players, words), language=words.language)
