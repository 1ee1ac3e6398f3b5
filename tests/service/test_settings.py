import re
from pathlib import Path

import pytest

from service.settings import Settings, SettingsError


def test_an_empty_environment_gives_the_defaults():
    assert Settings.from_env({}) == Settings()
    assert Settings().port == 8000
    assert Settings().redis_url == ""


def test_empty_variables_count_as_unset():
    assert Settings.from_env({"PORT": "", "REDIS_URL": " ", "WORKERS": ""}) == Settings()


def test_every_field_is_read_from_its_variable():
    settings = Settings.from_env(
        {
            "REDIS_URL": "redis://localhost:6379/1",
            "REDIS_CLUSTER": "0",
            "QUEUE_REDIS_URL": "redis://localhost:6379/2",
            "DATA_DIR": "~/games",
            "HOST": "0.0.0.0",
            "PORT": "9000",
            "WORKERS": "3",
            "API_PROCESSES": "2",
            "API_THREADS": "8",
            "MAX_BODY_BYTES": "2048",
            "LOG_LEVEL": "DEBUG",
        }
    )
    assert settings == Settings(
        redis_url="redis://localhost:6379/1",
        redis_cluster=0,
        queue_redis_url="redis://localhost:6379/2",
        data_dir=Path.home() / "games",
        host="0.0.0.0",
        port=9000,
        workers=3,
        api_processes=2,
        api_threads=8,
        max_body_bytes=2048,
        log_level="debug",
    )


@pytest.mark.parametrize(
    ("variable", "text", "says"),
    [
        ("PORT", "http", "PORT must be a whole number from 1 to 65535, not 'http'"),
        ("PORT", "0", "from 1 to 65535"),
        ("PORT", "65536", "from 1 to 65535"),
        ("PORT", "8_000", "not '8_000'"),
        ("WORKERS", "-1", "WORKERS must be a whole number from 1 to 64"),
        ("API_THREADS", "1.5", "API_THREADS must be a whole number"),
        ("MAX_BODY_BYTES", "10", "MAX_BODY_BYTES must be a whole number of at least 1024"),
        ("LOG_LEVEL", "loud", "LOG_LEVEL must be one of debug, info, warning, error, not 'loud'"),
        ("REDIS_URL", "localhost:6379", "REDIS_URL must start with redis://"),
        ("QUEUE_REDIS_URL", "localhost:6379", "QUEUE_REDIS_URL must start with redis://"),
        ("REDIS_CLUSTER", "yes", "REDIS_CLUSTER must be a whole number from 0 to 1"),
    ],
)
def test_a_malformed_value_is_refused_by_name(variable, text, says):
    with pytest.raises(SettingsError) as refused:
        Settings.from_env({variable: text})
    assert says in str(refused.value)


QUEUES = "redis://queues"


@pytest.mark.parametrize("url", ["redis://node", "redis://node:7000/", "rediss://user:secret@node/0"])
def test_a_cluster_is_named_with_another_redis_for_the_queues(url):
    settings = Settings.from_env({"REDIS_URL": url, "REDIS_CLUSTER": "1", "QUEUE_REDIS_URL": QUEUES})
    assert settings == Settings(redis_url=url, redis_cluster=1, queue_redis_url=QUEUES)


@pytest.mark.parametrize(
    ("more", "says"),
    [
        ({"REDIS_URL": "redis://node"}, "REDIS_CLUSTER needs a QUEUE_REDIS_URL"),
        ({"REDIS_URL": "redis://node", "QUEUE_REDIS_URL": "redis://node"}, "REDIS_CLUSTER needs a QUEUE_REDIS_URL"),
        ({"QUEUE_REDIS_URL": QUEUES}, "REDIS_CLUSTER needs a REDIS_URL"),
        ({"REDIS_URL": "unix:///redis", "QUEUE_REDIS_URL": QUEUES}, "REDIS_URL with redis:// or rediss://"),
        ({"REDIS_URL": "redis://node/1", "QUEUE_REDIS_URL": QUEUES}, "without a database"),
        ({"REDIS_URL": "redis://node?db=1", "QUEUE_REDIS_URL": QUEUES}, "without a database"),
    ],
)
def test_a_cluster_without_what_it_needs_is_refused(more, says):
    with pytest.raises(SettingsError, match=re.escape(says)):
        Settings.from_env({"REDIS_CLUSTER": "1", **more})


def test_a_malformed_redis_url_is_not_repeated():
    with pytest.raises(SettingsError) as refused:
        Settings.from_env({"REDIS_URL": "redis:/user:secret@host"})
    assert "secret" not in str(refused.value)
