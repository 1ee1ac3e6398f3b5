"""Reads the settings of an installation from the environment, once."""

import os
import re
from collections.abc import Mapping
from dataclasses import Field, dataclass, field, fields
from difflib import get_close_matches
from importlib.util import find_spec
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import quote, urlsplit

from engine.bots.question import DEFAULT_THINK_MS
from games.log_lines import JSON, TEXT
from games.tables.lifetimes import DAY_MS, HOUR_MS, Lifetimes

OFF = "0"
"""The value that turns a limit off."""
LONGEST_NAME = 40
"""The longest player name that the API document allows, in characters."""
OWN_PREFIXES = ("LIMIT_", "STREAMS_PER_", "WAITING_PER_")
"""What begins so is meant for Billet."""
LIKENESS = 0.85
"""From which likeness (0 to 1) on a name counts as a misspelt one: `WORKER` is `WORKERS`, `HOSTNAME` is not `HOST`."""
OWN_LIKENESS = 0.75
"""The same for what begins so: `LIMIT_OPENING` is near to `LIMIT_JOINING`, `LIMIT_FOO` is not."""
SHORT = 5
"""Names up to this length are like too many others."""
LEAST_MEMORY_MB = 4
"""With less, the embedded Redis is full before a game has ended."""
MOST_CALLS = 10**15 - 1
"""The greatest number that the headers on rate limits may hold: RFC 9651, section 3.3.1."""
MOST_WINDOW_MS = 2**53
"""The longest window of a limit, in milliseconds: the script that counts calls has numbers with 53 bits."""
LOCAL, REPLICATED = "local", "replicated"
"""When a write is answered: once the primary has it, or once a replica has it too."""
API_SECRETS = ("ADMIN_TOKEN", "REGISTRATION_KEY")
"""Secrets that only API processes need: the other parts never hold them (decision 024)."""
COMMAND_SECRETS = ("BACKUP_KEY",)
"""Secrets that only operators' commands need: no part that runs ever holds them (decision 051)."""
LOG_LEVELS = ("debug", "info", "warning", "error")

_WINDOW_OF_NOTHING = re.compile(r"\D0+\s*[a-z]", re.IGNORECASE)
"""What `limits` would read as one: 5/0 seconds."""

T = TypeVar("T")


class SettingsError(ValueError):
    """Reports an unusable environment variable; the text names it and says what would be accepted."""


