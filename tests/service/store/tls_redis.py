"""TLS in front of a Redis on a socket in the file system, as providers offer it."""

import asyncio
import contextlib
import ssl

import trustme

from tools.testbed.listener import Listener


class TlsRedis:
    """A proxy in a thread of its own, with a certificate that its `url` tells to trust."""

    def __init__(self, upstream):
        """`upstream` is the path of the socket of the Redis behind it."""
        self._upstream = upstream
        self.authority = trustme.CA()
        own = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.authority.issue_cert("127.0.0.1").configure_cert(own)
        self._listener = Listener(self._serve, ssl=own)
        self.port = self._listener.port

    def close(self):
        """Ends every connection."""
        self._listener.close()

    def url(self, folder):
        """Returns what a client is told, which finds the certificate to trust in a folder."""
        path = folder / "authority.pem"
        self.authority.cert_pem.write_to_path(str(path))
        return f"rediss://127.0.0.1:{self.port}?ssl_ca_certs={path}"

    async def _serve(self, reader, writer):
        try:
            behind, ahead = await asyncio.open_unix_connection(self._upstream)
            with contextlib.closing(ahead):
                sending = asyncio.ensure_future(_pass_on(reader, ahead))
                try:
                    await _pass_on(behind, writer)
                finally:
                    sending.cancel()
        except OSError:
            pass  # one of the two has hung up, or nobody is there
        finally:
            writer.close()


async def _pass_on(reader, writer):
    """Passes on whatever comes as soon as it comes."""
    while part := await reader.read(65_536):
        writer.write(part)
        await writer.drain()
