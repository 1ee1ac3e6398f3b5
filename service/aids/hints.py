"""Gives hints to seats that must act, and counts them."""

from games.aids.allowed import check_aids
from games.aids.hints import advice, hint
from games.errors import Refused
from games.messages import Message
from games.texts.catalogue import Catalogue
from service.admission import Admission
from service.play import acting_seat
from service.players import Players
from service.store.log.event_log import EventLog
from service.store.log.stored_answers import Answer


class Hints:
    """Answers what the expert would do in a seat's place."""

    def __init__(self, log: EventLog, players: Players, admission: Admission) -> None:
        self._log = log
        self._players = players
        self._admission = admission

    def read(self, token: str, game: str, *, as_seat: int | None = None, words: Catalogue) -> Answer:
        """Returns a hint for the caller's seat that must act, and counts it once for each decision.

        `as_seat` chooses among several seats of the caller.

        Raises:
            Refused: the token is not valid, there is no such game, it gives no aids, it is not running, or the caller
                does not have to act.
        """
        snapshot, caller = self._admission.open(token, game, None)
        seat = acting_seat(snapshot, caller, as_seat)
        if snapshot.ended:
            raise Refused("game_over", Message("detail.hint_in_turn"), version=snapshot.version)
        check_aids(snapshot)
        if not snapshot.state.round_number:
            raise Refused("game_not_started", Message("detail.no_round_yet"), version=snapshot.version)
        if snapshot.state.to_act != seat:
            raise Refused("not_your_turn", Message("detail.hint_in_turn"), version=snapshot.version)
        given = advice(snapshot.view(seat), snapshot.round_seen(seat), seat)
        if not self._log.note_hint(snapshot, seat):
            return self.read(token, game, as_seat=as_seat, words=words)  # it has gone on meanwhile: about it as it is
        return Answer.of(hint(snapshot, seat, given, self._players, words), language=words.language)