def _setting(
    variable: str, default: T, doc: str, least: int | None = None, most: int | None = None, *, secret: bool = False
) -> T:
    """Returns the field of one setting of the installation; a `secret` one is never shown."""
    about = {"variable": variable, "doc": doc, "least": least, "most": most}
    return field(default=default, repr=not secret, metadata=about)


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings, one field per environment variable, with its meaning and bounds."""

    redis_url: str = _setting(
        "REDIS_URL", "", "Redis to use, redis://, rediss:// or unix://; unset: an embedded one below DATA_DIR"
    )
    redis_password_file: str = _setting(
        "REDIS_PASSWORD_FILE", "", "file that holds the password for REDIS_URL; unset: as REDIS_URL says"
    )
    redis_cluster: int = _setting("REDIS_CLUSTER", 0, "1 if REDIS_URL names a node of a Redis Cluster", 0, 1)
    queue_redis_url: str = _setting(
        "QUEUE_REDIS_URL", "", "Redis for the workers' queues, which is no cluster; unset: that of REDIS_URL"
    )
    unsafe_redis: int = _setting(
        "UNSAFE_REDIS", 0, "1: start with a Redis that may lose games, by eviction or without a log", 0, 1
    )
    durability: str = _setting(
        "DURABILITY",
        LOCAL,
        f"`{LOCAL}`: the primary answers for a write; `{REPLICATED}`: a replica must have it on disk",
    )
    redis_max_memory_mb: int = _setting(
        "REDIS_MAX_MEMORY_MB",
        0,
        f"memory the embedded Redis may take, in MB, at least {LEAST_MEMORY_MB}; 0: half of the machine's",
        0,
    )
    data_dir: Path = _setting(  # noqa: RUF009  # `_setting` makes a field: no default is shared
        "DATA_DIR", Path("data"), "directory of the embedded Redis"
    )
    host: str = _setting("HOST", "127.0.0.1", "address the API listens on")
    port: int = _setting("PORT", 8000, "port the API listens on", 1, 65535)
    workers: int = _setting("WORKERS", 2, "worker processes that `billet serve` starts", 1, 64)
    bot_think_ms: int = _setting(
        "BOT_THINK_MS", DEFAULT_THINK_MS, "milliseconds that a thinking bot takes for a turn", 10, 5000
    )
    api_processes: int = _setting("API_PROCESSES", 1, "API processes, about one per core", 1, 64)
    max_body_bytes: int = _setting("MAX_BODY_BYTES", 64 * 1024, "largest accepted request body", 1024)
    max_log_bytes: int = _setting(
        "MAX_LOG_BYTES", 4 * 1024 * 1024, "largest log to be verified, also unpacked", 64 * 1024, 256 * 1024 * 1024
    )
    max_json_depth: int = _setting(
        "MAX_JSON_DEPTH", 32, "how deep the objects and lists of a body may be nested", 8, 200
    )
    max_name_characters: int = _setting(
        "MAX_NAME_CHARACTERS", LONGEST_NAME, "longest accepted name of a player", 1, LONGEST_NAME
    )
    registration_key: str = _setting(
        "REGISTRATION_KEY",
        "",
        "key that clients must send as `Registration-Key`; unset: anyone may register",
        secret=True,
    )
    login_jwks: str = _setting(
        "LOGIN_JWKS", "", "where an identity provider publishes its keys, https://...; unset: no logins"
    )
    login_issuer: str = _setting("LOGIN_ISSUER", "", "the issuer that the provider's tokens name")
    login_audience: str = _setting("LOGIN_AUDIENCE", "", "the audience that tokens for this service name")
    admin_token: str = _setting(
        "ADMIN_TOKEN", "", "token of operators for `/v1/admin`; unset: those calls do not exist", secret=True
    )
    backup_key: str = _setting(
        "BACKUP_KEY",
        "",
        "key that signs backups, and by which restoring knows them; unset: they are not signed",
        secret=True,
    )
    open_games: int = _setting(
        "OPEN_GAMES", 1000, "games a player may have opened that have not ended; 0: any number", 0
    )
    open_games_per_address: int = _setting(
        "OPEN_GAMES_PER_ADDRESS", 5000, "games opened from one address that have not ended; 0: any number", 0
    )
    waiting_per_address: int = _setting(
        "WAITING_PER_ADDRESS", 1000, "long-polls of one address in one API process; 0: any number", 0
    )
    waiting_per_player: int = _setting(
        "WAITING_PER_PLAYER", 200, "long-polls of one player in one API process; 0: any number", 0
    )
    waiting_per_process: int = _setting("WAITING_PER_PROCESS", 4000, "long-polls in one API process; 0: any number", 0)
    answer_hours: int = _setting("ANSWER_HOURS", 24, "how long answers are kept for repeated Idempotency-Keys", 24, 720)
    open_table_hours: int = _setting(
        "OPEN_TABLE_HOURS", 24, "hours until an untouched open table expires; 0: never", 0, 8760
    )
    passing_game_days: int = _setting(
        "PASSING_GAME_DAYS",
        7,
        "days that sandboxes, forks, games of own bots alone and games called off at once are kept; 0: for ever",
        0,
        36500,
    )
    unclocked_game_days: int = _setting(
        "UNCLOCKED_GAME_DAYS", 180, "days until an untouched game without a clock expires; 0: never", 0, 36500
    )
    idle_player_days: int = _setting(
        "IDLE_PLAYER_DAYS", 30, "days until a player without games who reads no notices is removed; 0: never", 0, 36500
    )
    retain_finished_days: int = _setting(
        "RETAIN_FINISHED_DAYS", 0, "days after which ended games are archived; 0: never", 0, 36500
    )
    archive_url: str = _setting(
        "ARCHIVE_URL", "", "where games are archived: a directory that exists, or s3://BUCKET/PREFIX; unset: nowhere"
    )
    trusted_proxies: int = _setting(
        "TRUSTED_PROXIES", 0, "proxies in front that add the caller's address to X-Forwarded-For", 0, 10
    )
    limit_acting: str = _setting(
        "LIMIT_ACTING", "500/second", "actions with one token; for all these limits, `0` means none"
    )
    limit_acting_address: str = _setting("LIMIT_ACTING_ADDRESS", "3000/second", "actions from one address")
    limit_reading: str = _setting("LIMIT_READING", "300/second", "calls that only read, with one token")
    limit_reading_address: str = _setting(
        "LIMIT_READING_ADDRESS", "3000/second", "calls that only read, from one address"
    )
    limit_creating: str = _setting("LIMIT_CREATING", "3000/minute", "games opened with one token, rematches too")
    limit_creating_address: str = _setting("LIMIT_CREATING_ADDRESS", "12000/minute", "games opened from one address")
    limit_joining: str = _setting("LIMIT_JOINING", "3000/minute", "seats asked for with one token")
    limit_joining_address: str = _setting("LIMIT_JOINING_ADDRESS", "12000/minute", "seats asked for from one address")
    limit_inviting: str = _setting("LIMIT_INVITING", "120/minute", "players invited to seats with one token")
    limit_inviting_address: str = _setting(
        "LIMIT_INVITING_ADDRESS", "1200/minute", "players invited to seats from one address"
    )
    limit_registering_address: str = _setting(
        "LIMIT_REGISTERING_ADDRESS", "6000/minute", "players registered and tokens rotated from one address"
    )
    limit_codes_address: str = _setting(
        "LIMIT_CODES_ADDRESS", "60/hour", "wrong join codes for one game from one address"
    )
    streams_per_process: int = _setting(
        "STREAMS_PER_PROCESS", 4000, "event streams open in one API process, 20 KiB each", 1, 100_000
    )
    streams_per_address: int = _setting(
        "STREAMS_PER_ADDRESS", 1000, "event streams of one address in one API process; 0: any number", 0
    )
    streams_per_player: int = _setting(
        "STREAMS_PER_PLAYER", 20, "event streams of one player in one API process", 1, 10_000
    )
    stream_keep_alive_seconds: int = _setting(
        "STREAM_KEEP_ALIVE_SECONDS", 15, "seconds after which an idle stream gets a comment", 1, 15
    )
    stream_slow_seconds: int = _setting(
        "STREAM_SLOW_SECONDS", 10, "seconds after which a stream that accepts nothing is closed", 1, 300
    )
    stream_buffer_bytes: int = _setting(
        "STREAM_BUFFER_BYTES", 256 * 1024, "bytes waiting for a stream beyond which it is closed", 64 * 1024
    )
    web: int = _setting("WEB", 1, "1: the table for browsers is served at `/`; 0: it is not", 0, 1)
    log_level: str = _setting("LOG_LEVEL", "info", f"one of {', '.join(LOG_LEVELS)}")
    log_format: str = _setting("LOG_FORMAT", TEXT, f"`{TEXT}`: lines for people; `{JSON}`: an object on each line")
    access_log: int = _setting("ACCESS_LOG", 0, "1: a line for each answered request", 0, 1)

    def __post_init__(self) -> None:
        """Rejects settings that contradict each other, and too little memory."""
        if 0 < self.redis_max_memory_mb < LEAST_MEMORY_MB:
            raise SettingsError(f"REDIS_MAX_MEMORY_MB must be 0 or at least {LEAST_MEMORY_MB}")
        if self.retain_finished_days and not self.archive_url:
            raise SettingsError("RETAIN_FINISHED_DAYS needs an ARCHIVE_URL: nothing is removed that is not archived")
        if self.durability == REPLICATED and not self.redis_url:
            raise SettingsError(f"DURABILITY={REPLICATED} needs a REDIS_URL: the embedded Redis has no replica")
        logins = (self.login_jwks, self.login_issuer, self.login_audience)
        if any(logins) and not all(logins):
            raise SettingsError("LOGIN_JWKS, LOGIN_ISSUER and LOGIN_AUDIENCE need each other")
        if not self.redis_cluster:
            return
        url = urlsplit(self.redis_url)
        if url.scheme not in ("redis", "rediss") or url.path.strip("/0") or "db=" in url.query:
            raise SettingsError("REDIS_CLUSTER needs a REDIS_URL with redis:// or rediss:// and without a database")
        if self.queue_redis_url in ("", self.redis_url):
            raise SettingsError("REDIS_CLUSTER needs a QUEUE_REDIS_URL: the queues want a Redis that is no cluster")

    def lives(self) -> Lifetimes:
        """Returns how long untouched games and players live by the installation's settings."""
        return Lifetimes(
            table_ms=self.open_table_hours * HOUR_MS,
            passing_ms=self.passing_game_days * DAY_MS,
            unclocked_ms=self.unclocked_game_days * DAY_MS,
            player_ms=self.idle_player_days * DAY_MS,
        )

    @classmethod
    def from_env(cls, environ: Mapping[str, str] | None = None) -> "Settings":
        """Returns the settings in `environ` (default: the environment of the process).

        An empty variable counts as unset. Raises SettingsError for unusable values, for values that contradict each
        other, and for names that look like misspelt ones.
        """
        source = os.environ if environ is None else environ
        _check_known(source)
        given = ((setting, source.get(setting.metadata["variable"], "").strip()) for setting in fields(cls))
        values = {setting.name: _parsed(setting, text) for setting, text in given if text}
        if file := values.get("redis_password_file"):
            values["redis_url"] = _with_password(values.get("redis_url", ""), file)
        return cls(**values)


