"""Each fault that workers must survive, in a real installation: every game ends, and every log is what the rules make.

Kills of every process at any moment are for `test_kills`, jobs that come twice and damaged games for `tests/workers`.
"""

import re
import signal
import sys
import time

import pytest

from engine.editions import EDITIONS
from service.store.log.event_log import EventLog
from service.store.redis.client import RedisClient, connect
from tests.e2e.faults import faulty_billet
from tests.games.steps_again import steps_again
from tools.players.ledger import check_ended, check_whole, delays, read_logs
from tools.players.person import Person
from tools.players.tables import CREATOR, OPEN, bot, bots
from tools.testbed.installation import Installation
from tools.testbed.processes import kill
from tools.testbed.waiting import wait_until

FAULTY = (sys.executable, "-P", faulty_billet.__file__)
SECONDS = 120
CLOCK = {"seconds": 1, "on_timeout": "forfeit"}


@pytest.fixture(scope="module")
def faulty(tmp_path_factory):
    """An installation with every fault, whose bots may think for a moment only, but for one that lingers."""
    made = Installation(tmp_path_factory.mktemp("faulty"), FAULTY, WORKERS="2", BOT_THINK_MS="20")
    made.start()
    # Before the supervisor takes the start for done, a worker that ends ends everything.
    wait_until(lambda: "ready, process" in made.said(), made.said)
    yield made
    made.close()


@pytest.fixture
def person(closed):
    """Registers a player of an installation."""
    return lambda installation, name="Ann": closed(Person.register(installation.base, name))


def ended(client, games):
    """Whether games have ended, as they lie in Redis: asking the API would make it look at their clocks."""
    return all(client.hget(f"billet:{{{game}}}:meta", "status") == b"finished" for game in games)


def check_ends(installation, games):
    """Waits for games to end and checks that nothing but what the rules make of their actions is in any log."""
    with installation.redis() as client:
        wait_until(lambda: ended(client, games), installation.said)
        logs = {game: log for game, log in read_logs(client).items() if game in games}
    assert set(games) == set(logs)
    check_ended(logs)
    check_whole(logs)
    url = (installation.data_dir / "redis" / "url").read_text()
    log = EventLog(RedisClient(connect(url)))
    for game in logs:
        assert steps_again(log, game)
    return logs


def table(person, edition, *names):
    """Opens a table of bots, of whom the first one begins."""
    return person.create(edition, [bot(name) for name in names], starter=0)["id"]


def play_a_round(ann, game):
    """Plays a game with a bot until the second round, and resigns."""
    if ann.play(game, stop=lambda view: view["round"]["number"] == 2)["status"] == "active":
        assert ann.delete(f"/games/{game}/seats/me").status_code == 200


# --- bots ---


def test_bots_that_raise_loop_answer_nonsense_or_take_their_process_with_them(faulty, person):
    ann, before = person(faulty), faulty.output.stat().st_size
    faults = dict(zip(("raising", "nonsense", "endless", "deadly"), EDITIONS, strict=False))
    games = [ann.create(edition, [CREATOR, bot(fault)], starter=1)["id"] for fault, edition in faults.items()]
    for game in games:
        play_a_round(ann, game)
    # This one ends every worker, so that the others would have none.
    games.append(ann.create("classic", [CREATOR, bot("stuck")], starter=1)["id"])
    play_a_round(ann, games[-1])
    games.append(table(ann, "classic", "raising", "nonsense", "endless"))
    check_ends(faulty, games)
    said = faulty.said_since(before)
    for line in (
        "bot raising failed, RuntimeError, in game",
        "bot nonsense chose no legal action in game",
        "bot endless failed, games.bots.turns.TookTooLong, in game",
        "bot deadly is overdue in game",
        "bot stuck is overdue in game",
        "was killed by SIGSEGV; starting it again",
        "was killed by SIGVTALRM; starting it again",
        "in stuck",
    ):
        assert line in said, line
    assert "worker-1 was killed by SIGSEGV" not in said, "it leaves bots that think to the other one"
    assert said.count("was killed by SIGSEGV") < 30, "a turn that kills is not tried for ever"
    for game in games:
        said = said.replace(game, "")  # it may have the name of a short card between two digits
    lines = [line for line in said.splitlines() if "data/redis" not in line]
    cards = {card.key for edition in EDITIONS.values() for card in edition.cards_for(edition.seats[-1])}
    assert set(re.findall(r"[a-z_]+", "\n".join(lines).lower())) & (cards - {"count"}) == set()


