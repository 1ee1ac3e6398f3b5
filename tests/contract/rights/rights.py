"""Who may do what with which game. What is not named here nobody may do, and an operation that is not fails."""

from typing import NamedTuple

VISIBILITIES = ("public", "unlisted")
SEALED = "sealed"
"""A game of a match that has ended, whose deck another one will be dealt."""
KINDS = ("open", "waiting", "active", "sandbox", "finished", "aborted", "archived", "damaged", SEALED)
BEFORE_THE_START = ("open", "waiting")
RUNNING = ("active", "sandbox")
BEGUN = ("active", "sandbox", "finished", "aborted", "archived", SEALED)
ENDED = ("finished", "aborted", "archived")

SEATED = ("seated", "other")
UNINVITED = ("watcher", "login", "program", "code_holder")
"""Who has no seat yet, and no reason why they may not take one."""
UNWANTED = ("removed", "blocked")
"""Whom the creator does not want at the table; they know its join code."""
PLAYERS = ("creator", *SEATED, *UNINVITED, *UNWANTED)
"""Who has a token of a player that is accepted."""
REGISTERED = tuple(one for one in PLAYERS if one != "login")
"""Who has that token from this service."""
ANYBODY = (*PLAYERS, "nobody", "banned", "operator", "ticket_holder")
"""Who may call what asks for no token, whatever they send."""
PEOPLE = tuple(one for one in PLAYERS if one != "program")
"""Who has that token and is no program."""
LOOKING = (*PLAYERS, "nobody", "ticket_holder")
"""Who may call what takes a token, but does not need one: one that is not accepted is worse than none."""
KNOWING_THE_CODE = ("creator", *SEATED, *UNWANTED, "code_holder")
"""Who may look at an unlisted game; for a stream a ticket does it too."""


class Change(NamedTuple):
    """What an operation does to the logs when certain people call it, for games of certain kinds."""

    does: str
    who: tuple[str, ...]
    kinds: tuple[str, ...]
    visibilities: tuple[str, ...] = VISIBILITIES


def changes(who: tuple[str, ...], *kinds: str, visibilities: tuple[str, ...] = VISIBILITIES) -> Change:
    """The log of the game goes on."""
    return Change("changes", who, kinds, visibilities)


def opens(who: tuple[str, ...], *kinds: str, visibilities: tuple[str, ...] = VISIBILITIES) -> Change:
    """Another game begins; the log of this one stays as it is."""
    return Change("opens", who, kinds, visibilities)


class Right(NamedTuple):
    """What an operation is to whom."""

    answers: tuple[str, ...]
    """Whom it does not refuse, whatever the game."""
    does: tuple[Change, ...] = ()
    """Who changes something by it; they are not refused either."""
    of_game: bool = False
    """Whether it reads the game: then those who `answers` names need the join code if it is unlisted, and it must not
    be damaged."""
    kinds: tuple[str, ...] = KINDS
    """The kinds of games that it answers about."""
    rules: bool = False
    """Whether its answer speaks of cards in general, the same for everybody whatever lies in a game."""
    whole: bool = False
    """Whether it tells all cards of a game, which has ended; tokens even then to nobody."""

    @property
    def is_about_no_game(self) -> bool:
        """Whether the answer is the same for everybody and depends on no game."""
        return self.answers == ANYBODY and not self.does

    def may(self, who: str, kind: str, visibility: str, *, with_ticket: bool) -> bool:
        """Returns whether somebody is not refused, if what they ask for is there."""
        if who not in self.answers or not self.of_game:
            return who in self.answers
        if kind == SEALED:
            return who in SEATED and kind in self.kinds
        knows = visibility == "public" or who in KNOWING_THE_CODE or (with_ticket and who == "ticket_holder")
        return knows and kind in self.kinds and kind != "damaged"

    def change(self, who: str, kind: str, visibility: str) -> str | None:
        """Returns what somebody changes; None for nothing."""
        found = [
            one.does for one in self.does if who in one.who and kind in one.kinds and visibility in one.visibilities
        ]
        return found[0] if found else None


def may_see_as(seen: str | None, who: str, seat: int | None, kind: str) -> bool:
    """Returns whether somebody on a seat, or on none, may see a game as a seat does, or with all hidden cards.

    `seen` is as the parameter `as` says it; None is as oneself.
    """
    return seen in (None, str(seat)) or kind in ENDED or (kind == "sandbox" and who == "creator")


def reads(who: tuple[str, ...] = LOOKING, kinds: tuple[str, ...] = KINDS) -> Right:
    return Right(who, of_game=True, kinds=kinds)


NOBODY: tuple[str, ...] = ()
WAITING = ("seated",)
"""Who has the queue ticket that everybody asks about."""
INVITED = ("program",)
"""Who is to play the match that everybody asks about; the creator of the game has made it."""
OPERATOR = ("operator",)
LEAVING = (changes(SEATED, "open", *RUNNING), changes(("creator",), "open"))
"""Nobody leaves while nonces are awaited; that ends by itself."""
PUT_OUT = (changes(OPERATOR, "open", *RUNNING),)
"""An operator bans or erases a seated player, who then leaves."""

