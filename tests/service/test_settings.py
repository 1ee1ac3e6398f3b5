import os
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
    read = {
        "REDIS_URL": ("redis://localhost:6379/1", "redis://localhost:6379/1"),
        "REDIS_CLUSTER": ("0", 0),
        "QUEUE_REDIS_URL": ("redis://localhost:6379/2", "redis://localhost:6379/2"),
        "DATA_DIR": ("~/games", Path.home() / "games"),
        "HOST": ("0.0.0.0", "0.0.0.0"),
        "PORT": ("9000", 9000),
        "WORKERS": ("3", 3),
        "API_PROCESSES": ("2", 2),
        "REGISTRATION_KEY": ("0123456789abcdef", "0123456789abcdef"),
        "OPEN_GAMES": ("0", 0),
        "TRUSTED_PROXIES": ("1", 1),
        "LIMIT_ACTING": ("1/second", "1/second"),
        "LIMIT_CREATING": ("5/10 seconds", "5/10 seconds"),
        "LOG_LEVEL": ("DEBUG", "debug"),
    }
    settings = Settings.from_env({variable: text for variable, (text, _) in read.items()})
    assert settings == Settings(**{variable.lower(): value for variable, (_, value) in read.items()})


@pytest.mark.parametrize(
    ("variable", "text", "says"),
    [
        ("PORT", "http", "PORT must be a whole number from 1 to 65535, not 'http'"),
        ("PORT", "0", "from 1 to 65535"),
        ("PORT", "65536", "from 1 to 65535"),
        ("PORT", "8_000", "not '8_000'"),
        ("WORKERS", "-1", "WORKERS must be a whole number from 1 to 64"),
        ("API_PROCESSES", "1.5", "API_PROCESSES must be a whole number"),
        ("LIMIT_ACTING", "many", "LIMIT_ACTING must be like 100/minute or 5000/10 seconds, or 0, not 'many'"),
        ("LIMIT_ACTING", "100", "LIMIT_ACTING must be like"),
        ("LIMIT_ACTING", "0/minute", "LIMIT_ACTING must be like"),
        ("LIMIT_ACTING", "-1/minute", "LIMIT_ACTING must be like"),
        ("LIMIT_ACTING", "5/0 seconds", "LIMIT_ACTING must be like"),
        ("LIMIT_ACTING", "5 per 00minute", "LIMIT_ACTING must be like"),
        ("LIMIT_ACTING", "5/second; 100/minute", "LIMIT_ACTING must be like"),
        ("LIMIT_ACTING", f"{10**15}/second", "LIMIT_ACTING must be like"),
        ("LIMIT_ACTING", "5/289584 years", "LIMIT_ACTING must be like"),
        ("PORT", "8" * 5000, "PORT must be a whole number from 1 to 65535"),
        ("REDIS_MAX_MEMORY_MB", "3", "REDIS_MAX_MEMORY_MB must be 0 or at least 4"),
        ("REGISTRATION_KEY", "short", "REGISTRATION_KEY must be 16 to 200 visible ASCII characters"),
        ("LOG_LEVEL", "loud", "LOG_LEVEL must be one of debug, info, warning, error, not 'loud'"),
        ("REDIS_URL", "localhost:6379", "REDIS_URL must start with redis://"),
        ("QUEUE_REDIS_URL", "localhost:6379", "QUEUE_REDIS_URL must start with redis://"),
        ("REDIS_CLUSTER", "yes", "REDIS_CLUSTER must be a whole number from 0 to 1"),
        ("DURABILITY", "safe", "DURABILITY must be one of local, replicated, not 'safe'"),
        ("DURABILITY", "replicated", "DURABILITY=replicated needs a REDIS_URL: the embedded Redis has no replica"),
    ],
)
def test_a_malformed_value_is_refused_by_name(variable, text, says):
    with pytest.raises(SettingsError) as refused:
        Settings.from_env({variable: text})
    assert says in str(refused.value)


