import json
import os
import signal
import subprocess
import sys
import time
from contextlib import contextmanager

import pytest

from billet.processes.child import LONGEST_DELAY
from tools.testbed.processes import alive, all_gone

# Runs a supervisor over the children that the first argument describes; "ready" is a file that must exist.
PROGRAM = """
import asyncio, json, sys
from pathlib import Path
from billet.processes.child import Spec
from billet.processes.console_log import ConsoleLog
from billet.errors import StartError
from billet.processes.supervisor import Supervisor

def spec(name, script, ready=None, patience=60.0):
    async def exists():
        return Path(ready).exists()
    return Spec(name, ["sh", "-c", script], {"PART": name}, ready=exists if ready else None, patience=patience)

groups = [[spec(**child) for child in group] for group in json.loads(sys.argv[1])]
log = ConsoleLog()
try:
    asyncio.run(Supervisor(groups, log).run(lambda: log.say("test", "all ready")))
except StartError as error:
    sys.exit(f"refused: {error}")
"""

# Each says that it is there when its trap is set.
OBEDIENT = 'trap "echo $PART leaves; exit 0" TERM; echo "$PART is $$"; while :; do sleep 0.1; done'
OBEDIENT_SLOWLY = OBEDIENT.replace("echo $PART leaves", "sleep 0.3; echo $PART leaves")
DEAF = 'trap "" TERM; echo "$PART is $$"; while :; do sleep 0.1; done'
# The grandchild ignores everything but SIGKILL and holds the pipe of the log open.
PARENT = 'sh -c \'trap "" TERM; echo "grandchild is $$"; while :; do sleep 0.1; done\' & ' + OBEDIENT


def child(name, script=OBEDIENT, **more):
    return {"name": name, "script": script, **more}


def obedient(name, folder):
    """A child that is ready when its trap is set."""
    return child(name, OBEDIENT.replace("; while", f'; touch "{folder / name}"; while'), ready=str(folder / name))


