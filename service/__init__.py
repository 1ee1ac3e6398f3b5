"""Games on Redis: log, seats, players, clocks and use cases; no HTTP and no worker code belong here."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import redis

from service.admission import Admission
from service.archive import Archive
from service.changes import Changes
from service.cluster import Cluster, ClusterExchange, ClusterWaiting
from service.connection import Exchange, connect
from service.due import Due
from service.feeds import Feeds
from service.following import Follow
from service.health import Health
from service.invitations import Invitations
from service.jobs import Jobs
from service.lobby import Lobby
from service.log import EventLog
from service.logs import Logs
from service.measures import Measures
from service.noticeboard import Noticeboard
from service.own_bots import Limit, Patience, unlimited
from service.play import Play
from service.players import Players
from service.reading import LONGEST_WAIT_SECONDS, Reader
from service.retention import Retention
from service.settings import Settings
from service.standing import Survey
from service.subscriptions import Address, address_in, address_of
from service.tables import Tables
from service.teller import Teller
from service.tickets import Tickets
from service.totals import Totals
from service.untold import Untold

__all__ = ["Service", "Settings", "build"]


@dataclass(frozen=True, slots=True)
class Service:
    """Everything an installation can do, for the api and the workers to call."""

    players: Players
    lobby: Lobby
    tables: Tables
    play: Play
    games: Reader
    logs: Logs
    follow: Follow
    board: Noticeboard
    teller: Teller
    tickets: Tickets
    due: Due
    untold: Untold
    jobs: Jobs
    health: Health
    measures: Measures
    totals: Totals
    survey: Survey
    retention: Retention
    exchange: Exchange
    """For what keeps no games: the counters of limits."""
    address: Callable[[], Address]
    """Of the Redis on which appends are heard."""

    def feeds(
        self,
        frame: Callable[[dict[str, Any]], bytes],
        notice_frame: Callable[[dict[str, Any]], bytes],
        sent: Callable[[int], None],
    ) -> Feeds:
        """Returns what carries events and notices to those who follow them, for one event loop."""
        return Feeds(self.follow, self.board, self.address, frame, notice_frame, sent)


def build(settings: Settings, limit: Limit = unlimited) -> Service:
    """Returns the service on the Redis of the settings; it connects when it is first used.

    `limit` ends bots that do not come to an answer; without it nobody may be made to play their turns.
    """
    longest_wait = LONGEST_WAIT_SECONDS + 10
    keep_seconds = settings.answer_hours * 3600
    archive = Archive(settings.archive_url)
    client = connect(settings.redis_url)
    address = address_of(settings.redis_url)
    if settings.redis_cluster:
        cluster = Cluster(settings.redis_url)
        exchange: Exchange = ClusterExchange(cluster)
        elsewhere = ClusterExchange(Cluster(settings.redis_url, answer_seconds=longest_wait))
        waiting: redis.Redis | ClusterWaiting = ClusterWaiting(elsewhere)
        # Every node passes on what is published on one of them: a number is less than events.
        log = EventLog(exchange, waiting, "version", keep_seconds, archive)
        address = address_in(cluster, settings.redis_url)
    else:
        exchange = Exchange(client)
        waiting = connect(settings.redis_url, answer_seconds=longest_wait)
        log = EventLog(exchange, waiting, keep_seconds=keep_seconds, archive=archive)
    players = Players(exchange, settings.registration_key, settings.max_name_characters, keep_seconds)
    jobs = Jobs(connect(settings.queue_redis_url) if settings.queue_redis_url else client)
    measures = Measures()
    totals = Totals(exchange, measures.registry)
    teller = Teller(exchange, log)
    changes = Changes(exchange, log, jobs, measures, teller, settings.bot_think_ms)
    admission = Admission(log, changes)
    tickets = Tickets(exchange, admission, players)
    lobby = Lobby(exchange, log, players, changes)
    return Service(
        players=players,
        lobby=lobby,
        tables=Tables(log, players, changes, Invitations(players, lobby), admission, settings.open_games),
        play=Play(log, players, changes, Patience(settings.bot_think_ms, limit)),
        games=Reader(log, players, admission),
        logs=Logs(log, admission),
        follow=Follow(exchange, log, players, changes, admission, tickets),
        board=Noticeboard(exchange, waiting, lobby, players, tickets),
        teller=teller,
        tickets=tickets,
        due=Due(exchange),
        untold=Untold(exchange),
        jobs=jobs,
        health=Health(exchange),
        measures=measures,
        totals=totals,
        survey=Survey(exchange, jobs, totals),
        retention=Retention(exchange, log, archive, measures, settings.retain_finished_days),
        exchange=exchange,
        address=address,
    )