@pytest.mark.parametrize(
    "text", ["0", "1/second", "05/10 seconds", "5 per 100minutes", f"{10**15 - 1}/day", "5/289583 years"]
)
def test_a_limit_may_be_as_small_and_as_great_as_can_be_counted(text):
    assert Settings.from_env({"LIMIT_ACTING": text}).limit_acting == text


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("REDIS_URI", "REDIS_URL"),
        ("WORKER", "WORKERS"),
        ("DATADIR", "DATA_DIR"),
        ("RETAIN_FINISHED_DAY", "RETAIN_FINISHED_DAYS"),
        ("TRUSTED_PROXY", "TRUSTED_PROXIES"),
        ("LIMIT_REGISTER", "LIMIT_REGISTERING"),
        ("LIMIT_CREATE", "LIMIT_CREATING"),
    ],
)
def test_a_misspelt_setting_is_refused_with_the_nearest_one(name, meant):
    with pytest.raises(SettingsError) as refused:
        Settings.from_env({name: "1"})
    assert f"{name} is not a setting. Do you mean {meant}?" in str(refused.value)


@pytest.mark.parametrize("name", ["LIMIT_FOO", "LIMIT_"])
def test_a_setting_of_ours_that_is_near_to_none_is_refused_without_a_question(name):
    with pytest.raises(SettingsError) as refused:
        Settings.from_env({name: "1"})
    assert str(refused.value) == f"{name} is not a setting. `billet settings` lists them all"


def test_what_others_put_into_the_environment_is_no_misspelt_setting():
    names = "HOME HOSTNAME PATH PORTS USER SHELL TERM AWS_REGION REDIS_PORT REDIS_SERVICE_HOST BILLET_COMPILE LOGNAME"
    assert Settings.from_env(dict.fromkeys(names.split(), "x")) == Settings()


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


def test_the_registration_key_is_not_repeated():
    with pytest.raises(SettingsError) as refused:
        Settings.from_env({"REGISTRATION_KEY": "secret"})
    assert "secret" not in str(refused.value)
    assert "0123456789abcdef" not in repr(Settings(registration_key="0123456789abcdef"))


def test_a_malformed_redis_url_is_not_repeated():
    with pytest.raises(SettingsError) as refused:
        Settings.from_env({"REDIS_URL": "redis:/user:secret@host"})
    assert "secret" not in str(refused.value)


@pytest.mark.parametrize("mark", ["", "\ufeff"])
@pytest.mark.parametrize(
    ("url", "with_password"),
    [
        ("redis://there:6379/2", "redis://:p%2Fw@there:6379/2"),
        ("rediss://ann@there", "rediss://ann:p%2Fw@there"),
        ("unix:///run/redis.sock?db=1", "unix://:p%2Fw@/run/redis.sock?db=1"),
        ("redis://ann:known@there", "redis://ann:known@there"),
    ],
)
def test_the_password_of_redis_comes_from_a_file(tmp_path, url, with_password, mark):
    (tmp_path / "password").write_text(f"{mark}p/w\n")
    file = str(tmp_path / "password")
    settings = Settings.from_env({"REDIS_URL": url, "REDIS_PASSWORD_FILE": file})
    assert settings.redis_url == with_password
    again = Settings.from_env({"REDIS_URL": settings.redis_url, "REDIS_PASSWORD_FILE": file})
    assert again == settings, "as a part passes it on to those that it starts"


@pytest.mark.parametrize(
    ("environ", "says"),
    [
        ({}, "needs a REDIS_URL"),
        ({"REDIS_URL": "redis://there", "REDIS_PASSWORD_FILE": "/nowhere"}, "/nowhere: No such file or directory"),
        ({"REDIS_URL": "redis://there", "REDIS_PASSWORD_FILE": os.devnull}, "is empty: /dev/null"),
    ],
)
def test_a_password_file_that_cannot_be_used_is_refused(environ, says):
    with pytest.raises(SettingsError, match=f"REDIS_PASSWORD_FILE .*{says}"):
        Settings.from_env({"REDIS_PASSWORD_FILE": "/nowhere"} | environ)