class Family:
    """A supervisor in a process of its own, and the lines it printed."""

    def __init__(self, groups):
        self.process = subprocess.Popen(
            [sys.executable, "-c", PROGRAM, json.dumps(groups)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self.lines = []  # all, in order
        self._unclaimed = []  # parts say their lines in no particular order

    def line_with(self, text):
        """Return the next line that holds `text`, reading on until there is one."""
        for line in self._unclaimed:
            if text in line:
                self._unclaimed.remove(line)
                return line
        for line in map(str.rstrip, self.process.stdout):
            self.lines.append(line)
            if text in line:
                return line
            self._unclaimed.append(line)
        raise AssertionError(f"ended without {text!r}: {self.lines}")

    def pid_of(self, name):
        """Return the process id that `name` says next."""
        return int(self.line_with(f"{name} is ").split()[-1])

    def end(self, number=signal.SIGTERM):
        """Signal the supervisor and return its exit status and the seconds it took to end."""
        began = time.monotonic()
        self.process.send_signal(number)
        status = self.process.wait(200)
        assert self.process.stderr.read() == ""
        self.lines += self.process.stdout.read().splitlines()
        return status, time.monotonic() - began


@contextmanager
def family(*groups):
    one = Family(groups)
    try:
        yield one
    finally:
        one.process.kill()
        one.process.wait()
        one.process.stdout.close()
        one.process.stderr.close()


def test_groups_start_in_order_when_those_before_are_ready(tmp_path):
    flag = tmp_path / "flag"
    slow = f'sleep 0.3; touch "{flag}"; {OBEDIENT}'
    with family([child("first", slow, ready=str(flag))], [child("second")]) as one:
        one.line_with("all ready")
        assert flag.exists()
        one.pid_of("second")
        one.pid_of("first")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_a_signal_stops_the_groups_in_reverse_order(number):
    with family([child("redis")], [child("worker-1"), child("worker-2")], [child("api")]) as one:
        redis, *_ = [one.pid_of(name) for name in ("redis", "worker-1", "worker-2", "api")]
        one.line_with("all ready")
        status, _ = one.end(number)
        assert status == 0
        assert not any("does not stop" in line for line in one.lines)
        leaving = [line.split()[-2] for line in one.lines if "leaves" in line]
        assert leaving[0] == "api"
        assert set(leaving[1:3]) == {"worker-1", "worker-2"}
        assert leaving[3] == "redis"
        assert not alive(redis)


def test_a_killed_child_starts_again_within_a_second_however_often():
    with family([child("part")]) as one:
        pid, took = one.pid_of("part"), []
        for _ in range(6):
            killed = time.monotonic()
            os.kill(pid, signal.SIGKILL)
            assert "part was killed by SIGKILL; starting it again" in one.line_with("starting it again")
            pid = one.pid_of("part")
            took.append(time.monotonic() - killed)
        status, _ = one.end()
        assert status == 0
    # If it waited ever longer, the last ones would take twice as long and more; whatever else the machine does.
    assert min(took[3:]) < 2 * LONGEST_DELAY


def test_a_child_that_ends_by_itself_later_starts_again(tmp_path):
    flag = tmp_path / "flag"
    script = f'echo "$PART is $$"; touch "{flag}"; while [ -e "{flag}" ]; do sleep 0.1; done; exit 3'
    with family([child("part", script, ready=str(flag))]) as one:
        first = one.pid_of("part")
        one.line_with("all ready")
        flag.unlink()
        one.line_with("part ended with status 3; starting it again")
        assert one.pid_of("part") != first


def test_a_child_that_keeps_ending_by_itself_is_tried_ever_less_often(tmp_path):
    """A Redis on a full disk is such a child: it cannot start before there is room."""
    room = tmp_path / "room"
    room.touch()
    script = f'while [ -e "{room}" ]; do sleep 0.1; done; echo "no room"; exit 1'
    with family([child("redis", script, ready=str(room))]) as one:
        one.line_with("all ready")
        room.unlink()
        one.line_with("redis ended with status 1; starting it again in 2 s")
        one.line_with("redis ended with status 1; starting it again in 3 s")
        assert one.end()[0] == 0


def test_a_child_that_ends_while_starting_stops_everything(tmp_path):
    never = child("api", 'echo "cannot import"; exit 4', ready="/nowhere/to/be/found")
    with family([obedient("redis", tmp_path)], [obedient("worker", tmp_path)], [never]) as one:
        redis = one.pid_of("redis")
        assert one.process.wait(200) == 1
        assert "refused: api ended with status 4 while starting" in one.process.stderr.read()
        printed = one.process.stdout.read()
        assert "api      | cannot import" in printed
        assert printed.index("worker leaves") < printed.index("redis leaves")
        assert not alive(redis)


def test_a_child_killed_while_starting_gets_another_chance(tmp_path):
    flag = tmp_path / "flag"
    script = f'[ -e "{flag}" ] || {{ touch "{flag}"; kill -KILL $$; }}; touch "{flag}.ready"; {OBEDIENT}'
    with family([child("part", script, ready=f"{flag}.ready")]) as one:
        one.line_with("part was killed by SIGKILL; starting it again")
        one.line_with("all ready")


def test_a_child_that_ends_because_another_was_killed_gets_another_chance_too(tmp_path):
    ready = tmp_path / "ready"
    # It ends by itself when the Redis that it was started with is gone, and is content with the next one.
    pid = str(tmp_path / "pid")
    worker = (
        f'read pid < "{pid}"; echo "$PART is $$"; while kill -0 $pid 2> "{tmp_path}/said"; do sleep 0.1; done; exit 1'
    )
    api = 'echo "$PART is $$"; while :; do sleep 0.1; done'
    with family(
        [child("redis", f'echo $$ > "{tmp_path}/new"; mv "{tmp_path}/new" "{tmp_path}/pid"; {OBEDIENT}', ready=pid)],
        [child("worker", worker)],
        [child("api", api, ready=str(ready))],
    ) as one:
        first, *_ = [one.pid_of(name) for name in ("redis", "worker", "api")]
        os.kill(first, signal.SIGKILL)
        one.line_with("worker ended with status 1; starting it again")
        ready.touch()
        one.line_with("all ready")


def test_a_deaf_child_is_killed_after_its_patience():
    with family([child("part", DEAF, patience=0.3)]) as one:
        pid = one.pid_of("part")
        one.line_with("all ready")
        status, seconds = one.end()
        assert status == 0
        assert 0.3 <= seconds < 60, "it is not that of others"
        assert any("part does not stop; killing it" in line for line in one.lines)
        assert not alive(pid)


def test_the_same_request_twice_is_one_request():
    with family([child("part", OBEDIENT_SLOWLY)]) as one:
        one.pid_of("part")
        one.process.send_signal(signal.SIGSTOP)  # however late the second one comes, it is there with the first
        one.process.send_signal(signal.SIGINT)
        one.process.send_signal(signal.SIGTERM)
        status, _ = one.end(signal.SIGCONT)
        assert status == 0
        assert any("part leaves" in line for line in one.lines)


def test_a_later_signal_does_not_wait():
    with family([child("part", DEAF, patience=60)]) as one:
        pid = one.pid_of("part")
        one.process.send_signal(signal.SIGINT)
        one.line_with("stopping")
        time.sleep(0.6)
        status, seconds = one.end(signal.SIGINT)
        assert status == 0
        assert seconds < 30
        assert not alive(pid)


def test_grandchildren_go_with_a_killed_child_and_at_the_end():
    with family([child("part", PARENT)]) as one:
        grandchild, pid = one.pid_of("grandchild"), one.pid_of("part")
        os.kill(pid, signal.SIGKILL)
        one.line_with("starting it again")
        assert all_gone([grandchild])
        again, _ = one.pid_of("grandchild"), one.pid_of("part")
        one.end()
        assert all_gone([again])


def test_a_killed_supervisor_leaves_no_children():
    with family([child("redis")], [child("api")]) as one:
        pids = [one.pid_of("redis"), one.pid_of("api")]
        one.process.kill()
        assert all_gone(pids)


def test_a_stop_while_starting_is_clean(tmp_path):
    with family([child("part", ready=str(tmp_path / "never"))]) as one:
        pid = one.pid_of("part")
        status, _ = one.end()
        assert status == 0
        assert not alive(pid)


def test_every_line_names_its_part():
    with family([child("talker", "printf 'one\\ntwo\\nunfinished'; exec sleep 60")]) as one:
        lines = [one.line_with("one"), one.line_with("two")]
        assert [line.split(" ", 1)[1] for line in lines] == ["talker   | one", "talker   | two"]
        one.end()
        assert any(line.endswith("talker   | unfinished") for line in one.lines)


def test_a_closed_log_does_not_end_the_family(tmp_path):
    flag = tmp_path / "flag"
    with family([child("part", f'trap "touch {flag}; exit 0" TERM; while :; do echo line; sleep 0.02; done')]) as one:
        one.line_with("line")
        one.process.stdout.close()
        time.sleep(0.3)
        assert one.process.poll() is None
        one.process.terminate()
        assert one.process.wait(200) == 0
        assert flag.exists()
