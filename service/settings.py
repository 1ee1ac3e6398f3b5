"""Reads the settings of an installation from the environment, once."""

import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from difflib import get_close_matches
from importlib.util import find_spec
from pathlib import Path
from typing import Any, TypeAlias, TypeVar
from urllib.parse import quote, urlsplit

from engine.bots.question import DEFAULT_THINK_MS
from games.tables.lifetimes import DAY_MS
from service.log_lines import JSON, TEXT

OFF = "0"
"""The value that turns a limit off."""
OWN_PREFIX = "LIMIT_"
"""What begins so is meant for Billet."""
LIKENESS = 0.85
"""From which likeness (0 to 1) on a name counts as a misspelt one: `WORKER` is `WORKERS`, `HOSTNAME` is not `HOST`."""
OWN_LIKENESS = 0.75
"""The same for what begins so: `LIMIT_REGISTER` is near to `LIMIT_REGISTERING`, `LIMIT_FOO` is not."""
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
OF_ONE_ADDRESS = 5
"""How many times as much as one token an address may do, because several people call from it."""
COMMAND_SECRETS = ("BACKUP_KEY",)
"""Secrets that only operators' commands need: no part that runs ever holds them (decision 051)."""
LOG_LEVELS = ("debug", "info", "warning", "error")

_WINDOW_OF_NOTHING = re.compile(r"\D0+\s*[a-z]", re.IGNORECASE)
"""What `limits` would read as one: 5/0 seconds."""

T = TypeVar("T")
Parser: TypeAlias = Callable[[str, str], Any]
"""Makes a value of a variable's name and text."""


class SettingsError(ValueError):
    """Reports an unusable environment variable; the text names it and says what would be accepted."""


# --- parsers ---


def _text(variable: str, text: str) -> str:
    return text


def _path(variable: str, text: str) -> Path:
    return Path(text).expanduser()


def _number(least: int, most: int | None = None) -> Parser:
    bounds = f"from {least} to {most}" if most is not None else f"of at least {least}"

    def parse(variable: str, text: str) -> int:
        # int() alone would accept "1_000" and digits of other scripts, and fail with thousands of them.
        number = int(text) if text.isascii() and text.isdigit() and len(text) < 100 else -1
        if number < least or (most is not None and number > most):
            raise SettingsError(f"{variable} must be a whole number {bounds}, not {text!r}")
        return number

    return parse


_SWITCH = _number(0, 1)


def _one_of(*words: str) -> Parser:
    def parse(variable: str, text: str) -> str:
        if text.lower() not in words:
            raise SettingsError(f"{variable} must be one of {', '.join(words)}, not {text!r}")
        return text.lower()

    return parse


def _secret(pattern: str, form: str) -> Parser:
    def parse(variable: str, text: str) -> str:
        if re.fullmatch(pattern, text) is None:
            raise SettingsError(f"{variable} must be {form}")  # it is a secret, so it is not repeated
        return text

    return parse


def _redis_url(variable: str, text: str) -> str:
    if not text.startswith(("redis://", "rediss://", "unix://")):
        # The text may contain a password, so it is not repeated.
        raise SettingsError(f"{variable} must start with redis://, rediss:// or unix://")
    return text


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


def _archive_url(variable: str, text: str) -> str:
    if re.fullmatch(r"s3://[a-z0-9][a-z0-9.-]+(/.*)?", text):
        if find_spec("s3fs") is None:
            raise SettingsError(
                f"{variable} with s3:// needs the package s3fs: install it with the pip beside billet, or in the "
                "checkout with .venv/bin/pip install '.[s3]'"
            )
    elif not Path(text.removeprefix("file://")).expanduser().is_absolute():
        raise SettingsError(
            f"{variable} must be the absolute path of a directory or like s3://BUCKET/PREFIX, not {text!r}"
        )
    return text


def _login_jwks(variable: str, text: str) -> str:
    from service.inputs.elsewhere import may_be_plain  # takes longer than all the rest

    scheme = urlsplit(text).scheme
    if scheme not in ("http", "https"):
        raise SettingsError(f"{variable} must be like https://HOST/PATH, not {text!r}")
    if scheme == "http" and not may_be_plain(text):
        raise SettingsError(f"{variable} must be https://, because {text!r} does not lead to this machine")
    return text


# --- the settings ---


