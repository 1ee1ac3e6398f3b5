"""Reviews ended games. Anybody who may read a game can ask for its review; workers judge one choice at a time.

What has been worked out is kept choice by choice, so a worker that is killed loses one. A list says which reviews are
under way; sweepers ask again for those that nobody has gone on with.
"""

import logging
from collections.abc import Callable
from typing import Final, NamedTuple

from games.aids.allowed import check_round
from games.aids.judging import choices_of, judged
from games.aids.reviews import review
from games.errors import Refused, Unavailable, kind_of
from games.ids import address_hash_of
from games.messages import Message
from games.notices import people, review_ready
from games.texts.catalogue import Catalogue
from service.admission import Admission, check_not_sealed
from service.inputs.clock import now_ms
from service.jobs.queue import Jobs
from service.jobs.schedule import Task
from service.past_events import game_at
from service.players import Players
from service.store.feeds.stored_notices import StoredNotices
from service.store.log.event_log import EventLog
from service.store.log.stored_answers import Answer
from service.store.log.stored_reviews import StoredReviews
from service.store.redis.client import RedisClient

LEASE_MS: Final = 15_000
"""How long after its last step a review waits until sweepers ask for it again: longer than a job may last."""
CLAIMED_AT_ONCE: Final = 50
MOST_UNDER_WAY: Final = 500
LOOK_AGAIN_SECONDS: Final = 2

_log = logging.getLogger(__name__)


class Reviewed(NamedTuple):
    """The answer to who asks for a review."""

    answer: Answer
    done: bool
    """Whether it is the review; otherwise it says how far that has come."""


class Reviews:
    """The reviews of an installation. Every call may raise `Unavailable`."""

    def __init__(self, redis: RedisClient, log: EventLog, players: Players, admission: Admission, jobs: Jobs) -> None:
        self._stored = StoredReviews(redis)
        self._notices = StoredNotices(redis)
        self._log = log
        self._players = players
        self._admission = admission
        self._jobs = jobs

    def read(
        self,
        token: str | None,
        game: str,
        *,
        join_code: str | None = None,
        begin: bool = True,
        address: str = "",
        admit: Callable[[], None],
        words: Catalogue,
    ) -> Reviewed:
        """Returns the review of an ended game, or how far it has come; begins it if nobody has and the caller wishes.

        `admit` counts who begins one, and may refuse it. Callers and their addresses take turns.

        Raises:
            Refused: the caller may not read the game, it has not ended, it has ended before its first round, or too
                many reviews are under way.
            Damaged: its log cannot be read; a worker could tell nobody.
        """
        snapshot, caller = self._admission.open(token, game, join_code)
        if not snapshot.ended:
            raise Refused("game_not_finished", Message("detail.review_too_early"))
        check_not_sealed(snapshot)
        check_round(snapshot)
        stored = self._stored.read(snapshot)
        if stored.done:
            told = review(snapshot, stored.facts, self._players, words)
            return Reviewed(Answer.of(told, language=words.language), done=True)
        begun, count = self._stored.under_way(game)
        of = stored.of
        if begin and (not begun or of is None):
            if not begun and count >= MOST_UNDER_WAY:
                busy = Message("detail.too_many_read")
                raise Refused("rate_limited", busy, limit="reviewing_at_once", retry_after=60)
            admit()
            of = len(choices_of(self._log.causes(snapshot)))
            self._stored.keep(snapshot, of, {})
            if self._stored.begin(game, now_ms() + LEASE_MS):
                asker = (caller,) if caller is not None else ()
                self._jobs.enqueue_soon(Task("review", game, 0, humans=asker, address_hash=address_hash_of(address)))
        return Reviewed(Answer.of({"judged": len(stored.facts), "decisions": of}), done=False)

    def tasks(self) -> list[Task]:
        """Claims the reviews that nobody has gone on with and returns tasks for the workers."""
        now = now_ms()
        return [Task("review", game, 0) for game in self._stored.due.claim(now, now + LEASE_MS, CLAIMED_AT_ONCE)]

    def work(self, game: str) -> Task | None:
        """Goes on with the review of a game by one choice; returns a task if there is more."""
        self._stored.due.set(game, now_ms() + LEASE_MS)
        try:
            if self._go_on(game):
                return Task("review", game, 0)
        except Unavailable:
            raise
        except Exception as error:
            # Whoever asks again begins again, with what has been kept.
            _log.error("the review of game %s has failed: %s", game, kind_of(error))
        self._stored.due.remove(game)
        return None

    def _go_on(self, game: str) -> bool:
        """Judges the next choice of a game; returns whether there is more to do."""
        snapshot = self._log.read(game).snapshot
        if snapshot is None or not snapshot.ended or snapshot.sealed:
            return False
        choices = choices_of(self._log.causes(snapshot))
        known = self._stored.read(snapshot).facts
        left = [choice for choice in choices if choice.version not in known]
        facts = {one.version: judged(game_at(one.version, snapshot, self._log), one, len(choices)) for one in left[:1]}
        if not self._stored.keep(snapshot, len(choices), facts):
            return False
        if len(left) > 1:
            return True
        at = now_ms()
        self._notices.add([(f"review-{game}", one, [review_ready(snapshot, one, at)]) for one in people(snapshot)])
        return False
