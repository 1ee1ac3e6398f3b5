"""Builds the game service on Redis: event log, players, tables, play, clocks, live feeds."""

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from games.bots.turns import ThinkBudget, TimeLimit, unlimited
from service.admission import Admission
from service.aids.deductions import Deductions
from service.aids.hints import Hints
from service.aids.reviews import Reviews
from service.blocks import Blocks
from service.changing.changes import Changes
from service.daily.deals import Deals
from service.daily.waves import DayWaves
from service.invitations import Invitations
from service.jobs.notifier import Notifier
from service.jobs.pending import PendingNotices
from service.jobs.queue import Jobs
from service.jobs.schedule import Schedule
from service.jobs.unrecorded import UnrecordedResults
from service.live.feeds import Feeds
from service.live.frame_reader import Frames
from service.live.game_streams import GameStreams
from service.live.lobby_changes import LobbyChanges
from service.live.notices import Notices
from service.live.reactions import Reactions
from service.live.results import Results
from service.live.tickets import Tickets
from service.lobby import Lobby
from service.matches.matches import Matches
from service.matches.waves import MatchWaves
from service.metrics.health import HealthCheck
from service.metrics.measures import Measures
from service.metrics.survey import Survey
from service.metrics.totals import Totals
from service.own_data import OwnData
from service.play import Play
from service.players import Players
from service.queue.queue import Queue
from service.queue.waves import Waves
from service.reading import GameReader
from service.results.leaderboards import Leaderboards
from service.results.player_pages import PlayerPages
from service.results.programs import Programs
from service.results.rating import Ratings
from service.results.recording import Recording
from service.results.searching import PlayerSearch
from service.settings import REPLICATED, Settings
from service.store.archive import Archive
from service.store.lists.listing import Listing
from service.store.lists.presence import Presence
from service.store.log.event_log import EventLog
from service.store.redis.client import RedisClient, connect
from service.store.redis.cluster import client_at
from service.tables import Tables
from service.upkeep.administration import Administration
from service.upkeep.archive_watch import ArchiveWatch
from service.upkeep.expiry import Expiry
from service.upkeep.packing import Packing
from service.upkeep.retention import Retention
from service.verifying.verifier import Verifier

if TYPE_CHECKING:
    from service.logins import Logins


@dataclass(frozen=True, slots=True)
class Service:
    """The use cases of an installation, called by the API and the workers."""

    players: Players
    lobby: Lobby
    tables: Tables
    logins: "Logins | None"
    """None if the operator has no identity provider."""
    blocks: Blocks
    queue: Queue
    waves: Waves
    matches: Matches
    match_waves: MatchWaves
    daily: Deals
    day_waves: DayWaves
    play: Play
    games: GameReader
    deductions: Deductions
    hints: Hints
    reviews: Reviews
    verifier: Verifier
    game_streams: GameStreams
    frames: Frames
    reactions: Reactions
    notices: Notices
    own_data: OwnData
    lobby_changes: LobbyChanges
    results: Results
    recording: Recording
    ratings: Ratings
    pages: PlayerPages
    leaderboards: Leaderboards
    programs: Programs
    search: PlayerSearch
    presence: Presence
    notifier: Notifier
    tickets: Tickets
    schedule: Schedule
    pending: PendingNotices
    unrecorded: UnrecordedResults
    jobs: Jobs
    health: HealthCheck
    measures: Measures
    totals: Totals
    survey: Survey
    packing: Packing
    retention: Retention
    expiry: Expiry
    administration: Administration
    watch: ArchiveWatch
    """Checks whether this process can read the archive."""
    redis: RedisClient
    """Carries data that belongs to no game: the counters of rate limits."""

    def settle(self) -> None:
        """Waits until what follows changes that this process has made is done, or left to the sweepers."""
        self.notifier.settle()
        self.jobs.settle()

    def feeds(self) -> Feeds:
        """Assembles the live feeds of games, notices, the lobby, results and queue tickets, for one event loop."""
        origins = (self.game_streams, self.frames, self.notices, self.lobby_changes, self.results, self.queue)
        return Feeds(*origins, self.redis.listening, self.presence.note)