def _setting(
    variable: str,
    default: T,
    doc: str,
    why: str,
    parse: Parser = _text,
    *,
    bounds: str = "",
    secret: bool = False,
) -> T:
    """Returns the field of one setting, with what it is and why somebody would set it; a `secret` is never shown."""
    about = {"variable": variable, "doc": doc, "why": why, "parse": parse, "bounds": bounds}
    return field(default=default, repr=not secret, metadata=about)


def _counted(variable: str, default: int, doc: str, why: str, least: int, most: int) -> int:
    return _setting(variable, default, doc, why, _number(least, most), bounds=f"from {least} to {most}")


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings, one field per environment variable."""

    redis_url: str = _setting(
        "REDIS_URL",
        "",
        "Redis to use, redis://, rediss:// or unix://, by default an embedded one below DATA_DIR",
        "parts on several machines share one Redis, or somebody runs it for you",
        _redis_url,
    )
    redis_password_file: str = _setting(
        "REDIS_PASSWORD_FILE",
        "",
        "file that holds the password for REDIS_URL, if it is not in there",
        "your containers get secrets as files",
    )
    redis_cluster: int = _setting(
        "REDIS_CLUSTER",
        0,
        "1 if REDIS_URL names a node of a Redis Cluster",
        "the games outgrow the memory of one Redis",
        _SWITCH,
    )
    queue_redis_url: str = _setting(
        "QUEUE_REDIS_URL",
        "",
        "Redis for the workers' queues, which is no cluster, by default that of REDIS_URL",
        "REDIS_CLUSTER needs it",
        _redis_url,
    )
    unsafe_redis: int = _setting(
        "UNSAFE_REDIS",
        0,
        "1: start with a Redis that may lose games, by eviction or without a log",
        "the games may be lost, as on a machine for tests",
        _SWITCH,
    )
    durability: str = _setting(
        "DURABILITY",
        LOCAL,
        f"`{LOCAL}`: the primary answers for a write; `{REPLICATED}`: a replica must have it on disk",
        "no answered action may be lost with a machine",
        _one_of(LOCAL, REPLICATED),
    )
    redis_max_memory_mb: int = _setting(
        "REDIS_MAX_MEMORY_MB",
        0,
        f"memory the embedded Redis may take, in MB, at least {LEAST_MEMORY_MB}; 0: half of the machine's",
        "the machine does other work, or nothing else",
        _number(0),
    )
    data_dir: Path = _setting(  # noqa: RUF009  # `_setting` makes a field: no default is shared
        "DATA_DIR", Path("data"), "directory of the embedded Redis", "the games belong on another disk", _path
    )
    host: str = _setting("HOST", "127.0.0.1", "address the API listens on", "callers are on other machines")
    port: int = _counted("PORT", 8000, "port the API listens on", "the port is taken", 1, 65535)
    workers: int = _counted(
        "WORKERS", 2, "worker processes that `billet serve` starts", "bots wait for a worker: more of them", 1, 64
    )
    api_processes: int = _counted(
        "API_PROCESSES", 1, "API processes, about one per core", "calls use up a core: more of them", 1, 64
    )
    bot_think_ms: int = _counted(
        "BOT_THINK_MS",
        DEFAULT_THINK_MS,
        "milliseconds that a thinking bot takes for a turn",
        "thinking bots should answer sooner, or play better",
        10,
        5000,
    )
    registration_key: str = _setting(
        "REGISTRATION_KEY",
        "",
        "key that clients must send as `Registration-Key`; without it anyone may register",
        "only your own clients may register players",
        _secret(r"[\x21-\x7e]{16,200}", "16 to 200 visible ASCII characters"),
        secret=True,
    )
    login_jwks: str = _setting(
        "LOGIN_JWKS",
        "",
        "where an identity provider publishes its keys, https://...; without it nobody can log in",
        "people sign in with the accounts that they have",
        _login_jwks,
    )
    login_issuer: str = _setting(
        "LOGIN_ISSUER", "", "the issuer that the provider's tokens name", "LOGIN_JWKS needs it"
    )
    login_audience: str = _setting(
        "LOGIN_AUDIENCE", "", "the audience that tokens for this service name", "LOGIN_JWKS needs it"
    )
    admin_token: str = _setting(
        "ADMIN_TOKEN",
        "",
        "token of operators for `/v1/admin`; without it those calls do not exist",
        "you call off games or ban players over HTTP",
        _secret(r"(?=.{32,200}$)[A-Za-z0-9._~+/-]+=*", "32 to 200 letters, digits and characters of ._~+/-"),
        secret=True,
    )
    backup_key: str = _setting(
        "BACKUP_KEY",
        "",
        "key that signs backups, and by which restoring knows them; without it they are not signed",
        "backups lie where others can write",
        _secret(r"[\x21-\x7e]{32,200}", "32 to 200 visible ASCII characters"),
        secret=True,
    )
    open_games: int = _setting(
        "OPEN_GAMES",
        1000,
        "games a player may have opened that have not ended, and five times as many of one address; 0: any number",
        "strangers may register: fewer",
        _number(0),
    )
    idle_player_days: int = _counted(
        "IDLE_PLAYER_DAYS",
        30,
        "days until a player without games who reads no notices is removed; 0: never",
        "your rules on personal data name another time, or accounts must stay",
        0,
        36500,
    )
    retain_finished_days: int = _counted(
        "RETAIN_FINISHED_DAYS",
        0,
        "days after which ended games are archived; 0: never",
        "ended games fill Redis",
        0,
        36500,
    )
    archive_url: str = _setting(
        "ARCHIVE_URL",
        "",
        "where games are archived: a directory that exists, or s3://BUCKET/PREFIX; without it nowhere",
        "RETAIN_FINISHED_DAYS needs it",
        _archive_url,
    )
    trusted_proxies: int = _counted(
        "TRUSTED_PROXIES",
        0,
        "proxies in front that add the caller's address to X-Forwarded-For",
        "a proxy is in front: else all callers count as one",
        0,
        10,
    )
    limit_acting: str = _setting(
        "LIMIT_ACTING",
        "500/second",
        "actions with one token; for all these limits, `0` means none",
        "programs play faster than that",
        _limit,
    )
    limit_reading: str = _setting(
        "LIMIT_READING", "300/second", "calls that only read, with one token", "programs read faster than that", _limit
    )
    limit_creating: str = _setting(
        "LIMIT_CREATING",
        "3000/minute",
        "games opened with one token, rematches too, and as many seats asked for",
        "strangers may register: fewer",
        _limit,
    )
    limit_registering: str = _setting(
        "LIMIT_REGISTERING",
        "6000/minute",
        "players registered and tokens rotated from one address",
        "strangers may register: fewer",
        _limit,
    )
    web: int = _setting(
        "WEB",
        1,
        "1: the table for browsers is served at `/`; 0: it is not",
        "you have a front end of your own",
        _SWITCH,
    )
    log_level: str = _setting(
        "LOG_LEVEL",
        "info",
        f"one of {', '.join(LOG_LEVELS)}",
        "you look for a fault, or want less",
        _one_of(*LOG_LEVELS),
    )
    log_format: str = _setting(
        "LOG_FORMAT",
        TEXT,
        f"`{TEXT}`: lines for people; `{JSON}`: an object on each line",
        "a program collects the logs",
        _one_of(TEXT, JSON),
    )
    access_log: int = _setting(
        "ACCESS_LOG", 0, "1: a line for each answered request", "no proxy in front writes one", _SWITCH
    )

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

    def idle_ms(self) -> int:
        """Returns after how many milliseconds a player without games is removed; 0: never."""
        return self.idle_player_days * DAY_MS

    @classmethod
    def from_env(cls, environ: Mapping[str, str] | None = None) -> "Settings":
        """Returns the settings in `environ` (default: the environment of the process).

        An empty variable counts as unset. Raises SettingsError for unusable values, for values that contradict each
        other, and for names that look like misspelt ones.
        """
        source = os.environ if environ is None else environ
        _check_known(source)
        values = {}
        for setting in fields(cls):
            variable = setting.metadata["variable"]
            if text := source.get(variable, "").strip():
                values[setting.name] = setting.metadata["parse"](variable, text)
        if file := values.get("redis_password_file"):
            values["redis_url"] = _with_password(values.get("redis_url", ""), file)
        return cls(**values)


def _check_known(environ: Mapping[str, str]) -> None:
    """Checks that no unknown environment variable is meant for Billet: by its beginning, or by a setting near to it."""
    ours = [setting.metadata["variable"] for setting in fields(Settings)]
    for name in sorted(environ.keys() - {*ours}):
        own = name.startswith(OWN_PREFIX)
        nearest = get_close_matches(name, ours, 1, OWN_LIKENESS if own else LIKENESS) if len(name) > SHORT else []
        if own or nearest:
            question = f" Do you mean {nearest[0]}?" if nearest else ""
            raise SettingsError(f"{name} is not a setting.{question} `billet settings` lists them all")


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
