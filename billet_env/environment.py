"""The environment: a game whose seats act one after the other, each observing only what it may see.

`numbering` numbers the actions, `observation` encodes what a seat observes.
"""

import random
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from numbers import Integral
from operator import index
from typing import Any, Final, TypeAlias

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from billet_env.numbering import Numbering
from billet_env.observation import ObservationLayout
from engine import rules
from engine.actions import Action
from engine.editions import rulebook
from engine.errors import ImpossiblePosition
from engine.events import Event, RoundStarted, fold
from engine.positions import MEMBERS, canonical
from engine.rulebook import Rulebook
from engine.shuffle import LooseChance
from engine.state import ACTIVE, GameState
from engine.views import advance, redact_log, view

Observation: TypeAlias = dict[str, np.typing.NDArray[np.int8]]
ILLEGAL_REWARD: Final = -1.0
"""What ends the game of a seat that takes an action which is not legal: as much as a lost game of two."""


def env(edition: str, seats: int, options: Mapping[str, str] | None = None, render_mode: str | None = None) -> AECEnv:
    """Returns an environment: a game as learning libraries expect it; an action that the mask excludes ends it.

    Raises:
        UnknownEdition: there is no such edition, or it has no such number of seats, option or value.
    """
    bare = Environment(edition, seats, options, render_mode)
    ended = wrappers.TerminateIllegalWrapper(bare, illegal_reward=ILLEGAL_REWARD)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(ended))


def whole(action: Any) -> int:
    """Returns the number of an action as learning libraries give it, such as one of numpy's.

    Raises:
        TypeError: it is no whole number: what would round it takes an action that nobody has chosen.
    """
    if isinstance(action, Integral | np.ndarray) and not isinstance(action, bool):
        with suppress(TypeError):
            return index(action)  # numpy's arrays that hold one whole number are such too
    raise TypeError(f"an action is given by a whole number, not by {action!r}")


def checked(book: Rulebook, position: Any) -> dict[str, Any]:
    """Returns the position given to an environment as the engine keeps it.

    Raises:
        ValueError: it is none, or no round can begin with it: the message has the member, the engine's reason, and what
            it is about.
    """
    if not isinstance(position, Mapping):
        raise ValueError(f"a position is a mapping, not {position!r}")
    unknown = [name for name in position if name not in MEMBERS]
    if unknown:
        raise ValueError(f"a position has the members {', '.join(MEMBERS)}, and not {unknown[0]!r}")
    try:
        return canonical(book, position)
    except ImpossiblePosition as fault:
        about = "".join(f", {name} {value}" for name, value in fault.values.items())
        raise ValueError(f"position{'.' if fault.field else ': '}{fault}{about}") from None
    except (TypeError, KeyError, AttributeError) as fault:
        raise ValueError(f"the position is malformed: {fault}") from fault


class Numbers(spaces.Discrete):
    """The numbers of actions; what is no whole number is none of them."""

    def contains(self, x: Any) -> bool:
        """Returns whether something is the number of an action in an environment."""
        return not isinstance(x, bool) and super().contains(x)


