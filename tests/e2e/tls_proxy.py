"""A reverse proxy with TLS, as operators put it in front: it adds where a call comes from and passes on all at once."""

import asyncio
import contextlib
import ssl

import trustme

from tests.listener import Listener

HEAD_ENDS = b"\r\n\r\n"


class TlsProxy:
    """A proxy in a thread of its own, with a certificate that `trusting` knows. Each connection carries one call."""

    def __init__(self, upstream):
        """`upstream` is the port of the server behind it."""
        self._upstream = upstream
        self.authority = trustme.CA()
        self.trusting, own = _contexts(self.authority)
        self._listener = Listener(self._serve, ssl=own)
        self.port = self._listener.port

    def close(self):
        """Ends every connection."""
        self._listener.close()

    async def _serve(self, reader, writer):
        address = writer.get_extra_info("peername")[0]
        try:
            behind, ahead = await self._open()
            with contextlib.closing(ahead):
                await self._begin(reader, ahead, address)
                sending = asyncio.ensure_future(_pass_on(reader, ahead))
                try:
                    await _pass_on(behind, writer)
                finally:
                    sending.cancel()
        except (OSError, asyncio.IncompleteReadError):
            pass  # one of the two has hung up, or nobody is there
        finally:
            writer.close()

    async def _open(self):
        return await asyncio.open_connection("127.0.0.1", self._upstream)

    async def _begin(self, reader, ahead, address):
        head = await reader.readuntil(HEAD_ENDS)
        # What the client has said of itself stays before what is added.
        added = f"X-Forwarded-For: {address}\r\nX-Forwarded-Proto: https\r\nConnection: close\r\n"
        ahead.write(head.removesuffix(b"\r\n") + added.encode() + b"\r\n")


class TlsRedis(TlsProxy):
    """TLS in front of a Redis on a socket in the file system."""

    def url(self, folder):
        """Returns what a client is told, which finds the certificate to trust in a folder."""
        path = folder / "authority.pem"
        self.authority.cert_pem.write_to_path(str(path))
        return f"rediss://127.0.0.1:{self.port}?ssl_ca_certs={path}"

    async def _open(self):
        return await asyncio.open_unix_connection(self._upstream)

    async def _begin(self, reader, ahead, address):
        """Passes on everything as it is."""


async def _pass_on(reader, writer):
    """Passes on whatever comes as soon as it comes."""
    while part := await reader.read(65_536):
        writer.write(part)
        await writer.drain()


def _contexts(authority):
    """Returns what a client needs that trusts the proxy, and what the proxy needs."""
    trusting = ssl.create_default_context()
    authority.configure_trust(trusting)
    own = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert("127.0.0.1").configure_cert(own)
    return trusting, own
