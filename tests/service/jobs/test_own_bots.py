"""The service's own bots: how long they think, who stands in for one that fails, and how a move is found again."""

import contextlib
import logging
import time
from types import SimpleNamespace

import pytest

from engine.bots import BOTS, Bot
from games.bots import turns as own_bots
from games.bots.think_time import HURRIED_MS, LEAST_SHARE, QUICK_SECONDS, HurryByClock, StoppedClock, remaining
from games.bots.turns import AT_ONCE, OVERDUE_MS, UNATTENDED_OVERDUE_MS, ThinkBudget, TookTooLong, choice, chosen
from games.causes import Act
from service import Settings
from service.jobs.schedule import BOT_GRACE_MS, Task, bots_task
from tests.service.at_table import EN, Game

FIRST = {"rounds": [{"starter": 1}]}
THINK_MS = 40


class HurryByCount:
    """Tells a bot to hurry after a number of looks, so that it thinks exactly as long as it did before."""

    def __init__(self, looks):
        self._left = looks

    def __call__(self):
        """Returns whether the time was up at this look."""
        self._left -= 1
        return self._left < 0


@pytest.fixture
def settings(redis_url):
    """An installation whose bots do not think for long."""
    return Settings(redis_url=redis_url, bot_think_ms=THINK_MS)


@pytest.fixture
def against(service):
    """Opens a table of a person and a bot, whose turn it is."""
    return lambda bot, *more, **body: Game.open(service, "creator", bot, *more, sandbox=FIRST, **body)


@pytest.fixture
def asked_of(monkeypatch):
    """Puts a spy in the place of a bot and returns what it is asked."""

    def spy(bot):
        questions = []
        monkeypatch.setitem(BOTS, bot, Bot(lambda asked, rng: questions.append(asked) or rng.choice(asked.legal)))
        return questions

    return spy


def snapshot_of(log, game):
    return log.read(game.id).snapshot


def last_act(log, game):
    """What caused the newest step: the game is given up, for causes are not shown before."""
    game.service.tables.leave(game.creator.token, game.id, words=EN)
    acts = [cause for cause in log.causes(snapshot_of(log, game)).values() if isinstance(cause, Act)]
    return acts[-1]


def of_bots(caplog):
    """What was logged of bots: threads of other tests may log something, too."""
    return [record.getMessage() for record in caplog.records if record.name == own_bots.__name__]


# --- how long ---


@pytest.mark.parametrize(
    ("late_ms", "clock_ms", "expected"),
    [
        (0, None, 200),
        (60, None, 140),
        (190, None, 20),
        (5_000, None, 20),
        (-90_000, None, 200),
        (0, 1_000, 200),
        (0, 300, 150),
        (140, 300, 20),
    ],
)
def test_a_bot_has_what_is_left_of_its_time_and_of_half_its_clock_and_never_nothing(late_ms, clock_ms, expected):
    asked = 1_700_000_000_000
    game = SimpleNamespace(asked=asked, deadline=clock_ms and asked + clock_ms, unattended=False, bots_alone=False)
    assert remaining(game, 200, asked + late_ms) == pytest.approx(expected / 1000)


def test_a_bot_that_nobody_waits_for_has_all_its_time():
    game = SimpleNamespace(asked=1_000, deadline=None, unattended=True, bots_alone=True)
    assert remaining(game, 200, 90_000) == 0.2
    game.deadline = 91_000
    assert remaining(game, 200, 46_000 - 80) == pytest.approx(0.08)


def test_a_bot_hurries_while_nobody_who_waits_is_in_the_round(service, log, clock):
    playing = {"hands": [["guard", "priest"], ["princess"], ["spy"]], "turn": 0}
    out = {"hands": [["guard", "priest"], ["princess"], []], "out": [2], "turn": 0}
    for position, longest in ((playing, 1.0), (out, HURRIED_MS / 1000)):
        game = Game.open(service, "expert", "expert", "creator", sandbox={"positions": [position]})
        snapshot = snapshot_of(log, game)
        assert not snapshot.unattended
        assert remaining(snapshot, 1000, snapshot.asked) == pytest.approx(longest)


