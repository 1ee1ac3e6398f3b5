"""Games on Redis: log, seats, players, clocks and use cases; no HTTP and no worker code belong here."""

from dataclasses import dataclass

from service.changes import Changes
from service.cluster import Cluster, ClusterExchange, ClusterWaiting
from service.connection import Exchange, connect
from service.due import Due
from service.health import Health
from service.jobs import Jobs
from service.lobby import Lobby
from service.log import EventLog
from service.play import Play
from service.players import Players
from service.reading import LONGEST_WAIT_SECONDS, Reader
from service.settings import Settings
from service.tables import Tables

__all__ = ["Service", "Settings", "build"]


@dataclass(frozen=True, slots=True)
class Service:
    """Everything an installation can do, for the api and the workers to call."""

    players: Players
    lobby: Lobby
    tables: Tables
    play: Play
    games: Reader
    due: Due
    jobs: Jobs
    health: Health
    exchange: Exchange
    """For what keeps no games: the counters of limits."""


def build(settings: Settings) -> Service:
    """Returns the service on the Redis of the settings; it connects when it is first used."""
    longest_wait = LONGEST_WAIT_SECONDS + 10
    client = connect(settings.redis_url)
    if settings.redis_cluster:
        exchange: Exchange = ClusterExchange(Cluster(settings.redis_url))
        waiting = ClusterExchange(Cluster(settings.redis_url, answer_seconds=longest_wait))
        log = EventLog(exchange, ClusterWaiting(waiting), settings.answer_hours * 3600)
    else:
        exchange = Exchange(client)
        log = EventLog(exchange, connect(settings.redis_url, answer_seconds=longest_wait), settings.answer_hours * 3600)
    players = Players(exchange, settings.registration_key, settings.max_name_characters)
    jobs = Jobs(connect(settings.queue_redis_url) if settings.queue_redis_url else client)
    changes = Changes(exchange, log, jobs)
    return Service(
        players=players,
        lobby=Lobby(exchange, log, players, changes),
        tables=Tables(log, players, changes, settings.open_games),
        play=Play(log, players, changes),
        games=Reader(log, players, changes, most_waiting=max(1, settings.api_threads * 3 // 4)),
        due=Due(exchange),
        jobs=jobs,
        health=Health(exchange),
        exchange=exchange,
    )
