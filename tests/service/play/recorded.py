"""Games with all that happens around a table, and every answer that was served of them live, to hold replays against.

Who looks: everybody at the table, whoever has left it, its creator also from beside it, and one without a token; each
in a language, after every step. A replay must be the same bytes, whoever asks for it and how late.
"""

import random
from typing import NamedTuple

import orjson
import pytest

from games.texts.catalogue import LANGUAGES, catalogue
from games.times import ms_of
from service import Service
from service.store.log.event_log import EventLog
from service.store.log.stored_answers import Answer
from tests.service.at_table import EN, Game, Guest, guest, read
from tests.service.still_clock import Clock

CLOCKS = [
    None,
    {"seconds": 60, "on_timeout": "bot_plays"},
    {"kind": "bank", "seconds": 120, "increment": 5, "on_timeout": "bot_plays"},
    {"seconds": 60, "on_timeout": "forfeit"},
    {"kind": "bank", "seconds": 120, "increment": 5, "on_timeout": "forfeit"},
]
READINGS = {"lovecraft": [{}, {"liber_ivonis": "published"}]}
A_DAY = 86_400
TABLES = [
    ("standard", 3, 1),
    ("classic", 2, 2),
    ("premium", 5, 4),
    ("lovecraft", 3, 7),
    pytest.param("standard", 2, 0, marks=pytest.mark.soak),
    pytest.param("premium", 2, 3, marks=pytest.mark.soak),
]
"""Edition, seats, and a number that says which clock, whether it is unlisted, and who opens it."""


class Looker(NamedTuple):
    """One who looks at a game, with or without a token, and reads a language."""

    token: str | None
    language: str
    code: str | None
    """The join code they bring, if they need one."""


class Served(NamedTuple):
    """What one was served live."""

    looker: Looker
    version: int
    seat: int | None
    after: int
    """The version up to which they had the events before."""
    view: Answer
    page: Answer


