"""Reading from another host ends in time, takes no more than it may, and goes over HTTPS."""

import socketserver
import threading
from contextlib import contextmanager, suppress

import pytest

from service.inputs.elsewhere import NotReadable, read

MOST = 1000
OK = b"HTTP/1.1 200 OK\r\nConnection: close\r\n"


@contextmanager
def host(answer, *, drips=False):
    """Runs a host on this machine that answers so, perhaps with a byte now and then for ever; yields its address."""
    ended = threading.Event()

    class Answers(socketserver.BaseRequestHandler):
        def handle(self):
            with suppress(OSError):
                self.request.recv(10_000)
                self.request.sendall(answer)
                while drips and not ended.wait(0.02):
                    self.request.sendall(b"x")

    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Answers) as server:
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}/"
        finally:
            ended.set()
            server.shutdown()


def moved(to):
    return f"HTTP/1.1 302 Found\r\nLocation: {to}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".encode()


@pytest.mark.parametrize(
    "answer",
    [
        OK + b"\r\nkeys",
        OK + b"Content-Length: 4\r\n\r\nkeys",
        OK + b"Transfer-Encoding: chunked\r\n\r\n2\r\nke\r\n2\r\nys\r\n0\r\n\r\n",
    ],
)
def test_what_a_host_answers_is_read(answer):
    with host(answer) as url:
        assert read(url, 60, MOST) == b"keys"
        with host(moved(url)) as elsewhere:
            assert read(elsewhere, 60, MOST) == b"keys"


@pytest.mark.parametrize(
    "begun",
    [
        b"",
        b"HTTP/1.1 2",
        OK + b"X-More: ",
        OK + b"\r\n",
        OK + b"Content-Length: 900\r\n\r\n",
        OK + b"Transfer-Encoding: chunked\r\n\r\n",
        OK + b"Transfer-Encoding: chunked\r\n\r\n1",
    ],
    ids=["nothing", "status", "head", "body", "counted", "chunks", "chunk"],
)
def test_a_host_that_drips_is_given_up_in_time(begun):
    with host(begun, drips=True) as url, pytest.raises(NotReadable):
        read(url, 0.3, 10**9)


def test_hosts_that_lead_to_each_other_share_the_time():
    with host(b"", drips=True) as slow, host(moved(slow)) as url, pytest.raises(NotReadable):
        read(url, 0.3, MOST)


def test_no_more_is_read_than_it_may_be():
    with host(OK + b"\r\n" + b"x" * MOST) as url:
        assert len(read(url, 60, MOST)) == MOST
    with host(OK + b"\r\n" + b"x" * (MOST + 1)) as url, pytest.raises(NotReadable, match="more than 1000 bytes"):
        read(url, 60, MOST)
    with host(OK + b"\r\n", drips=True) as url, pytest.raises(NotReadable, match="more than 20 bytes"):
        read(url, 600, 20)


@pytest.mark.parametrize(
    "to",
    ["http://192.0.2.1/keys", "file:///etc/passwd", "ftp://192.0.2.1/keys", "data:,keys", "http://id.example.org/"],
)
def test_nothing_but_https_and_this_machine_is_asked(to):
    with host(moved(to)) as url, pytest.raises(NotReadable):
        read(url, 60, MOST)
    with pytest.raises(NotReadable):
        read(to, 60, MOST)


@pytest.mark.parametrize(
    "answer", [b"HTTP/1.1 404 Not Found\r\n\r\n", b"HTTP/1.1 500 No\r\n\r\n", b"nonsense\r\n", b""]
)
def test_what_is_no_success_is_not_read(answer):
    with host(answer) as url, pytest.raises(NotReadable):
        read(url, 60, MOST)


def test_hosts_that_lead_in_a_circle_are_given_up():
    with host(OK) as first:
        pass
    with host(moved("/again")) as url, pytest.raises(NotReadable, match="status 302"):
        read(url, 60, MOST)
    with pytest.raises(NotReadable):
        read(first, 60, MOST)  # nobody is there any more