def test_neither_a_timeout_nor_a_quick_bot_waits_for_one_that_thinks_and_a_killed_one_is_replaced(faulty, person):
    ann, ben, away = (person(faulty, name) for name in ("Ann", "Ben", "Away"))
    slow, others = [], []
    for _ in range(3):  # the machine may have been busy with something else
        slow += [ann.create("classic", [CREATOR, bot("lingering")], starter=1)["id"] for _ in range(4)]
        quick = ben.create("standard", [CREATOR, *bots(2)])["id"]
        timed = ben.create("standard", [OPEN, *bots(3)], clock=CLOCK)["id"]
        others += [quick, timed]
        away.join(timed)
        assert ben.play(quick, seed=1)["status"] == "finished"
        with faulty.redis() as client:
            wait_until(lambda timed=timed: ended(client, [timed]), faulty.said)
            logs = read_logs(client)
        if max(waited_in(logs, quick, "bot") + waited_in(logs, timed, "clock")) < 2.5:
            break
    else:
        pytest.fail("quick bots or timeouts wait for bots that think")
    kill(faulty.part("worker")[-1], signal.SIGKILL)
    kill(faulty.part("redis")[0], signal.SIGKILL)
    faulty.revive()
    wait_until(lambda: all(ann.view(game)["to_act"] == 0 for game in slow), faulty.said)
    for game in slow:
        assert ann.delete(f"/games/{game}/seats/me").status_code == 200
    logs = check_ends(faulty, [*slow, *others])
    assert max(max(waited_in(logs, game, "bot")) for game in slow) > 3, "the others were quick because nobody was slow"


def waited_in(logs, game, what):
    """How late each `bot` or `clock` of a game was, in seconds; bots that are left alone wait for those with people."""
    return [delay for kind, _, delay in delays({game: logs[game]}, ()) if kind == what]


# --- clocks, sweepers, queues ---


def unwatched(ann, absent, count):
    """Opens games that only the workers can go on with: of bots, and of bots with somebody who never acts."""
    games = [table(ann, "classic", "cautious", "random") for _ in range(count)]
    for _ in range(count):
        games.append(ann.create("classic", [OPEN, *bots(2)], clock=CLOCK)["id"])
        absent.join(games[-1])
    return games


@pytest.fixture
def clock_jumps(faulty):
    wish = faulty.data_dir / faulty_billet.CLOCK_JUMPS
    wish.touch()
    yield
    wish.unlink()


def test_the_clock_of_the_workers_jumps_to_and_fro(faulty, person, clock_jumps):
    ann, absent = person(faulty), person(faulty)
    for _ in range(10):
        logs = check_ends(faulty, unwatched(ann, absent, 2))
        times = sorted(int(log.meta["deadline"] or 0) for log in logs.values())
        assert times == [0] * len(logs)
        if any(len({event["at"][:13] for event in log.events}) > 1 for log in logs.values()):
            break  # games are quick: those before may have fitted in between two jumps
    else:
        pytest.fail("the clock has not jumped within any game")


def test_a_sweeper_that_ends_takes_its_worker_along_and_another_one_is_started(faulty, person):
    before = faulty.output.stat().st_size
    (faulty.data_dir / faulty_billet.SWEEPER_ENDS).touch()
    games = unwatched(person(faulty), person(faulty), 2)
    check_ends(faulty, games)
    wait_until(lambda: "; starting it again" in faulty.said_since(before), faulty.said)
    said = faulty.said_since(before)
    assert said.count("the sweeper has ended, and this worker with it") == 1
    assert re.search(r"worker-\d .*; starting it again", said)


def test_queues_that_are_emptied_again_and_again_keep_no_game_from_ending(faulty, person):
    ann = person(faulty)
    games = [*unwatched(ann, person(faulty), 2), table(ann, "classic", "slow", "cautious")]
    looks = emptied = 0
    with faulty.redis() as client:
        while looks < 8 or not emptied:
            if looks >= 8:
                games.append(table(ann, "classic", "slow", "cautious"))  # those before were over too soon
            looks += 1
            jobs = list(client.scan_iter(match="rq:job:*", count=1000))
            queues = [*client.scan_iter(match="rq:queue:*"), *client.scan_iter(match="billet:{lines}:*")]
            emptied += client.delete(*jobs, *queues) if jobs or queues else 0
            time.sleep(0.25)
    check_ends(faulty, games)
