"""A bucket on this machine, spoken to over HTTP as any other, that can go away and come back."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from unittest import mock

from service.store import archive

# What serves buckets is imported where one runs: every process of the tests reads this file, and few run a server.

SERVED = archive.CONNECT_SECONDS, archive.ANSWER_SECONDS
"""How long a service waits."""
PATIENCE = {"CONNECT_SECONDS": 60, "ANSWER_SECONDS": 60, "BOUND_SECONDS": 120.0}
"""The server answers in a thread of this process, which may get no time for seconds on a busy machine."""


class Buckets:
    """A server of buckets."""

    def __init__(self) -> None:
        from moto.server import ThreadedMotoServer

        self._serve = partial(ThreadedMotoServer, "127.0.0.1", verbose=False)
        self._server = self._serve(0)
        self._server.start()
        _, self._port = self._server.get_host_and_port()
        self.environment = {
            "AWS_ENDPOINT_URL": f"http://127.0.0.1:{self._port}",
            "AWS_ACCESS_KEY_ID": "key",
            "AWS_SECRET_ACCESS_KEY": "secret",
            "AWS_DEFAULT_REGION": "us-east-1",
            "NO_PROXY": "127.0.0.1",
        }
        self._made: set[str] = set()

    def url(self, prefix: str) -> str:
        """Returns the address of a place in a bucket."""
        if not self._made:
            import boto3

            boto3.client("s3").create_bucket(Bucket="games")
            self._made.add("games")
        return f"s3://games/{prefix}"

    @contextmanager
    def away(self) -> Iterator[None]:
        """Lets nobody answer within it; what is in the buckets stays."""
        self._server.stop()
        try:
            yield
        finally:
            self._server = self._serve(self._port)
            self._server.start()

    def stop(self) -> None:
        """Ends the server."""
        self._server.stop()


@contextmanager
def running() -> Iterator[Buckets]:
    """Runs a server of buckets, which this process and those that it starts find by the environment."""
    from s3fs import S3FileSystem

    made = Buckets()
    before = {name: os.environ.get(name) for name in made.environment}
    os.environ.update(made.environment)
    S3FileSystem.clear_instance_cache()  # one that was made before knows the server that ran then
    try:
        with mock.patch.multiple(archive, **PATIENCE):
            yield made
    finally:
        made.stop()
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value
