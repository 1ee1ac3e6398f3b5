"""An identity provider on this machine, which publishes its keys and signs tokens."""

import json
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import jwt
from cryptography.hazmat.primitives.asymmetric import rsa

ISSUER, AUDIENCE = "https://id.example.org/", "billet"
KEY = rsa.generate_private_key(65537, 2048)


class Provider:
    """An identity provider on this machine."""

    def __init__(self):
        provider = self
        self.keys, self.uses, self.fetched, self.status = {}, {}, 0, 200

        class Published(BaseHTTPRequestHandler):
            def do_GET(self):
                provider.fetched += 1
                published = [public(name, key) | provider.uses.get(name, {}) for name, key in provider.keys.items()]
                body = json.dumps({"keys": published}).encode()
                self.send_response(provider.status)
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Published)
        threading.Thread(target=self.server.serve_forever, args=(0.01,), daemon=True).start()
        self.url = f"http://127.0.0.1:{self.server.server_port}/keys"
        self.add("first", KEY)

    def add(self, name, key):
        self.keys[name] = key

    def token(self, subject="ann", *, key="first", algorithm="RS256", signed_by=None, header=None, **claims):
        said = {"iss": ISSUER, "aud": AUDIENCE, "sub": subject, "exp": int(time.time()) + 3600, "name": "Ann"} | claims
        said = {name: value for name, value in said.items() if value is not None}
        head = {"kid": key} | (header or {})
        named = {name: value for name, value in head.items() if value is not None}
        return jwt.encode(said, signed_by or self.keys[key], algorithm, named)


def public(name, key):
    kind = jwt.algorithms.RSAAlgorithm if isinstance(key, rsa.RSAPrivateKey) else jwt.algorithms.ECAlgorithm
    return json.loads(kind.to_jwk(key.public_key())) | {"kid": name, "use": "sig"}


def whose(client, token):
    """Asks who a token belongs to, once the provider's keys have been read."""
    while (answer := client.get("/v1/players/me", token=token)).status_code == 503:
        assert answer.headers["Retry-After"] == "1"
        time.sleep(0.01)
    return answer
