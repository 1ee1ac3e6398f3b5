"""The settings of an installation, read once from the environment; nothing that differs per game belongs here."""

import os
from collections.abc import Mapping
from dataclasses import Field, dataclass, field, fields
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

LOG_LEVELS = ("debug", "info", "warning", "error")


class SettingsError(ValueError):
    """An environment variable holds something that cannot be used; the text names it and says what would do."""


def _of(variable: str, doc: str, least: int | None = None, most: int | None = None) -> dict[str, Any]:
    return {"variable": variable, "doc": doc, "least": least, "most": most}


@dataclass(frozen=True, slots=True)
class Settings:
    """What the parts need to know to start: one field per environment variable, with its meaning and bounds."""

    redis_url: str = field(
        default="",
        metadata=_of("REDIS_URL", "Redis to use, redis://, rediss:// or unix://; unset: one's own below DATA_DIR"),
    )
    redis_cluster: int = field(
        default=0, metadata=_of("REDIS_CLUSTER", "1 if REDIS_URL names a node of a Redis Cluster", 0, 1)
    )
    queue_redis_url: str = field(
        default="",
        metadata=_of("QUEUE_REDIS_URL", "Redis for the workers' queues, which is no cluster; unset: that of REDIS_URL"),
    )
    data_dir: Path = field(default=Path("data"), metadata=_of("DATA_DIR", "directory of the embedded Redis' files"))
    host: str = field(default="127.0.0.1", metadata=_of("HOST", "address the API listens on"))
    port: int = field(default=8000, metadata=_of("PORT", "port the API listens on", 1, 65535))
    workers: int = field(default=2, metadata=_of("WORKERS", "worker processes that `billet serve` starts", 1, 64))
    api_processes: int = field(default=1, metadata=_of("API_PROCESSES", "API processes, about one per core", 1, 64))
    api_threads: int = field(
        default=256,
        metadata=_of("API_THREADS", "requests one API process works on at a time; the others wait their turn", 1, 1024),
    )
    max_body_bytes: int = field(
        default=64 * 1024, metadata=_of("MAX_BODY_BYTES", "largest accepted request body", 1024)
    )
    log_level: str = field(default="info", metadata=_of("LOG_LEVEL", f"one of {', '.join(LOG_LEVELS)}"))

    def __post_init__(self) -> None:
        """Refuse settings that do not go together."""
        if not self.redis_cluster:
            return
        url = urlsplit(self.redis_url)
        if url.scheme not in ("redis", "rediss") or url.path.strip("/0") or "db=" in url.query:
            raise SettingsError("REDIS_CLUSTER needs a REDIS_URL with redis:// or rediss:// and without a database")
        if self.queue_redis_url in ("", self.redis_url):
            raise SettingsError("REDIS_CLUSTER needs a QUEUE_REDIS_URL: the queues want a Redis that is no cluster")

    @classmethod
    def from_env(cls, environ: Mapping[str, str] | None = None) -> "Settings":
        """Return the settings that `environ` (default: the process's) asks for.

        An empty variable counts as unset. Raises SettingsError for a value that cannot be used
        and for values that do not go together.
        """
        source = os.environ if environ is None else environ
        given = ((setting, source.get(setting.metadata["variable"], "").strip()) for setting in fields(cls))
        return cls(**{setting.name: _parsed(setting, text) for setting, text in given if text})


def _parsed(setting: "Field[Any]", text: str) -> Any:
    variable = setting.metadata["variable"]
    if isinstance(setting.default, int):
        return _whole_number(variable, text, setting.metadata["least"], setting.metadata["most"])
    if isinstance(setting.default, Path):
        return Path(text).expanduser()
    if variable == "LOG_LEVEL":
        return _log_level(text)
    if variable.endswith("REDIS_URL") and not text.startswith(("redis://", "rediss://", "unix://")):
        # The text itself may hold a password, so it is not repeated.
        raise SettingsError(f"{variable} must start with redis://, rediss:// or unix://")
    return text


def _whole_number(variable: str, text: str, least: int, most: int | None) -> int:
    bounds = f"from {least} to {most}" if most is not None else f"of at least {least}"
    # int() alone would take "1_000" and digits of other scripts.
    number = int(text) if text.isascii() and text.isdigit() else -1
    if number < least or (most is not None and number > most):
        raise SettingsError(f"{variable} must be a whole number {bounds}, not {text!r}")
    return number


def _log_level(text: str) -> str:
    if text.lower() not in LOG_LEVELS:
        raise SettingsError(f"LOG_LEVEL must be one of {', '.join(LOG_LEVELS)}, not {text!r}")
    return text.lower()
