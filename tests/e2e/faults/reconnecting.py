"""A follower that reconnects whenever a stream ends before the game does."""

import http.client
import threading
import time

from tests.e2e.sse import Stream, path_of


class Reconnecting(threading.Thread):
    """A client that reconnects whenever its stream ends before the game, and notes the versions that came."""

    def __init__(self, port, game, token):
        super().__init__()
        self.port, self.game, self.token = port, game, token
        self.seen = [0]
        self.start()

    def run(self):
        until = time.monotonic() + 240
        while time.monotonic() < until:
            try:
                with Stream(self.port, path_of(self.game), token=self.token, last=self.seen[-1], seconds=30) as stream:
                    if stream.status == 204:
                        return
                    for one in stream if stream.status == 200 else ():
                        self.seen.append(one.id)
            except (OSError, http.client.HTTPException):
                pass
            time.sleep(0.05)
