"""What is wrong with a Redis is found and has a word of its own, on one Redis and on each node of a cluster."""

import contextlib
import subprocess

import pytest
import redis

from billet.redis.binary import find_redis
from billet.redis.embedded import running
from service import Settings, build
from service.inputs.clock import now_ms
from service.store.redis.client import RedisClient, connect
from service.store.redis.cluster import Cluster, ClusterClient
from service.store.redis.condition import FAULTS, check
from tools.testbed.installation import free_port
from tools.testbed.waiting import wait_until

NOWHERE = "redis://127.0.0.1:1/0"


@contextlib.contextmanager
def configured(client, **settings):
    """Sets what Redis is configured with, for a block."""
    names = {name.replace("_", "-"): value for name, value in settings.items()}
    before = {name: client.config_get(name)[name] for name in names}
    client.config_set(*(word for pair in names.items() for word in pair))
    try:
        yield
    finally:
        for name, value in before.items():
            client.config_set(name, value)


def faults_of(url):
    [one] = check(RedisClient(connect(url)))
    assert set(one.faults) <= set(FAULTS)
    return dict(one.faults)


def is_loading(url):
    with contextlib.suppress(redis.ConnectionError, redis.TimeoutError), connect(url) as client:
        return client.info("persistence")["loading"] == 1
    return False


def test_a_redis_as_the_page_configures_it_has_no_fault(redis_url):
    [one] = check(RedisClient(connect(redis_url)))
    assert one.faults == {}
    assert one.used > 0
    assert one.synced == "no"


@pytest.mark.parametrize(
    ("settings", "fault", "says"),
    [
        ({"maxmemory": 1}, "full", "is full and takes no writes"),
        ({"min_replicas_to_write": 1}, "read_only", "is read-only: it has fewer replicas than min-replicas-to-write"),
        ({"maxmemory_policy": "allkeys-lru"}, "evicts", "(maxmemory-policy allkeys-lru): set noeviction"),
        ({"appendonly": "no"}, "not_persistent", "(appendonly no): set appendonly yes"),
    ],
)
def test_each_fault_has_its_word(client, redis_url, settings, fault, says):
    with configured(client, **settings):
        assert list(faults_of(redis_url)) == [fault]
        assert says in faults_of(redis_url)[fault]
    assert faults_of(redis_url) == {}


def test_a_replica_that_answers_wait_for_is_missed(redis_url):
    [one] = check(RedisClient(connect(redis_url), replicated=True))
    assert list(one.faults) == ["no_replica"]
    assert "has no replica" in one.faults["no_replica"]


def test_memory_that_is_nearly_used_up_is_a_fault_before_it_is_full(client, redis_url):
    for number in range(300):  # beside these, what connections come to use or give back is next to nothing
        client.set(f"filler-{number}", bytes(100_000))
    used = int(client.info("memory")["used_memory"])
    with configured(client, maxmemory=int(used / 0.9)):
        assert list(faults_of(redis_url)) == ["nearly_full"]


@pytest.mark.parametrize(("by", "says"), [(-3600, "s ahead of that"), (3600, "s behind that")])
def test_a_clock_that_differs_from_that_of_redis_is_a_fault(redis_url, clock, by, says):
    clock.ms = now_ms() + by * 1000
    assert says in faults_of(redis_url)["other_clock"]


def test_evicted_keys_are_a_fault_after_the_policy_was_mended(client, redis_url):
    with configured(client, maxmemory_policy="allkeys-lru"):
        for number in range(50):
            client.set(f"filler-{number}", bytes(100_000))
        with configured(client, maxmemory=int(client.info("memory")["used_memory"]) - 1_000_000):
            client.set("one-more", 1)
    try:
        assert list(faults_of(redis_url)) == ["evicted"]
    finally:
        client.config_resetstat()


def test_a_replica_is_read_only_and_says_why(client, redis_url):
    client.replicaof("127.0.0.1", 1)
    try:
        assert faults_of(redis_url)["read_only"] == "is read-only: it is a replica"
    finally:
        client.replicaof("NO", "ONE")


def test_a_redis_that_does_not_answer_is_away():
    assert faults_of(NOWHERE) == {"away": "does not answer"}


def test_a_redis_that_loads_its_data_is_not_said_to_store_nothing_but_to_be_too_old(tmp_path, monkeypatch):
    """It reports `aof_enabled:0` meanwhile."""
    with running(tmp_path, fsync="no") as server, connect(server.url) as own, own.pipeline() as filling:
        for number in range(60_000):
            filling.set(f"filler-{number}", 1)
        filling.execute()
    slowly = ("--key-load-delay", "200")  # microseconds; after each 1,024 keys it answers
    with subprocess.Popen([*server.command, *slowly], stdout=subprocess.DEVNULL) as process:
        try:
            wait_until(lambda: is_loading(server.url))
            assert faults_of(server.url) == {"away": "is still loading its data"}
            monkeypatch.setattr("service.store.redis.condition.OLDEST", (99, 0))
            assert [*faults_of(server.url)] == ["too_old"]
        finally:
            process.kill()


@pytest.mark.parametrize("credentials", ["", "username=default&password=old"])
def test_a_password_that_was_changed_is_not_called_silence(client, redis_url, credentials):
    with configured(client, requirepass="new"):
        assert faults_of(f"{redis_url}?{credentials}") == {"away": "refuses user or password"}


def test_a_user_who_may_not_write_is_told_so(client, redis_url):
    client.acl_setuser(
        "reader", enabled=True, passwords=["+secret"], keys=["*"], commands=["+@read", "+info", "+config"]
    )
    try:
        assert "does not let Billet write" in faults_of(f"{redis_url}?username=reader&password=secret")["wrong_kind"]
    finally:
        client.acl_deluser("reader")


def test_a_sentinel_is_refused_and_asked_for_nothing_else(tmp_path):
    port = free_port()
    (tmp_path / "sentinel.conf").write_text(f"port {port}\n")
    process = subprocess.Popen(
        [find_redis(), tmp_path / "sentinel.conf", "--sentinel"], stdout=subprocess.DEVNULL, cwd=tmp_path
    )
    try:
        with redis.Redis(port=port) as client:
            wait_until(lambda: _answers(client))
        url = f"redis://127.0.0.1:{port}"
        assert "is a Sentinel" in faults_of(url)["wrong_kind"]
        state = build(Settings(redis_url=url)).survey.state()
        assert (state.redis, state.queue_redis) == (False, False)
    finally:
        process.kill()
        process.wait(100)


def _answers(client):
    with contextlib.suppress(redis.ConnectionError):
        return client.ping()
    return False


def test_each_node_of_a_cluster_is_checked(nodes):
    redis_client = ClusterClient(Cluster(nodes.url))
    found = check(redis_client)
    assert sorted(one.node for one in found) == sorted(f"127.0.0.1:{node.port}" for node in nodes.nodes)
    assert all(one.faults == {} for one in found)
    with configured(nodes.nodes[1].client, min_replicas_to_write=1):
        found = {one.node: list(one.faults) for one in check(redis_client)}
        assert found.pop(f"127.0.0.1:{nodes.nodes[1].port}") == ["read_only"]
        assert list(found.values()) == [[], []]


def test_a_node_of_a_cluster_without_the_setting_is_refused(nodes):
    assert "REDIS_CLUSTER=1" in faults_of(nodes.url)["wrong_kind"]


def test_a_redis_that_is_no_cluster_is_no_cluster(redis_url, tmp_path):
    [one] = check(ClusterClient(Cluster("redis://127.0.0.1:1")))
    assert list(one.faults) == ["away"]
