"""A whole installation as an operator starts it: `billet serve` as a process over a data directory and a free port.

Only processes that an installation has started itself are ever ended, each by its id.
"""

import os
import secrets
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

import redis

from tools.players.calls import NO_ANSWER, Client
from tools.testbed.processes import Process, descendants, kill, wait_until_gone
from tools.testbed.waiting import wait_until

START_SECONDS = 90  # on two busy cores; `test_serve` tests how long a start may take on an idle machine
STOP_SECONDS = 60
BILLET = (sys.executable, "-m", "billet")
PORTS = range(12_000, 22_000)
"""Below the ports that systems give to connections, which might take one before an installation does."""
HANDED_OUT: set[int] = set()
"""The ports that this process has handed out: some are not taken until much later."""


def free_port() -> int:
    """A port that nobody listens on, by chance another one each time; other processes of the tests get others."""
    number = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))
    mine = PORTS[number :: int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))]
    while True:
        port = secrets.choice(mine)
        with suppress(OSError), socket.create_server(("127.0.0.1", port)):
            if port not in HANDED_OUT:
                HANDED_OUT.add(port)
                return port


@contextmanager
def deaf_port() -> Iterator[int]:
    """A port that nobody listens on, and nobody can for the length of a `with` block."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        yield taken.getsockname()[1]


class Installation:
    """One `billet serve`, which may be stopped or killed and started again on the same data and port."""

    def __init__(self, data_dir: str | Path, program: Sequence[str | Path] = BILLET, **settings: str) -> None:
        """`program` is what is to run in the place of `billet`."""
        self.program = program
        self.data_dir = Path(data_dir)
        self.data_dir.mkdir(parents=True, exist_ok=True)
        # Many look at everything here after every action, which nobody does who plays.
        self.settings = {"WORKERS": "1", "API_PROCESSES": "1", "LIMIT_READING": "0"} | settings
        self.port = free_port()
        self.base = f"http://127.0.0.1:{self.port}"
        self.output = self.data_dir / "output.txt"
        self.process: Any = None
        """The supervisor, once it was started."""

    # --- starting and stopping ---

    def start(self, seconds: float = START_SECONDS) -> float:
        """Starts everything and returns how many seconds it took until `/readyz` said yes."""
        begun = time.monotonic()
        inherited = {name: value for name, value in os.environ.items() if name not in ("REDIS_URL", "HOST")}
        with self.output.open("ab") as output:
            self.process = subprocess.Popen(
                [*self.program, "serve"],
                env=inherited | self.environment | self.settings,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                start_new_session=True,
            )
        try:
            self.wait_until_ready(seconds)
        except BaseException:
            self.kill_tree()
            raise
        return time.monotonic() - begun

    def wait_until_ready(self, seconds: float = START_SECONDS) -> None:
        """Waits until `/readyz` says yes."""
        with closing(Client(self.base, timeout=10)) as client:
            wait_until(lambda: self._has_ended() or is_ready(client), self.said, seconds)
        assert not self._has_ended(), f"billet serve has ended:\n{self.said()[-3000:]}"

    def _has_ended(self) -> bool:
        return bool(self.process.poll() is not None)

    def revive(self) -> None:
        """Makes it ready, whatever has been done to its processes; raises if some do not come back by themselves."""
        if self.process.poll() is not None:
            self.start()
        try:
            self.wait_until_ready()
            self.wait_until_complete()
        except AssertionError:
            self.kill_tree()
            self.start()
            raise

    def wait_until_complete(self, seconds: float = START_SECONDS) -> None:
        """Waits until as many processes of each kind run as its settings say."""
        kinds = {"worker": "WORKERS", "api-process": "API_PROCESSES"}
        wait_until(
            lambda: all(len(self.part(name)) == int(self.settings[count]) for name, count in kinds.items()),
            self.said,
            seconds,
        )

    def stop(self) -> tuple[int, list[Process]]:
        """Asks everything to stop, and returns the exit status and the processes that were left behind."""
        tree = self.tree()
        self.process.send_signal(signal.SIGTERM)
        try:
            status = self.process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self.kill_tree()
            raise
        left = wait_until_gone(tree, STOP_SECONDS)
        for process in left:
            kill(process, signal.SIGKILL)
        return status, left

    def kill_parts(self, *names: str) -> None:
        """Kills all processes of parts, and waits until they are gone: then their connections are seen to be closed."""
        processes = [process for name in names for process in self.part(name)]
        for process in processes:
            kill(process, signal.SIGKILL)
        assert wait_until_gone(processes, STOP_SECONDS) == []

    def kill_tree(self) -> None:
        """Kills every process of the installation, the supervisor first so that it starts none again."""
        tree = self.tree()
        self.kill_supervisor()
        for process in tree:
            kill(process, signal.SIGKILL)
        assert wait_until_gone(tree, STOP_SECONDS) == []

    @contextmanager
    def frozen(self) -> Iterator[Process]:
        """Stops every process but Redis where it is, so that what is stored stays as it is while a block lasts."""
        (server,) = self.part("redis")
        self.process.send_signal(signal.SIGSTOP)  # first, so that it starts nothing more
        others = [process for process in self.tree() if process != server]
        try:
            for process in others:
                kill(process, signal.SIGSTOP)
            yield server
        finally:
            for process in others:
                kill(process, signal.SIGCONT)
            self.process.send_signal(signal.SIGCONT)

    def kill_supervisor(self) -> None:
        """Kills the supervisor alone."""
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait(STOP_SECONDS)

    def close(self) -> None:
        """Leaves nothing running, whatever the test did. `stop`, which other tests call, takes longer."""
        if self.process is not None:
            self.kill_tree()

    # --- asking ---

    @property
    def environment(self) -> dict[str, str]:
        """What other commands need to find it, and nothing else of this process."""
        own = {name: os.environ[name] for name in ("PATH", "PYTHONPATH") if name in os.environ}
        return own | {"DATA_DIR": str(self.data_dir), "PORT": str(self.port)}

    def run(self, *words: str, **more: Any) -> subprocess.CompletedProcess[str]:
        """Runs another command of `billet` on the same data."""
        command = [*self.program, *words]
        return subprocess.run(command, env=self.environment, capture_output=True, text=True, timeout=240, **more)

    def call(self, method: str, path: str, body: Any = None, token: str | None = None) -> tuple[int, Any]:
        """Returns the status and the body of an answer; the status is 0 if there is none."""
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        with closing(Client(self.base)) as client:
            try:
                answer = client.request(method, path, body, headers=headers)
                return answer.status_code, answer.json()
            except (*NO_ANSWER, ValueError):
                return 0, None

    # --- looking ---

    def tree(self) -> list[Process]:
        """The processes below the supervisor."""
        return descendants(int(self.process.pid))

    def part(self, name: str) -> list[Process]:
        """The processes of a part that run now: `redis`, `worker`, `api` (main) or `api-process` (of the server)."""
        tree = self.tree()
        mine = [process for process in tree if process.parent == self.process.pid]
        api = [process for process in mine if process.command.endswith(" api")]
        if name == "api":
            return api
        if name == "api-process":
            return [process for process in tree if process.parent in {main.pid for main in api}]
        word = {"redis": "redis.sock", "worker": " worker"}[name]
        return [process for process in mine if word in process.command]

    def status_of(self, game: str) -> str | None:
        """A game's status as it lies in Redis: asking the API would make it look at the clock."""
        # The address is written anew with each start; it may be read before that is done.
        with suppress(redis.RedisError, OSError, ValueError), self.redis() as client:
            return str(client.hget(f"billet:{{{game}}}:meta", "status") or b"", "ascii")
        return None

    def said(self) -> str:
        """Everything the installation has printed."""
        return self.output.read_text(errors="replace")

    def said_since(self, place: int) -> str:
        """What it has printed since `self.output` had so many bytes."""
        return self.output.read_bytes()[place:].decode(errors="replace")

    def redis(self) -> redis.Redis:
        """A client for the installation's Redis."""
        return redis.Redis.from_url((self.data_dir / "redis" / "url").read_text(), socket_timeout=30)


@contextmanager
def installed(data_dir: str | Path, program: Sequence[str | Path] = BILLET, **settings: str) -> Iterator[Installation]:
    """An installation that answers, for the length of a `with` block."""
    with closing(Installation(data_dir, program, **settings)) as made:
        made.start()
        yield made


def is_ready(client: Client) -> bool:
    """Whether the server at the client's address says that games can be played."""
    try:
        return client.get("/readyz").status_code == 200
    except NO_ANSWER:
        return False