def bounds_of(setting: "Field[Any]") -> str:
    """Returns which numbers a setting accepts, in words; "" if it is a switch, or accepts any number or text."""
    least, most = setting.metadata["least"], setting.metadata["most"]
    if least is None or (least, most) in ((0, 1), (0, None)):
        return ""
    return f"from {least} to {most}" if most is not None else f"at least {least}"


def _check_known(environ: Mapping[str, str]) -> None:
    """Checks that no unknown environment variable is meant for Billet: by its beginning, or by a setting near to it."""
    ours = [setting.metadata["variable"] for setting in fields(Settings)]
    for name in sorted(environ.keys() - {*ours}):
        own = name.startswith(OWN_PREFIXES)
        nearest = get_close_matches(name, ours, 1, OWN_LIKENESS if own else LIKENESS) if len(name) > SHORT else []
        if own or nearest:
            question = f" Do you mean {nearest[0]}?" if nearest else ""
            raise SettingsError(f"{name} is not a setting.{question} `billet settings` lists them all")


def _parsed(setting: "Field[Any]", text: str) -> Any:
    variable = setting.metadata["variable"]
    if isinstance(setting.default, int):
        return _whole_number(variable, text, setting.metadata["least"], setting.metadata["most"])
    if isinstance(setting.default, Path):
        return Path(text).expanduser()
    if variable == "DURABILITY":
        return _one_of_two(variable, text, LOCAL, REPLICATED)
    if variable == "LOG_LEVEL":
        return _log_level(text)
    if variable == "LOG_FORMAT":
        return _one_of_two(variable, text, TEXT, JSON)
    if variable == "REGISTRATION_KEY":
        return _registration_key(text)
    if variable == "LOGIN_JWKS":
        return _login_jwks(text)
    if variable == "ADMIN_TOKEN":
        return _admin_token(text)
    if variable == "BACKUP_KEY":
        return _backup_key(text)
    if variable.startswith("LIMIT_"):
        return _limit(variable, text)
    if variable == "ARCHIVE_URL":
        return _archive_url(text)
    if variable.endswith("REDIS_URL") and not text.startswith(("redis://", "rediss://", "unix://")):
        # The text may contain a password, so it is not repeated.
        raise SettingsError(f"{variable} must start with redis://, rediss:// or unix://")
    return text


