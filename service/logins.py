"""Maps logins at an operator's identity provider to players: a signed JWT stands for the player's own token.

All other code knows only own tokens, so tickets, idempotency keys, bans and erasing work as for every player.
"""

import hashlib
import json
import logging
import math
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Mapping
from typing import Any, Final

import jwt

from games.errors import Refused, Unavailable
from games.log_lines import kind_of
from games.messages import Message
from service.players import Players
from service.settings import Settings

ALGORITHMS: Final = ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA")
"""Those with a private key: with a shared one, whoever can check a token could make one."""
LEEWAY_SECONDS: Final = 10
"""How far the provider's clock may be off."""
TRUSTED_SECONDS: Final = 300
"""How long a token that was checked is not checked again, and how old the provider's keys may be."""
PAUSE_SECONDS: Final = 10
"""The least time between two readings of the provider's keys, however many tokens name keys that are not among them."""
FETCH_SECONDS: Final = 5
QUIET_SECONDS: Final = 2 * TRUSTED_SECONDS
"""How old known keys may be: after a quiet time they are read before any counts, unless the provider is away."""
MOST_BYTES: Final = 1 << 20
MOST_KNOWN: Final = 50_000
LONGEST_SUBJECT: Final = 255
TYPES: Final = ("", "jwt", "at+jwt")
"""The types (`typ`) that a token in a call may have; providers also sign notices of logouts, proofs, and more."""
NAMES: Final = ("name", "preferred_username", "nickname")
"""The claims that may hold a player's name, the best first."""
NAMELESS: Final = "Player"

_log = logging.getLogger(__name__)


class KeysAway(Unavailable):
    """The provider's keys have not been read yet, or cannot be."""

    detail = Message("detail.login_keys_away")


class Keys:
    """The provider's public keys. A thread reads them: a call on the event loop must not wait for another host."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._keys: Mapping[str | None, jwt.PyJWK] = {}
        self._failed = True
        """Whether the latest reading failed, or there was none."""
        self._tried = -math.inf
        """When the latest reading began, in seconds of the monotonic clock."""
        self._read_at = -math.inf
        """When the latest reading ended that did not fail."""
        self._reading = threading.Lock()

    def get(self, key_id: str | None) -> jwt.PyJWK:
        """Returns a public key of the identity provider for a login; a login that names none means the only one.

        Raises:
            Refused: `unauthenticated`, the provider has no such key.
            KeysAway: that is not known yet.
        """
        key = self._keys.get(key_id)
        pause = PAUSE_SECONDS if key is None else TRUSTED_SECONDS
        if self._due(pause) and self._reading.acquire(blocking=False):
            self._begin(pause)
        now, reading = time.monotonic(), self._reading.locked()
        unknown = self._failed or reading
        # A provider that sends its keys for ever is as good as away.
        old = reading and not self._failed and now - self._read_at >= QUIET_SECONDS and not self._slow(now)
        key = self._keys.get(key_id)  # it may just have come or gone
        if old or (key is None and unknown):
            raise KeysAway("the keys of the logins are not known yet")
        if key is None:
            raise _refused("detail.login_not_valid")
        return key

    def _due(self, pause: float) -> bool:
        return time.monotonic() - self._tried >= pause

    def _slow(self, now: float) -> bool:
        return now - self._tried >= 2 * FETCH_SECONDS

    def _begin(self, pause: float) -> None:
        """Starts to read the identity provider's keys, unless another call has done so just before."""
        if not self._due(pause):
            self._reading.release()
            return
        self._tried = time.monotonic()
        try:
            threading.Thread(target=self._read, name="login keys", daemon=True).start()
        except RuntimeError:  # there are too many threads: a later call tries again
            self._failed = True
            self._reading.release()

    def _read(self) -> None:
        try:
            with urllib.request.urlopen(self._url, timeout=FETCH_SECONDS) as response:
                found = jwt.PyJWKSet.from_dict(json.loads(response.read(MOST_BYTES))).keys
            keys = {key.key_id: key for key in found if key.key_type != "oct" and key.public_key_use != "enc"}
            self._keys = keys | ({None: next(iter(keys.values()))} if len(keys) == 1 else {})
            self._read_at = time.monotonic()
            self._failed = False
        except Exception as error:
            if isinstance(error, urllib.error.HTTPError):
                error.close()  # it is an open answer
            self._failed = True
            _log.warning("the keys of the logins cannot be read: %s", kind_of(error))
        finally:
            self._reading.release()


