"""Maps logins at an operator's identity provider to players: a signed JWT stands for the player's own token.

All other code knows only own tokens, so tickets, idempotency keys, bans and erasing work as for every player.
"""

import hashlib
import json
import logging
import math
import threading
import time
from collections.abc import Callable, Mapping
from typing import Any, Final

import jwt

from games.errors import Refused, Unavailable, kind_of
from games.messages import Message
from games.names import LONGEST_NAME
from service.inputs import elsewhere
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
"""How long a reading of the provider's keys may take in all."""
QUIET_SECONDS: Final = 2 * TRUSTED_SECONDS
"""How old known keys may be: after a quiet time they are read before any counts, unless the provider is away."""
LONGEST_SECONDS: Final = 3600
"""How old known keys may be while the provider is away: a key that it has withdrawn is valid no longer than that."""
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
    """The provider's public keys. A thread reads them: a call on the event loop must not wait for another host.

    No call waits for a reading, and a reading that takes too long counts as failed, whatever its thread still does.
    """

    def __init__(self, url: str) -> None:
        self._url = url
        self._keys: Mapping[str | None, jwt.PyJWK] = {}
        self._read_at = -math.inf
        """When the latest reading began that did not fail, in seconds of the monotonic clock."""
        self._tried = -math.inf
        """When the latest reading began."""
        self._reading: object | None = None
        """The reading that is under way; what an older one finds is not used."""
        self._changing = threading.Lock()
        """Held for the moment in which a reading begins or ends, never while it reads."""

    def get(self, key_id: str | None) -> jwt.PyJWK:
        """Returns a public key of the identity provider for a login; a login that names none means the only one.

        Raises:
            Refused: `unauthenticated`, the provider has no such key.
            KeysAway: that is not known yet, or no longer.
        """
        now = time.monotonic()
        if key_id not in self._keys or now - self._read_at >= TRUSTED_SECONDS:
            self._begin(now)
        reading = self._reading is not None and now - self._tried < FETCH_SECONDS
        key, age = self._keys.get(key_id), now - self._read_at  # it may just have come or gone
        if age >= (QUIET_SECONDS if reading else LONGEST_SECONDS):
            raise KeysAway("the keys of the logins are not known")
        if key is None:
            if reading or self._tried > self._read_at:
                raise KeysAway("the keys of the logins are not known")
            raise _refused("detail.login_not_valid")
        return key

    def _begin(self, now: float) -> None:
        """Starts to read the identity provider's keys, unless another call has done so just before."""
        with self._changing:
            if now - self._tried < (PAUSE_SECONDS if self._reading is None else max(PAUSE_SECONDS, FETCH_SECONDS)):
                return
            self._tried = now
            self._reading = reading = object()
        try:
            threading.Thread(target=self._read, args=(reading, now), name="login keys", daemon=True).start()
        except RuntimeError:  # there are too many threads: a later call tries again
            self._reading = None

    def _read(self, reading: object, began: float) -> None:
        keys: Mapping[str | None, jwt.PyJWK] | None = None
        try:
            keys = _keys_in(elsewhere.read(self._url, FETCH_SECONDS, MOST_BYTES))
        except elsewhere.NotReadable as error:
            _log.warning("the keys of the logins cannot be read: %s", error)
        except Exception as error:
            _log.warning("the keys of the logins cannot be read: %s", kind_of(error))
        with self._changing:
            if self._reading is reading:
                self._reading = None
                if keys is not None:
                    self._keys, self._read_at = keys, began


def _keys_in(raw: bytes) -> Mapping[str | None, jwt.PyJWK]:
    found = jwt.PyJWKSet.from_dict(json.loads(raw)).keys
    keys: dict[str | None, jwt.PyJWK] = {
        key.key_id: key for key in found if key.key_type != "oct" and key.public_key_use != "enc"
    }
    return keys | ({None: next(iter(keys.values()))} if len(keys) == 1 else {})


class Logins:
    """The logins of an installation."""

    def __init__(self, players: Players, settings: Settings) -> None:
        self._players = players
        self._keys = Keys(settings.login_jwks)
        self._issuer, self._audience = settings.login_issuer, settings.login_audience
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
        name = _name_in(claims, is_name)
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


def _name_in(claims: Mapping[str, Any], is_name: Callable[[str], bool]) -> str:
    names = (_name_of(text)[:LONGEST_NAME].strip() for claim in NAMES if isinstance(text := claims.get(claim), str))
    return next(filter(is_name, names), NAMELESS)


def _name_of(text: str) -> str:
    """Returns a player's name from a login, without what no request may hold: NUL, and half a surrogate pair."""
    return text.encode(errors="ignore").decode().replace("\0", "").strip()


def _is_type_of_login(given: object) -> bool:
    """Returns whether the `typ` of a token is one of those that mean a login; media types may be written in full."""
    return isinstance(given, str) and given.lower().removeprefix("application/") in TYPES


def _refused(detail: str) -> Refused:
    return Refused("unauthenticated", Message(detail))