def _with_password(url: str, file: str) -> str:
    """Returns a setting's address of a Redis with the password in a file, unless it has one."""
    if not url:
        raise SettingsError("REDIS_PASSWORD_FILE needs a REDIS_URL: the embedded Redis has no password")
    try:
        password = Path(file).read_text("utf-8-sig").strip()
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is not text"
        raise SettingsError(f"REDIS_PASSWORD_FILE cannot be read: {file}: {why}") from None
    if not password:
        raise SettingsError(f"REDIS_PASSWORD_FILE is empty: {file}")
    scheme, _, rest = url.partition("://")
    access, at, host = rest.rpartition("@")
    user, _, known = access.partition(":")
    return url if known else f"{scheme}://{user}:{quote(password, safe='')}@{host if at else rest}"


def _whole_number(variable: str, text: str, least: int, most: int | None) -> int:
    bounds = f"from {least} to {most}" if most is not None else f"of at least {least}"
    # int() alone would accept "1_000" and digits of other scripts, and fail with thousands of them.
    number = int(text) if text.isascii() and text.isdigit() and len(text) < 100 else -1
    if number < least or (most is not None and number > most):
        raise SettingsError(f"{variable} must be a whole number {bounds}, not {text!r}")
    return number


def _limit(variable: str, text: str) -> str:
    import limits  # takes as long as all the rest

    try:
        if text != OFF:
            (limit,) = limits.parse_many(text)
            fits = 1 <= limit.amount <= MOST_CALLS and limit.get_expiry() * 1000 <= MOST_WINDOW_MS
            if not fits or _WINDOW_OF_NOTHING.search(text):
                raise ValueError
    except ValueError:
        raise SettingsError(f"{variable} must be like 100/minute or 5000/10 seconds, or 0, not {text!r}") from None
    return text


