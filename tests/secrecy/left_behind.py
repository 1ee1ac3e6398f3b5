"""What the processes leave behind: the commands that they send to Redis, and the lines that they log."""

import socket
import threading

from tests.second_model.model.cards import CARDS
from tests.secrecy.viewers import cards_in


def check_said(said, *secrets):
    """Checks that the processes, which are asked to say everything, have said no secret and named no card."""
    for secret in filter(None, secrets):
        proof = secret.partition(".")[2] or secret  # of a token, what follows the player's id
        assert proof not in said
    assert [line for line in said.splitlines() if any(cards_in(line, edition) for edition in CARDS)] == []


class Eavesdropper:
    """Everything that clients send to a Redis, while a `with` block lasts."""

    def __init__(self, served):
        self.path = served.data_dir / "redis" / "redis.sock"
        self.heard = b""

    def __enter__(self):
        self.connection = socket.socket(socket.AF_UNIX)
        self.connection.connect(str(self.path))
        self.connection.sendall(b"MONITOR\r\n")
        assert self.connection.recv(5) == b"+OK\r\n"
        self.thread = threading.Thread(target=self.listen)
        self.thread.start()
        return self

    def listen(self):
        while said := self.connection.recv(1 << 20):
            self.heard += said

    def __exit__(self, *_):
        self.connection.shutdown(socket.SHUT_RDWR)
        self.thread.join(60)
        self.connection.close()

    def commands(self):
        return self.heard.decode(errors="replace").splitlines()