def _logins(players: Players, settings: Settings) -> "Logins | None":
    if not settings.login_jwks:
        return None
    from service.logins import Logins  # what checks tokens takes 20 MB

    return Logins(players, settings)


def build(settings: Settings, limit: TimeLimit = unlimited) -> Service:
    """Assembles the game service, with all its use cases, on the Redis of the settings. It connects on first use.

    `limit` interrupts bots that do not answer. Without it this process must not play their turns.
    """
    archive = Archive(settings.archive_url)
    redis = client_at(settings.redis_url, settings.redis_cluster, replicated=settings.durability == REPLICATED)
    log = EventLog(redis, archive)
    players = Players(redis, settings.registration_key, settings.idle_ms())
    queue_client = connect(settings.queue_redis_url) if settings.queue_redis_url else None
    jobs = Jobs(queue_client or connect(settings.redis_url))
    measures = Measures()
    totals = Totals(redis, measures.registry)
    presence = Presence(redis)
    notifier = Notifier(redis, log)
    changes = Changes(redis, log, jobs, measures, notifier, settings.bot_think_ms, presence)
    admission = Admission(log, changes)
    ratings = Ratings(redis, players)
    tickets = Tickets(redis, admission, players)
    frames = Frames(log, players, admission)
    lobby = Lobby(redis, log, players, changes, presence)
    notices = Notices(redis, lobby, players, tickets)
    tables = Tables(log, players, changes, Invitations(players, lobby), admission, settings.open_games)
    waves = Waves(redis, log, changes, presence, measures)
    queue = Queue(redis, players, tables, waves, measures)
    matches = Matches(redis, players, jobs)
    expiry = Expiry(redis, log, changes, queue, matches, measures, ratings, settings.idle_ms())
    return Service(
        players=players,
        logins=_logins(players, settings),
        lobby=lobby,
        tables=tables,
        blocks=Blocks(redis, players, tables, matches),
        queue=queue,
        waves=waves,
        matches=matches,
        match_waves=MatchWaves(redis, log, changes, presence),
        daily=Deals(redis, log, changes, players, tables),
        day_waves=DayWaves(redis, log, changes, players),
        play=Play(log, players, changes, measures, ThinkBudget(settings.bot_think_ms, time, limit)),
        games=GameReader(log, players, admission),
        deductions=Deductions(log, players, admission),
        hints=Hints(log, players, admission),
        reviews=Reviews(redis, log, players, admission, jobs),
        verifier=Verifier(),
        game_streams=GameStreams(redis, log, players, changes, admission, tickets, frames),
        frames=frames,
        reactions=Reactions(redis, admission),
        notices=notices,
        own_data=OwnData(redis, players, notices),
        lobby_changes=LobbyChanges(log, players, Listing(redis, presence), presence),
        results=Results(redis, log, players),
        recording=Recording(redis, log, players, ratings),
        ratings=ratings,
        pages=PlayerPages(redis, log, players, presence),
        leaderboards=Leaderboards(redis, players),
        programs=Programs(redis, players, presence),
        search=PlayerSearch(players, presence),
        presence=presence,
        notifier=notifier,
        tickets=tickets,
        schedule=Schedule(redis),
        pending=PendingNotices(redis),
        unrecorded=UnrecordedResults(redis),
        jobs=jobs,
        health=HealthCheck(redis),
        measures=measures,
        totals=totals,
        survey=Survey(redis, RedisClient(queue_client) if queue_client else None, jobs, totals),
        packing=Packing(redis, log),
        retention=Retention(redis, log, archive, measures, settings.retain_finished_days),
        watch=ArchiveWatch(redis, archive, measures),
        expiry=expiry,
        administration=Administration(redis, log, players, changes, expiry, presence, ratings),
        redis=redis,
    )
