"""A game of a kind with everybody who may be about it."""

import random
from typing import Any, NamedTuple

from engine.shuffle import nonce_digest
from games.errors import Damaged, Refused
from service.store import keys
from tests.contract.checked import Checked
from tests.contract.provider import Provider, whose
from tests.contract.rights.rights import SEALED
from tests.secrecy.viewers import Watched
from tests.service.at_table import EN, LONG, Game, Guest, guest, read
from tests.service.matches import playing

OPERATOR = "an-operators-token-of-more-than-32-characters"
NONCES = ("the random number of the first seat", "the random number of the second seat")


class Actor(NamedTuple):
    """One who calls: by what they are known, and what they know."""

    name: str
    token: str | None = None
    player: str | None = None
    seat: int | None = None
    code: str | None = None
    """The join code, if they know it and there is one."""
    brings_ticket: bool = False

    def __repr__(self) -> str:
        return self.name


class World:
    """A game, and people who have to do with it in every way that one can."""

    def __init__(
        self, service: Any, asked: Checked, redis: Any, provider: Provider, kind: str, visibility: str
    ) -> None:
        """Makes both by a service of its own: who is asked has never read the game."""
        self.kind, self.service, self._redis = kind, service, redis
        self.game = self._of_match() if kind == SEALED else self._opened(visibility)
        self.id, self.creator = self.game.id, self.game.creator
        removed, banned, blocked, watcher, holder = (
            guest(service, name) for name in ("Rem", "Ban", "Blo", "Wat", "Hol")
        )
        service.blocks.block(self.creator.token, blocked.id, words=EN)
        service.administration.ban(banned.id)
        self.code = None
        if kind != SEALED:
            self.code = self.game.view(creator=True)["join_code"]
            self._let_sit(removed)
        self.dealt = self.game.view(0 if kind == SEALED else None, creator=kind != SEALED)["version"]
        """The version at which a game that has started is dealt."""
        self._go_on()
        self.acting = self.game.to_act() or 0 if kind in ("active", "sandbox") else 0
        """The seat whose turn it is."""
        service.notifier.settle()
        self.watched = Watched(self.id, redis, set())
        self.watched.is_sealed = kind == SEALED
        self._put_away()
        program = guest(service, "Pro", "bot")
        signed = provider.token(f"subject of {self.id}")
        login = whose(asked, signed).json["id"]
        seated, other = self.game.guests[self.acting], self.game.guests[1 - self.acting]
        wishes = {"edition": "standard", "seats": [2]}
        self.waiting = service.queue.ask(seated.token, wishes).ticket["id"]
        """The queue ticket of the one whose turn it is."""
        self.match = playing.made(service, self.creator, program, bots=1)
        """A match that the creator has made, and that the program plays."""
        self.actors = {
            one.name: one
            for one in (
                Actor("nobody"),
                Actor("watcher", watcher.token, watcher.id),
                Actor("creator", self.creator.token, self.creator.id, code=self.code),
                Actor("seated", seated.token, seated.id, self.acting, self.code),
                Actor("other", other.token, other.id, 1 - self.acting, self.code),
                Actor("removed", removed.token, removed.id, code=self.code),
                Actor("banned", banned.token, banned.id, code=self.code),
                Actor("blocked", blocked.token, blocked.id, code=self.code),
                Actor("operator", OPERATOR),
                Actor("login", signed, login),
                Actor("program", program.token, program.id),
                Actor("code_holder", holder.token, holder.id, code=self.code),
                Actor("ticket_holder", brings_ticket=True),
            )
        }
        self.secrets = self.watched.secrets = {one.token for one in self.actors.values() if one.token}
        """What nobody may ever be told but who it belongs to."""

    def _opened(self, visibility: str) -> Game:
        seats = ["open"] * (3 if self.kind == "open" else 2)
        more = {"sandbox": LONG} if self.kind == "sandbox" else {}
        return Game.open(self.service, *seats, visibility=visibility, **more)

    def _of_match(self) -> Game:
        """Returns the first game of a match of two programs; the second one will be dealt the same cards."""
        service, creator = self.service, guest(self.service)
        programs = [playing.program(service, f"Sea {number}") for number in (0, 1)]
        match = playing.made(service, creator, *programs, deals="rotated", at_once=1)
        service.match_waves.run(match)
        [game] = playing.running(service, match)
        by_id = {one.id: one for one in programs}
        seats = read(service.games.view(programs[0].token, game, words=EN))["seats"]
        return Game(service, game, creator, {seat["seat"]: by_id[seat["player"]["id"]] for seat in seats})

    def _let_sit(self, removed: Guest) -> None:
        """Lets two people take seats, after somebody who is removed."""
        self._sit(removed, 1)
        self.service.tables.clear_seat(self.creator.token, self.id, 1, words=EN)
        for seat in (0, 1):
            self.game.guests[seat] = guest(self.service, f"Sea {seat}")
            committed = {"nonce_hash": nonce_digest(NONCES[seat])} if self.kind == "waiting" else {}
            self._sit(self.game.guests[seat], seat, **committed)

    def _sit(self, one: Any, seat: int, **more: str) -> None:
        code = {"join_code": self.code} if self.code else {}
        self.service.tables.take_seat(one.token, self.id, {"seat": seat, **code, **more}, words=EN)

    def _go_on(self) -> None:
        """Leads the game to its kind."""
        if self.kind not in ("open", "waiting", SEALED):
            self.game.play(random.Random(self.kind), 3)
        if self.kind in ("finished", "archived", SEALED):
            self.service.tables.leave(self.game.token(1), self.id, words=EN)
        elif self.kind == "aborted":
            self.service.administration.abort(self.id)

    def _put_away(self) -> None:
        if self.kind == "archived":
            assert self.service.retention.archive(self.id) == "archived"
            self.watched.read = lambda: None  # its log is no stream any more
        elif self.kind == "damaged":
            assert self._redis.xdel(keys.log(self.id), "4-0") == 1
            self.watched.read = lambda: None

    def legal_action(self) -> dict[str, Any]:
        """Returns what the one whose turn it is may do; elsewhere, what nobody may."""
        if self.kind in ("active", "sandbox"):
            return self.game.legal(self.acting)[0]
        return {"type": "play_card", "card": "guard", "targets": [1], "guess": "spy"}

    def ticket(self, *, own: bool) -> str | None:
        """Returns a ticket of the watcher, who knew the join code, for the game's streams or their own; None if that
        cannot be had.
        """
        tickets, watcher = self.service.tickets, self.actors["watcher"]
        try:
            issued = tickets.issue_own(watcher.token) if own else tickets.issue(watcher.token, self.id, self.code)
        except (Damaged, Refused):
            return None
        return issued["ticket"]

    def seat_now(self, actor: Actor) -> int | None:
        """Returns the seat of somebody by what has happened up to now."""
        if actor.player is None:
            return None
        seat = None
        for event in self.watched.log:
            match event["type"], event["data"]:
                case "seat_taken", {"player": actor.player, "seat": taken}:
                    seat = taken
                case (("seat_vacated" | "seat_cleared"), {"seat": left}) if left == seat:
                    seat = None
        return seat


def heads(redis: Any) -> dict[str, bytes]:
    """Returns the head of every log there is, by game."""
    names = [name.decode() for name in redis.keys(keys.meta("*"))]
    with redis.pipeline(transaction=False) as all_of_them:
        for name in names:
            all_of_them.hget(name, "head")
        return {keys.game_of(name): head for name, head in zip(names, all_of_them.execute(), strict=True)}