RIGHTS = {
    # --- players ---
    "registerPlayer": Right(ANYBODY),
    "getMe": Right(PLAYERS),
    "renamePlayer": Right(PLAYERS),
    "eraseMe": Right(PLAYERS, LEAVING),
    "getMyData": Right(PLAYERS),
    "rotateToken": Right(REGISTERED),
    "listMyGames": Right(PLAYERS),
    "listBlocks": Right(PLAYERS),
    "blockPlayer": Right(PLAYERS),
    "unblockPlayer": Right(PLAYERS),
    "declineInvitations": Right(PLAYERS),
    "listNotices": Right(PLAYERS),
    "streamNotices": Right((*PLAYERS, "ticket_holder")),
    "createNoticeTicket": Right(PLAYERS),
    "joinQueue": Right(PLAYERS),
    "getQueueTicket": Right(WAITING),
    "leaveQueue": Right(WAITING),
    "createMatch": Right(PLAYERS),
    "changeMatch": Right(("creator",)),
    "endMatch": Right(("creator",)),
    "acceptMatch": Right(INVITED),
    "declineMatch": Right(INVITED),
    # --- what is the same for all ---
    "listEditions": Right(ANYBODY, rules=True),
    "getEdition": Right(ANYBODY, rules=True),
    "listBots": Right(ANYBODY, rules=True),
    "verifyLog": Right(ANYBODY),
    "getHealth": Right(ANYBODY),
    "getReadiness": Right(NOBODY),  # there are no workers here
    "getMetrics": Right(ANYBODY),
    # --- tables ---
    "listGames": Right(LOOKING),
    "streamLobby": Right(LOOKING),
    "getPlayer": Right(LOOKING),
    "getRatings": Right(LOOKING),
    "listPlayerGames": Right(LOOKING),
    "listPrograms": Right(LOOKING),
    "findPlayers": Right(LOOKING),
    "listMatches": Right(LOOKING),
    "getMatch": Right(LOOKING),
    "listMatchGames": Right(LOOKING),
    "getMatchTable": Right(LOOKING),
    "listDailyDeals": Right(LOOKING),
    "getDailyDeal": Right(LOOKING),
    "tryDailyDeal": Right(
        NOBODY,
        (
            opens(PEOPLE, *(kind for kind in KINDS if kind != SEALED)),
            opens(tuple(one for one in PEOPLE if one not in (*SEATED, "other")), SEALED),  # those are programs
        ),
    ),
    "getPastDailyDeal": Right(NOBODY),  # nobody has tried that of the example
    "listLeaderboards": Right(ANYBODY),
    "getLeaderboard": Right(LOOKING),
    "listResults": Right(LOOKING),
    "streamResults": Right(LOOKING),
    "createGame": Right(PLAYERS, (opens(PLAYERS, *KINDS),)),
    "abortGame": Right(NOBODY, (changes(("creator",), *BEFORE_THE_START),)),
    "takeSeat": Right(
        NOBODY,
        (
            changes(("creator", *UNINVITED), "open", visibilities=("public",)),
            changes(("creator", "code_holder"), "open", visibilities=("unlisted",)),
        ),
    ),
    "joinByCode": Right(NOBODY, (changes(("creator", "code_holder"), "open", visibilities=("unlisted",)),)),
    "revealNonce": Right(NOBODY, (changes(SEATED, "waiting"),)),
    "leaveGame": Right(NOBODY, (changes(SEATED, "open", *RUNNING),)),
    "takeBreak": Right(NOBODY),  # no game here is by the day: `takes_break` in `test_statuses.py` takes some
    "clearSeat": Right(NOBODY, (changes(("creator",), "open"),)),
    "createRematch": Right(NOBODY, (opens(("creator", *SEATED), *ENDED), opens(SEATED, SEALED))),
    "forkGame": Right(
        NOBODY,
        (
            opens(PLAYERS, *ENDED, visibilities=("public",)),
            opens(KNOWING_THE_CODE, *ENDED, visibilities=("unlisted",)),
        ),
    ),
    "submitAction": Right(NOBODY, (changes(("seated",), *RUNNING),)),
    "sendReaction": Right(SEATED, of_game=True),
    # --- reading a game ---
    "getGame": reads(),
    "listEvents": reads(),
    "listRounds": reads(),
    "getDeductions": reads(kinds=BEGUN),
    "getReview": Right(LOOKING, of_game=True, kinds=ENDED),
    "getHint": Right(("seated",), of_game=True, kinds=RUNNING),
    "streamEvents": reads(),
    "listFrames": reads(),
    "streamFrames": reads(),
    "getLog": Right(LOOKING, of_game=True, kinds=ENDED, whole=True),
    "createTicket": reads(PLAYERS),
    # --- operators ---
    "adminListPlayers": Right(OPERATOR),
    "adminBanPlayer": Right(OPERATOR, PUT_OUT),
    "adminUnbanPlayer": Right(OPERATOR),
    "adminErasePlayer": Right(OPERATOR, PUT_OUT),
    "adminAbortGame": Right(NOBODY, (changes(OPERATOR, *BEFORE_THE_START, *RUNNING),)),
    "adminDeleteGame": Right(NOBODY, (Change("removes", OPERATOR, KINDS),)),
}