def test_the_time_is_up_once_and_for_all_and_its_looks_are_counted():
    now = [100.0]
    hurry = HurryByClock(2, SimpleNamespace(monotonic=lambda: now[0]))
    assert [hurry(), hurry(), hurry()] == [False] * 3
    now[0] += 1.99
    assert [hurry(), hurry()] == [True] * 2, "what is left is for its answer"
    now[0] -= 1
    assert hurry()
    assert hurry.looks == 3


@pytest.mark.parametrize(("takes", "rests"), [(0, 0.01), (0.002, 0.008), (0.0099, 0.0001), (0.013, 0.007)])
def test_a_quick_bot_answers_on_a_beat_however_soon_it_knows(takes, rests):
    now, slept = [100.0], []
    hurry = HurryByClock(2, SimpleNamespace(monotonic=lambda: now[0], sleep=slept.append))
    now[0] += takes
    hurry.rest_to_beat(0.01)
    assert slept == [pytest.approx(rests)]


@pytest.mark.parametrize(("more", "rivals"), [((), 1), (("cautious", "random"), 3)])
@pytest.mark.parametrize("bot", ["cautious", "random"])
def test_where_people_wait_a_quick_bot_takes_as_long_for_any_hand(against, log, clock, bot, more, rivals):
    slept = []
    budget = ThinkBudget(THINK_MS, SimpleNamespace(monotonic=lambda: 0.0, sleep=slept.append))
    for _ in range(3):
        choice(snapshot_of(log, against(bot, *more)), 1, bot, budget, clock.ms)
    assert slept == [pytest.approx(QUICK_SECONDS * rivals * 10)] * 3, "ten kinds of cards"


def test_among_bots_alone_a_quick_bot_does_not_rest(service, log, clock):
    game = Game.open(service, "cautious", "cautious", sandbox=FIRST)
    budget = ThinkBudget(THINK_MS, SimpleNamespace(monotonic=lambda: 0.0))
    snapshot = snapshot_of(log, game)
    assert snapshot.unattended
    choice(snapshot, 1, "cautious", budget, clock.ms)


def test_a_bot_is_asked_with_the_time_of_the_installation_and_what_is_left_of_it(
    service, against, asked_of, clock, monkeypatch
):
    questions, given = asked_of("expert"), []
    monkeypatch.setattr(own_bots, "HurryByClock", lambda *of: given.append(of[0]) or HurryByClock(*of))
    game = against("expert")
    clock.advance(3)
    service.play.think(game.id)
    assert [question.think_ms for question in questions] == [THINK_MS]
    assert given == [THINK_MS * LEAST_SHARE / 1000], "it is late"


def test_a_move_that_was_hurried_is_found_again_by_how_often_the_bot_looked(against, log, clock):
    hurried = 0
    for _ in range(5):
        game = against("expert", "cautious", "cautious")
        snapshot = snapshot_of(log, game)
        action, thought = choice(snapshot, 1, "expert", ThinkBudget(2_000, time), clock.ms + 1_990)
        assert thought.think_ms == 2_000
        alone = HurryByCount(thought.looks)
        assert chosen(snapshot, 1, "expert", thought.think_ms, alone) == action
        hurried += alone()
        clock.advance(1)
    assert hurried, "it had all the time there was"


# --- what is kept ---


def test_what_a_bot_thought_is_kept_with_its_move(service, against, log, clock):
    game = against("expert")
    snapshot = snapshot_of(log, game)
    service.play.think(game.id)
    act = last_act(log, game)
    assert (act.seat, act.thought.bot, act.thought.think_ms) == (1, "expert", THINK_MS)
    again = chosen(snapshot, 1, act.thought.bot, act.thought.think_ms, HurryByCount(act.thought.looks))
    assert again == act.action