class Logins:
    """The logins of an installation."""

    def __init__(self, players: Players, settings: Settings) -> None:
        self._players = players
        self._keys = Keys(settings.login_jwks)
        self._issuer, self._audience = settings.login_issuer, settings.login_audience
        self._longest_name = settings.max_name_characters
        self._known: dict[bytes, tuple[str, float]] = {}
        """The player's own token, and until when it stands for the provider's, by the digest of that."""

    def token(self, text: str, is_name: Callable[[str], bool], register: Callable[[], None]) -> str:
        """Returns the player's own token for a login at the identity provider; any other token as it is.

        The first login of somebody makes a player, by the name that the provider says if `is_name` accepts it.
        `register` is called before that, and may refuse.

        Raises:
            Refused: `unauthenticated`, it has expired, or is not one of this provider for this service; or as
                `register` refuses.
            Unavailable: Redis or the provider's keys cannot be reached.
        """
        if text.count(".") != 2:
            return text
        digest = hashlib.sha256(text.encode()).digest()
        own, until = self._known.get(digest, ("", 0.0))
        if time.time() < until:
            return own
        claims = self._checked(text)
        name = _name_in(claims, is_name, self._longest_name)
        own = self._players.of_login(f"{self._issuer}\n{claims['sub']}", name, register)
        if len(self._known) >= MOST_KNOWN:
            self._known = {}  # a new one: other threads may be reading the old
        self._known[digest] = own, min(int(claims["exp"]), time.time() + TRUSTED_SECONDS)
        return own

    def _checked(self, text: str) -> dict[str, Any]:
        try:
            head = jwt.get_unverified_header(text)
            if head.get("alg") not in ALGORITHMS or not _is_type_of_login(head.get("typ", "")) or "crit" in head:
                raise _refused("detail.login_not_valid")
            claims = jwt.decode(
                text,
                self._keys.get(head.get("kid")).key,
                algorithms=ALGORITHMS,
                issuer=self._issuer,
                audience=self._audience,
                leeway=LEEWAY_SECONDS,
                options={"require": ["exp", "sub", "iss", "aud"]},
            )
            claims["sub"].encode()  # half a surrogate pair is no text
        except jwt.ExpiredSignatureError:
            raise _refused("detail.login_expired") from None
        except jwt.ImmatureSignatureError:
            raise _refused("detail.login_too_early") from None
        except (jwt.InvalidIssuerError, jwt.InvalidAudienceError):
            raise _refused("detail.login_elsewhere") from None
        except (jwt.PyJWTError, RecursionError, TypeError, ValueError):  # PyJWT: TypeError for a key of another kind
            raise _refused("detail.login_not_valid") from None
        # A notice of a logout, or of another event, also where its type does not say so (RFC 8417).
        if "events" in claims or not 0 < len(claims["sub"]) <= LONGEST_SUBJECT:
            raise _refused("detail.login_not_valid")
        return claims


def _name_in(claims: Mapping[str, Any], is_name: Callable[[str], bool], longest: int) -> str:
    names = (_name_of(text)[:longest].strip() for claim in NAMES if isinstance(text := claims.get(claim), str))
    return next(filter(is_name, names), NAMELESS[:longest])


def _name_of(text: str) -> str:
    """Returns a player's name from a login, without what no request may hold: NUL, and half a surrogate pair."""
    return text.encode(errors="ignore").decode().replace("\0", "").strip()


def _is_type_of_login(given: object) -> bool:
    """Returns whether the `typ` of a token is one of those that mean a login; media types may be written in full."""
    return isinstance(given, str) and given.lower().removeprefix("application/") in TYPES


def _refused(detail: str) -> Refused:
    return Refused("unauthenticated", Message(detail))
