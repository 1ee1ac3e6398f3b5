"""Random games of people and bots in every mixture, played by one who acts for all the people, one after the other.

It needs nothing but `legal_actions`: what is offered is posted back unchanged, and no offer may be refused.
"""

import random
import time
from collections.abc import Sequence
from typing import Any, NamedTuple

from tools.players.endings import check_end
from tools.players.person import Person
from tools.players.tables import CREATOR, OPEN, bot

SECONDS = 60
"""A game in which nothing happens for longer hangs."""
WAIT = 5
PAUSE = 0.2
"""How often one looks at a game in which only bots play."""
MIXTURES = 4
"""Of bots alone, with one person, with some, of people alone."""
READINGS = {"lovecraft": [{}, {"liber_ivonis": "published"}]}
"""The options that the games of an edition have in turn."""


class Outcome(NamedTuple):
    """What a game came to."""

    actions: int
    """Those of people."""
    plays: int
    """Cards played by anybody."""


class Game:
    """A game and the people at it, by seat; the first of those who are given sits beside it if there are only bots."""

    def __init__(self, edition: str, seats: int, number: int, people: Sequence[Person]) -> None:
        self.random = random.Random(f"{edition} {seats} {number}")
        self.host, self.watcher = people[0], people[-1]
        taken = self.people_at(seats, number)
        kinds = [OPEN if seat in taken else bot(self.random.choice(["cautious", "random"])) for seat in range(seats)]
        if taken:
            kinds[taken[0]] = CREATOR
        readings = READINGS.get(edition, [{}])
        # In the first of each mixture a person begins, who so acts whatever is dealt.
        first = {"starter": taken[0]} if taken and number < MIXTURES else {}
        view = self.host.create(edition, kinds, options=readings[number // MIXTURES % len(readings)], **first)
        self.id = view["id"]
        self.people = dict(zip(taken, people, strict=False))
        for seat in taken[1:]:
            self.people[seat].join(self.id, seat=seat)

    def people_at(self, seats: int, number: int) -> list[int]:
        """Returns the seats of people: by number in turn none, one, some, or all."""
        count = (0, 1, self.random.randint(1, seats - 1), seats)[number % MIXTURES]
        return sorted(self.random.sample(range(seats), count))

    def play(self) -> int:
        """Plays to the end and returns how many actions the people took."""
        until, version = time.monotonic() + SECONDS, 0
        view, actions = self.host.view(self.id), 0
        while view["status"] == "active":
            if view["version"] > version:
                until, version = time.monotonic() + SECONDS, view["version"]
            assert time.monotonic() < until, f"seat {view['to_act']} does not act at version {view['version']}"
            person = self.people.get(view["to_act"])
            if person is not None:
                view = self.act(person, view)
                actions += 1
            elif self.people:
                self.host.events(self.id, view["version"], wait=WAIT)
                view = self.host.view(self.id)
            else:
                time.sleep(PAUSE)
                view = self.host.view(self.id)
        return actions

    def act(self, person: Person, view: dict[str, Any]) -> dict[str, Any]:
        """Lets a person post one of the actions they are offered, and returns the game as they see it then."""
        if view["viewer"] != {"seat": view["to_act"]}:
            view = person.view(self.id)
        offers = view["legal_actions"]
        assert offers, f"seat {view['to_act']} is offered nothing at version {view['version']}"
        action = self.random.choice(offers)["action"]
        answer = person.act(self.id, action)
        assert answer.status_code == 201, f"{action} was offered and refused: {answer.status_code} {answer.text}"
        seen: dict[str, Any] = answer.json()["game"]
        return seen


def play(edition: str, seats: int, number: int, people: Sequence[Person]) -> Outcome:
    """Plays a game to its end and checks it as one of the players and somebody beside the table see it."""
    game = Game(edition, seats, number, people)
    try:
        actions = game.play()
        events = check_end(game.id, [game.host, game.watcher])
    except Exception as error:
        error.add_note(f"game {game.id}")
        raise
    return Outcome(actions, sum(event["type"] == "card_played" for event in events))