def test_of_a_quick_bot_there_is_no_thought_to_keep(service, against, log):
    game = against("cautious")
    service.play.bot_turns(game.id, 0)
    thought = last_act(log, game).thought
    assert (thought.bot, thought.think_ms, thought.looks) == ("cautious", 0, 0)


# --- who plays ---


def test_quick_bots_are_not_held_up_by_one_that_thinks(service, against, log):
    game = Game.open(service, "random", "expert", "random", sandbox={"rounds": [{"starter": 0}]})
    task = service.play.bot_turns(game.id, 5)
    snapshot = snapshot_of(log, game)
    assert snapshot.state.to_act == 1
    assert task == Task("think", game.id, snapshot.version, unattended=True, humans=(game.creator.id,))
    assert service.play.bot_turns(game.id, 5) == task, "it is left to those who have time"
    assert snapshot_of(log, game).version == snapshot.version


def test_a_thought_is_one_turn_of_a_bot(service, against, log, clock):
    game = against("expert", "expert")
    version = snapshot_of(log, game).version
    assert service.play.think("no-such-game") is None
    following = service.play.think(game.id)
    assert following == bots_task(snapshot_of(log, game), clock.ms)
    assert snapshot_of(log, game).version > version
    while bots_task(snapshot_of(log, game), clock.ms) is not None:
        service.play.think(game.id)
    version = snapshot_of(log, game).version
    assert service.play.think(game.id) is None
    assert snapshot_of(log, game).version == version, "it is a person's turn"


def test_who_was_too_slow_leaves_the_rest_to_the_faster_one(service, against, monkeypatch, log, clock):
    game = against("expert")
    version = snapshot_of(log, game).version
    fast = BOTS["expert"]

    def slow(asked, rng):
        monkeypatch.setitem(BOTS, "expert", Bot(fast))
        service.play.think(game.id)
        return fast(asked, rng)

    monkeypatch.setitem(BOTS, "expert", Bot(slow))
    assert service.play.think(game.id) is None
    plays = [entry for entry in log.entries(game.id, version) if entry.event.type == "card_played"]
    assert len(plays) == 1


def test_a_turn_that_stays_open_is_taken_by_the_stand_in(service, against, asked_of, log, clock, caplog):
    questions = asked_of("expert")
    game = against("expert")
    version = snapshot_of(log, game).version
    clock.advance(OVERDUE_MS / 1000 - 0.001)
    assert bots_task(snapshot_of(log, game), clock.ms).kind == "think"
    clock.advance(0.001)
    assert bots_task(snapshot_of(log, game), clock.ms).kind == "bots"
    with caplog.at_level(logging.ERROR):
        service.play.bot_turns(game.id, 0)
    assert questions == []
    assert of_bots(caplog) == [f"bot expert is overdue in game {game.id} at version {version}"]
    assert last_act(log, game).thought.bot == "cautious"


def test_a_bot_among_bots_has_longer_until_it_is_overdue(service, log, clock):
    game = Game.open(service, "expert", "expert")
    clock.advance(OVERDUE_MS / 1000)
    assert bots_task(snapshot_of(log, game), clock.ms).kind == "think"
    clock.advance((UNATTENDED_OVERDUE_MS - OVERDUE_MS) / 1000)
    assert bots_task(snapshot_of(log, game), clock.ms).kind == "bots"


