"""Games on Redis: log, seats, players, clocks and use cases; no HTTP and no worker code belong here."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from service.admission import Admission
from service.changes import Changes
from service.cluster import Cluster, ClusterExchange, ClusterWaiting
from service.connection import Exchange, connect
from service.due import Due
from service.feeds import Feeds
from service.following import Follow
from service.health import Health
from service.jobs import Jobs
from service.lobby import Lobby
from service.log import EventLog
from service.play import Play
from service.players import Players
from service.reading import LONGEST_WAIT_SECONDS, Reader
from service.settings import Settings
from service.subscriptions import Address, address_in, address_of
from service.tables import Tables
from service.tickets import Tickets

__all__ = ["Service", "Settings", "build"]


@dataclass(frozen=True, slots=True)
class Service:
    """Everything an installation can do, for the api and the workers to call."""

    players: Players
    lobby: Lobby
    tables: Tables
    play: Play
    games: Reader
    follow: Follow
    tickets: Tickets
    due: Due
    jobs: Jobs
    health: Health
    exchange: Exchange
    """For what keeps no games: the counters of limits."""
    address: Callable[[], Address]
    """Of the Redis on which appends are heard."""

    def feeds(self, frame: Callable[[dict[str, Any]], bytes], sent: Callable[[int], None]) -> Feeds:
        """Returns what carries the events of watched games to those who follow them, for one event loop."""
        return Feeds(self.follow, self.address, frame, sent)


def build(settings: Settings) -> Service:
    """Returns the service on the Redis of the settings; it connects when it is first used."""
    longest_wait = LONGEST_WAIT_SECONDS + 10
    keep_seconds = settings.answer_hours * 3600
    client = connect(settings.redis_url)
    address = address_of(settings.redis_url)
    if settings.redis_cluster:
        cluster = Cluster(settings.redis_url)
        exchange: Exchange = ClusterExchange(cluster)
        waiting = ClusterExchange(Cluster(settings.redis_url, answer_seconds=longest_wait))
        # Every node passes on what is published on one of them: a number is less than events.
        log = EventLog(exchange, ClusterWaiting(waiting), "version", keep_seconds)
        address = address_in(cluster, settings.redis_url)
    else:
        exchange = Exchange(client)
        log = EventLog(exchange, connect(settings.redis_url, answer_seconds=longest_wait), keep_seconds=keep_seconds)
    players = Players(exchange, settings.registration_key, settings.max_name_characters, keep_seconds)
    jobs = Jobs(connect(settings.queue_redis_url) if settings.queue_redis_url else client)
    changes = Changes(exchange, log, jobs)
    admission = Admission(log, changes)
    tickets = Tickets(exchange, admission, players)
    return Service(
        players=players,
        lobby=Lobby(exchange, log, players, changes),
        tables=Tables(log, players, changes, settings.open_games),
        play=Play(log, players, changes),
        games=Reader(log, players, admission),
        follow=Follow(exchange, log, players, changes, admission, tickets),
        tickets=tickets,
        due=Due(exchange),
        jobs=jobs,
        health=Health(exchange),
        exchange=exchange,
        address=address,
    )
