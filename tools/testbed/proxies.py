"""nginx and Caddy in front of a service, by the files that the documentation offers."""

import os
import shutil
import socket
import ssl
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final, NamedTuple

import trustme

from tools.testbed.installation import free_port
from tools.testbed.waiting import wait_until

DOCS: Final = Path(__file__).parents[2] / "docs"
PACKAGES: Final = {"nginx": "nginx-light", "caddy": "caddy"}
"""By program, the package of Debian that has it."""
NGINX: Final = """
{user}
error_log error.log;
pid nginx.pid;
daemon off;
worker_rlimit_nofile 16384;
events {{ worker_connections 8192; }}
http {{
    client_body_temp_path body;
    proxy_temp_path proxy;
    fastcgi_temp_path fastcgi;
    uwsgi_temp_path uwsgi;
    scgi_temp_path scgi;
    include billet.conf;
}}
"""
"""What surrounds the file on a machine; connections are as many as nginx' own documentation advises to allow."""


class Proxy(NamedTuple):
    """A running proxy."""

    port: int
    trusting: ssl.SSLContext
    """The context of a client that trusts it."""
    authority: Path
    """The certificate to trust."""
    pid: int


def program(name: str) -> str | None:
    """Returns where nginx or Caddy is; Debian puts nginx where only root looks."""
    return shutil.which(name, path=f"{os.environ['PATH']}:/usr/sbin:/usr/local/sbin")


def missing(name: str) -> str:
    """Returns what to say where there is none."""
    return f"{name} is not on the PATH: install {PACKAGES[name]}"


@contextmanager
def running(name: str, folder: Path, upstream: int) -> Iterator[Proxy]:
    """Runs a proxy in front of a port of this machine, over TLS, for the length of a `with` block."""
    authority, trusting, port = trustme.CA(), ssl.create_default_context(), free_port()
    authority.configure_trust(trusting)
    authority.cert_pem.write_to_path(str(folder / "authority.pem"))
    authority.issue_cert("127.0.0.1").private_key_and_cert_chain_pem.write_to_path(str(folder / "games.pem"))
    command = {"nginx": _nginx, "caddy": _caddy}[name](folder, port, upstream)
    with (folder / "output.txt").open("wb") as output:
        process = subprocess.Popen(
            [program(name) or name, *command],
            stdout=output,
            stderr=output,
            env=os.environ | {"HOME": str(folder), "XDG_DATA_HOME": str(folder), "XDG_CONFIG_HOME": str(folder)},
        )
    try:
        wait_until(lambda: process.poll() is not None or _listens(port), (folder / "output.txt").read_text)
        assert process.poll() is None, (folder / "output.txt").read_text()
        yield Proxy(port, trusting, folder / "authority.pem", process.pid)
    finally:
        process.terminate()
        process.wait(60)


def _nginx(folder: Path, port: int, upstream: int) -> list[str]:
    own = {
        "server 127.0.0.1:8000;": f"server 127.0.0.1:{upstream};",
        "listen 443 ": f"listen 127.0.0.1:{port} ",
        "/etc/ssl/games.pem": "games.pem",
        "/etc/ssl/games.key": "games.pem",
        "/var/log/nginx/billet.log": "billet.log",
    }
    (folder / "billet.conf").write_text(_replaced("nginx.conf", own))
    # The workers of a master that is root's are somebody else, who may not write here.
    (folder / "nginx.conf").write_text(NGINX.format(user="user root root;" if os.geteuid() == 0 else ""))
    return ["-p", str(folder), "-c", "nginx.conf"]


def _caddy(folder: Path, port: int, upstream: int) -> list[str]:
    certificate = folder / "games.pem"
    own = {
        "{\n\tservers {": "{\n\tadmin off\n\tauto_https off\n\tservers {",
        "games.example.org {": f"https://127.0.0.1:{port} {{\n\ttls {certificate} {certificate}",
        "reverse_proxy 127.0.0.1:8000": f"reverse_proxy 127.0.0.1:{upstream}",
    }
    (folder / "Caddyfile").write_text(_replaced("Caddyfile", own))
    return ["run", "--adapter", "caddyfile", "--config", str(folder / "Caddyfile")]


def _replaced(name: str, own: dict[str, str]) -> str:
    """Returns a file of the documentation with what is another on each machine."""
    text = (DOCS / name).read_text(encoding="utf-8")
    for there, here in own.items():
        assert text.count(there) == 1, f"{name} says {there!r} once"
        text = text.replace(there, here)
    return text


def _listens(port: int) -> bool:
    with suppress(OSError), socket.create_connection(("127.0.0.1", port)):
        return True
    return False