class Recorded:
    """A game at one table, played by a generator's whims, with what was served of it."""

    def __init__(self, service: Service, clock: Clock, edition: str, seats: int, number: int) -> None:
        self.service, self.clock = service, clock
        self.random = random.Random(f"{edition} {seats} {number}")
        self.limit = CLOCKS[number % len(CLOCKS)]
        beside = number % 4 == 3
        bots = ["random" if self.random.random() < 0.25 else "open" for _ in range(seats - 2)]
        readings = READINGS.get(edition, [{}])
        self.game = Game.open(
            service,
            "open" if beside else "creator",
            "open",
            *bots,
            edition=edition,
            visibility="unlisted" if number % 3 == 1 else "public",
            options=readings[number % len(readings)],
            **({"clock": self.limit} if self.limit is not None else {}),
        )
        self.code = self.game.view(creator=True)["join_code"]
        self.served: list[Served] = []
        self.lookers: list[Looker] = []
        self._known: dict[Looker, int] = {}
        self._appear(self.game.creator)
        self.stranger = Looker(None, "en", self.code)
        self.lookers.append(self.stranger)

    # --- what happens ---

    def sit_down(self) -> "Recorded":
        """Fills the table; before that one gets up and is removed, if there is room, and two do not accept."""
        self.look()
        early, invited = guest(self.service, "Early"), guest(self.service, "Invited")
        if len(self._open_seats()) > 1:
            self._appear(early)
            self._take(early, {"seat": 1})
            self.service.tables.leave(early.token, self.game.id, words=EN)
            self.look()
            self._take(early, {"seat": 1})
            self.service.tables.clear_seat(self.game.creator.token, self.game.id, 1, words=EN)
            self.look()
        for end in (
            lambda: self.service.tables.leave(invited.token, self.game.id, reason="later", words=EN),
            lambda: self.service.tables.clear_seat(self.game.creator.token, self.game.id, 1, words=EN),
        ):
            self._invite(invited)
            end()
            self.look()
        for seat in self._open_seats():
            newcomer = guest(self.service, f"Guest {seat}")
            self.game.guests[seat] = newcomer
            self._appear(newcomer)
            self._take(newcomer, {"seat": seat})
        return self

    def play(self, most: int) -> "Recorded":
        """Plays to the end; after so many steps all but one resign."""
        steps = 0
        while (view := self.game.view(creator=True))["status"] == "active":
            steps += 1
            if steps > most:
                self._resign(view)
            else:
                self._go_on(view)
            self.look()
        return self

    def abort(self) -> "Recorded":
        """Calls the game off."""
        self.service.administration.abort(self.game.id)
        self.look()
        return self

    def _go_on(self, view: dict) -> None:
        chance, seat = self.random.random(), view["to_act"]
        away = [one["seat"] for one in view["seats"] if one["away"]]
        if chance < 0.02 and len(self._playing(view)) > 2:
            self._resign(view)
        elif away and chance < 0.25:
            back = self.random.choice(away)
            self.service.tables.take_seat(self.game.token(back), self.game.id, {}, words=EN)
        elif view["deadline"] is not None and (chance > 0.9 or (seat in away and chance > 0.6)):
            self.clock.ms = max(self.clock.ms, ms_of(view["deadline"]))
        elif seat in self.game.guests:
            self._act(view, seat)
        else:
            self.service.play.bot_turns(self.game.id, 0)

    def _act(self, view: dict, seat: int) -> None:
        if view["deadline"] is not None:
            self.clock.ms += int((ms_of(view["deadline"]) - self.clock.ms) * self.random.random() * 0.4)
        done = self.game.act(seat, self.random.choice(self.game.legal(seat)))
        now = self.service.games.view(self.game.token(seat), self.game.id, words=EN)
        assert orjson.dumps(done["game"]) == now.body, "the answer to an action has the view"

    def _resign(self, view: dict) -> None:
        seat = self.random.choice(self._playing(view))
        self.service.tables.leave(self.game.token(seat), self.game.id, words=EN)

    def _playing(self, view: dict) -> list[int]:
        return [seat for seat in self.game.guests if not view["seats"][seat]["left"]]

    def _open_seats(self) -> list[int]:
        return [seat["seat"] for seat in self.game.view(creator=True)["seats"] if seat["player"] is None]

    def _take(self, player: Guest, claim: dict) -> None:
        code = {"join_code": self.code} if self.code is not None else {}
        self.service.tables.take_seat(player.token, self.game.id, claim | code, words=EN)
        self.look()

    def _invite(self, player: Guest) -> None:
        claim = {"seat": 1, "player": player.id}
        self.service.tables.take_seat(self.game.creator.token, self.game.id, claim, words=EN)
        self.look()

    # --- what is served ---

    def _appear(self, player: Guest) -> None:
        self.lookers.append(Looker(player.token, LANGUAGES[len(self.lookers) % len(LANGUAGES)], self.code))

    def look(self) -> None:
        """Lets everybody look at the game, and at what has come since they last did."""
        for looker in self.lookers:
            after = self._known.get(looker, 0)
            view = self.view(looker)
            seen = read(view)
            page = self.page(looker, after)
            seat = seen["viewer"]["seat"] if seen["viewer"] is not None else None
            self.served.append(Served(looker, seen["version"], seat, after, view, page))
            self._known[looker] = seen["version"]

    def view(self, looker: Looker, **which: object) -> Answer:
        """Returns the view that one who looks is served."""
        words = catalogue(looker.language)
        return self.service.games.view(looker.token, self.game.id, join_code=looker.code, words=words, **which)

    def page(self, looker: Looker, after: int, **which: object) -> Answer:
        """Returns the page of events that one who looks is served, with texts."""
        words = catalogue(looker.language)
        return self.service.games.events(
            looker.token, self.game.id, after=after, join_code=looker.code, words=words, **which
        )

    # --- the replay ---

    def ends(self, log: EventLog) -> set[int]:
        """Returns the versions at which steps have ended: no others were ever the newest."""
        ended = log.read(self.game.id).snapshot
        assert ended is not None
        return {version - 1 for version in log.causes(ended)} - {0} | {ended.version}

    def replay(self, service: Service) -> int:
        """Compares all that was served with what a service gives of it a day later, and returns how much it was.

        What a seat was served is given to its player or to a stranger.
        """
        self.clock.advance(A_DAY)
        self.service = service
        ended = read(self.view(self.lookers[0]))
        if ended["status"] == "finished" and (asking := self._still_there(ended)):
            again = service.tables.rematch(asking[0].token, self.game.id, words=EN)
            assert read(self.view(self.stranger))["next_game"] == read(again)["id"]
        for one in self.served:
            if one.seat is None or self.random.random() < 0.5:
                self._check(one, one.looker)
            else:
                self._check(one, self.stranger._replace(language=one.looker.language), as_=one.seat)
        return len(self.served)

    def _still_there(self, view: dict) -> list[Guest]:
        """Returns who may ask for a rematch: whoever has not left, and a creator beside the table."""
        beside = [] if self.game.creator in self.game.guests.values() else [self.game.creator]
        return beside + [self.game.guests[seat] for seat in self._playing(view)]

    def _check(self, one: Served, looker: Looker, **which: object) -> None:
        view = self.view(looker, at=one.version, **which)
        assert (view.body, view.tag) == (one.view.body, one.view.tag)
        page = self.page(looker, one.after, at=one.version, **which)
        assert page.body == one.page.body