class Environment(AECEnv):  # type: ignore[misc]  # PettingZoo does not say that it is typed
    """A game of one edition at a table of one size, one agent for each seat.

    Rewards come with the end of the game and add up to 0: 1 for a seat that wins alone, -1 / (seats - 1) for one that
    loses, and in between for those that win together.
    """

    metadata: Final = {"name": "billet_v1", "render_modes": ["ansi"], "is_parallelizable": False}

    def __init__(
        self, edition: str, seats: int, options: Mapping[str, str] | None = None, render_mode: str | None = None
    ) -> None:
        super().__init__()
        self._book = book = rulebook(edition, seats, options or {})
        self.render_mode = render_mode
        self.numbering = Numbering(book)
        self.layout = ObservationLayout(book)
        self.possible_agents = [f"seat_{seat}" for seat in range(seats)]
        self.action_spaces = {agent: Numbers(len(self.numbering)) for agent in self.possible_agents}
        self.observation_spaces = {agent: self._observation_space() for agent in self.possible_agents}
        self._created = rules.bare_table(edition, seats, options, sandbox=True)
        self._generator = random.Random()

    def _observation_space(self) -> spaces.Dict:
        most = self.layout.most
        return spaces.Dict(
            {
                "observation": spaces.Box(np.zeros_like(most), most, dtype=np.int8),
                "action_mask": spaces.Box(0, 1, (len(self.numbering),), np.int8),
            }
        )

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Returns what an agent observes: its row, and which numbers it may take."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Returns the numbers of an agent's actions in an environment."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begins another game in the environment; with a seed it is the same each time, if the same is done.

        The first round begins with the `position` of the options, if they hold one; other options are ignored.

        Raises:
            ValueError: no round can begin with the position, or the options hold `positions`; the game before goes on
                as it was.
        """
        created = self._created
        if options and "positions" in options:
            raise ValueError("give one `position`: later rounds are dealt")
        if options and options.get("position") is not None:
            created = replace(created, sandbox_positions=(checked(self._book, options["position"]),))
        if seed is not None:
            self._generator = random.Random(seed)
        self._chance = LooseChance(self._generator)
        self._state = rules.begin(created)
        self._views = [view([created], seat) for seat in range(created.seats)]
        self._round: list[Event] = []
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.agents[0]
        started = rules.start(self._state, [""] * created.seats, self._chance)
        fold(self._state, started)
        self._take_in_events(started)
        self._accumulate_rewards()  # a position may end the game as it begins

    def step(self, action: int | None) -> None:
        """Takes the numbered action of the agent whose turn it is; None for one whose game is over.

        Raises:
            TypeError: it is no whole number.
            ValueError: the number is none that the seat may take now.
        """
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        taken = self.numbering.action(self.view(agent), whole(action))
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self._take_in_events(rules.play(self._state, taken, self._chance))
        self._accumulate_rewards()

    def observe(self, agent: str) -> Observation:
        """Returns an agent's observation and action mask; nothing is masked in for an agent that must not act."""
        seat, known = self._seat(agent), self.view(agent)
        mask = np.zeros(len(self.numbering), np.int8)
        if known.to_act == seat:
            mask[self.numbering.legal(known)] = 1
        return {"observation": self.layout.observe(known, seat), "action_mask": mask}

    def view(self, agent: str) -> GameState:
        """Returns what an agent's seat sees, as the engine has it; leave it as it is."""
        return self._views[self._seat(agent)]

    def events(self, agent: str) -> list[Event]:
        """Returns an agent's events since the round began, `round_started` first, as its seat saw them."""
        return redact_log(self._round, self._seat(agent))

    def legal_actions(self, agent: str) -> list[Action]:
        """Returns an agent's legal actions, as the engine has them; nothing if it must not act."""
        known = self.view(agent)
        return list(rules.legal_actions(known)) if known.to_act == self._seat(agent) else []

    def render(self) -> str | None:
        """Returns an environment's table as the seat to act sees it, a line each; None unless the mode is `ansi`."""
        if self.render_mode != "ansi":
            return None
        known = self.view(self.agent_selection)
        lines = [f"round {known.round_number}, {len(known.deck)} cards to draw"]
        for agent, seat in zip(self.possible_agents, known.seats, strict=True):
            mark = ">" if agent == self.agent_selection else " "
            hand = " ".join(card or "?" for card in seat.hand) or "-"
            lines.append(
                f"{mark} {agent}: {seat.tokens} tokens, holds {hand}, has played {' '.join(seat.discards) or '-'}"
            )
        return "\n".join(lines)

    def close(self) -> None:
        """Does nothing, for nothing is open. PettingZoo demands this method of an environment that renders."""

    def _seat(self, agent: str) -> int:
        return self.possible_agents.index(agent)

    def _take_in_events(self, events: list[Event]) -> None:
        """Lets every agent of an environment see its part of the events, and sets the agent to act or the rewards."""
        for seat, known in enumerate(self._views):
            advance(known, events, seat)
        for event in events:
            if isinstance(event, RoundStarted):
                self._round = []
            self._round.append(event)
        if self._state.status == ACTIVE:
            assert self._state.to_act is not None, "while a game is played, a seat must act"
            self.agent_selection = self.possible_agents[self._state.to_act]
        else:
            self.rewards = dict(zip(self.possible_agents, rewards_of(self._state), strict=True))
            self.terminations = dict.fromkeys(self.agents, True)


def rewards_of(ended: GameState) -> list[float]:
    """Returns the reward of each agent's seat for a game that has ended: winners share; all together get nothing."""
    seats = len(ended.seats)
    even = 1 / seats
    shares = [1 / len(ended.winners) if seat in ended.winners else 0.0 for seat in range(seats)]
    return [(share - even) / (1 - even) for share in shares]