def test_sweepers_ask_for_thoughts_until_they_are_overdue_and_then_for_quick_turns(service, against, client, clock):
    game = against("expert", clock={"seconds": 3600, "on_timeout": "bot_plays"})
    version, began = game.view()["version"], clock.ms
    asked = []
    while clock.ms < began + 3 * OVERDUE_MS:
        ((_, score),) = client.zrange("billet:due", 0, 0, withscores=True)
        clock.ms = max(clock.ms, int(score) + 1)
        asked += [(clock.ms - began, task.kind) for task in service.schedule.tasks()]
    assert asked[0] == (pytest.approx(BOT_GRACE_MS + THINK_MS, abs=2), "think")
    assert [kind for _, kind in asked] == ["think"] * 2 + ["bots"] * (len(asked) - 2)
    assert asked[2][0] == pytest.approx(OVERDUE_MS, abs=2), "as soon as it is overdue"
    assert {task.version for task in service.schedule.tasks()} <= {version}


def test_whoever_reads_a_game_waits_for_no_thought(service, against, asked_of, clock, log):
    questions = asked_of("expert")
    game = against("expert", clock={"seconds": 1, "on_timeout": "forfeit"})
    version = snapshot_of(log, game).version
    clock.advance(1)
    assert game.view(creator=True)["version"] > version
    assert questions == []
    assert last_act(log, game).thought.bot == "cautious"


# --- who stands in ---


def broken(asked, rng):
    raise RuntimeError("no idea")


@contextlib.contextmanager
def impatient(seconds):
    """Ends what would not end by itself."""
    raise TookTooLong
    yield


@pytest.mark.parametrize("bot", [broken, lambda asked, rng: "nonsense"], ids=["raises", "nonsense"])
def test_for_a_bot_that_fails_the_stand_in_plays(against, monkeypatch, log, clock, bot):
    monkeypatch.setitem(BOTS, "expert", Bot(bot))
    snapshot = snapshot_of(log, against("expert"))
    found = choice(snapshot, 1, "expert", ThinkBudget(THINK_MS, time), clock.ms)
    assert found == choice(snapshot, 1, "cautious", AT_ONCE, clock.ms)


def test_where_nobody_comes_to_an_answer_a_legal_action_is_drawn(against, log, clock):
    snapshot = snapshot_of(log, against("expert"))
    action, thought = choice(snapshot, 1, "expert", ThinkBudget(THINK_MS, time, impatient), clock.ms)
    assert thought.bot == "random"
    assert action == chosen(snapshot, 1, "random", 0, HurryByClock(0, StoppedClock())), "as that bot would"


def test_what_is_logged_of_a_bot_that_fails_is_the_kind_of_its_fault(against, monkeypatch, log, clock, caplog):
    monkeypatch.setitem(BOTS, "expert", Bot(broken))
    game = against("expert")
    snapshot = snapshot_of(log, game)
    choice(snapshot, 1, "expert", AT_ONCE, clock.ms)
    (message,) = of_bots(caplog)
    assert message == (f"bot expert failed, RuntimeError, in game {game.id} at version {snapshot.version}")
    assert "no idea" not in caplog.text


@pytest.mark.parametrize("late_ms", [0, 150, OVERDUE_MS - 1])
def test_a_bot_that_searched_and_one_that_had_no_choice_answer_at_the_same_moment(
    against, log, clock, monkeypatch, late_ms
):
    """On a clock that goes on only where the bot works: the answer of one that is hurried comes 1.5 ms later."""
    now, look = [100.0], 0.0015

    def slept(seconds):
        now[0] += seconds

    def searching(asked, rng):
        while not asked.hurry():
            slept(look)
        slept(look)
        return asked.legal[0]

    working = SimpleNamespace(monotonic=lambda: now[0], sleep=slept)
    snapshot = snapshot_of(log, against("expert"))
    took, looks = [], []
    for bot in (lambda asked, rng: asked.legal[0], searching):
        monkeypatch.setitem(BOTS, "expert", Bot(bot))
        now[0] = 100.0
        _, thought = choice(snapshot, 1, "expert", ThinkBudget(200, working), clock.ms + late_ms)
        took.append(now[0] - 100)
        looks.append(thought.looks)
    assert took == [pytest.approx(remaining(snapshot, 200, clock.ms + late_ms))] * 2
    assert looks[0] == 0 < looks[1]
