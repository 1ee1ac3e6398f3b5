"""A Redis and its replica for tests, either of which can be killed, frozen, started again and promoted."""

import contextlib
import signal
import subprocess

import redis
from redis.backoff import NoBackoff
from redis.retry import Retry

from billet.redis.binary import find_redis
from billet.redis.embedded import DURABLE
from tests.installation import free_port
from tests.service.store.cluster_nodes import wait_until


def words(value):
    """Returns the words of an option: one, or several that are given as a tuple."""
    return value if isinstance(value, tuple) else (str(value),)


class Server:
    """One Redis, with the settings that `docs/redis.md` advises."""

    def __init__(self, folder, **more):
        folder.mkdir(exist_ok=True)
        self.port = free_port()
        self.url = f"redis://127.0.0.1:{self.port}"
        self.client = redis.Redis(port=self.port, retry=Retry(NoBackoff(), 0))
        options = {"port": self.port, "bind": "127.0.0.1", "dir": folder, "loglevel": "warning"} | DURABLE
        options |= {"repl-diskless-sync-delay": 0, "repl-timeout": 600, **more}
        self._command = [
            find_redis(),
            *(word for name, value in options.items() for word in (f"--{name}", *words(value))),
        ]
        self.start()

    def start(self):
        """Starts, with the data of the last time."""
        self.process = subprocess.Popen(self._command, stdout=subprocess.DEVNULL)
        try:
            wait_until(self._answers)
        except BaseException:
            self.kill()
            raise

    def kill(self):
        """Ends at once."""
        self.process.kill()
        self.process.wait(100)
        self.client.close()

    def freeze(self):
        """Stops for now; who has connected waits for answers."""
        self.process.send_signal(signal.SIGSTOP)

    def thaw(self):
        """Goes on."""
        self.process.send_signal(signal.SIGCONT)

    def follow(self, port):
        """Becomes the replica of the primary at a port, and returns when it has all of its data."""
        self.client.replicaof("127.0.0.1", port)
        wait_until(lambda: self.client.info("replication").get("master_link_status") == "up")

    def promote(self):
        """Becomes a primary."""
        self.client.replicaof("NO", "ONE")

    def knows_waitaof(self):
        """Returns whether it can wait for the disk of a replica, as Redis can since 7.2."""
        try:
            return bool(self.client.execute_command("WAITAOF", 0, 0, 1))
        except redis.ResponseError:
            return False

    def _answers(self):
        with contextlib.suppress(redis.ConnectionError):
            return self.client.ping()
        return False


@contextlib.contextmanager
def running_pair(folder, **options):
    """Runs a primary, which may have options of its own, and its replica."""
    with contextlib.ExitStack() as stack:
        primary = Server(folder / "primary", **options)
        stack.callback(primary.kill)
        replica = Server(folder / "replica")
        stack.callback(replica.kill)
        replica.follow(primary.port)
        yield primary, replica