def _archive_url(text: str) -> str:
    if re.fullmatch(r"s3://[a-z0-9][a-z0-9.-]+(/.*)?", text):
        if find_spec("s3fs") is None:
            raise SettingsError(
                "ARCHIVE_URL with s3:// needs the package s3fs: install it with the pip beside billet, or in the "
                "checkout with .venv/bin/pip install '.[s3]'"
            )
    elif not Path(text.removeprefix("file://")).expanduser().is_absolute():
        raise SettingsError(
            f"ARCHIVE_URL must be the absolute path of a directory or like s3://BUCKET/PREFIX, not {text!r}"
        )
    return text


def _registration_key(text: str) -> str:
    if re.fullmatch(r"[\x21-\x7e]{16,200}", text) is None:
        # It is a secret, so it is not repeated.
        raise SettingsError("REGISTRATION_KEY must be 16 to 200 visible ASCII characters")
    return text


def _admin_token(text: str) -> str:
    if re.fullmatch(r"(?=.{32,200}$)[A-Za-z0-9._~+/-]+=*", text) is None:
        # It is a secret, so it is not repeated.
        raise SettingsError("ADMIN_TOKEN must be 32 to 200 letters, digits and characters of ._~+/-")
    return text


def _login_jwks(text: str) -> str:
    from service.inputs.elsewhere import may_be_plain  # takes longer than all the rest

    scheme = urlsplit(text).scheme
    if scheme not in ("http", "https"):
        raise SettingsError(f"LOGIN_JWKS must be like https://HOST/PATH, not {text!r}")
    if scheme == "http" and not may_be_plain(text):
        raise SettingsError(f"LOGIN_JWKS must be https://, because {text!r} does not lead to this machine")
    return text


def _backup_key(text: str) -> str:
    if re.fullmatch(r"[\x21-\x7e]{32,200}", text) is None:
        # It is a secret, so it is not repeated.
        raise SettingsError("BACKUP_KEY must be 32 to 200 visible ASCII characters")
    return text


def _one_of_two(variable: str, text: str, one: str, other: str) -> str:
    if text not in (one, other):
        raise SettingsError(f"{variable} must be {one} or {other}, not {text!r}")
    return text


def _log_level(text: str) -> str:
    if text.lower() not in LOG_LEVELS:
        raise SettingsError(f"LOG_LEVEL must be one of {', '.join(LOG_LEVELS)}, not {text!r}")
    return text.lower()
