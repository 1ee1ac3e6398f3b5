"""Attacks on other people: their invitations, their tables, their names."""

from tools.attack.target import OTHER, Target


def wrong_codes(target: Target) -> None:
    """Tries 400 join codes at somebody else's table; who has the right one must still get in."""
    game = target.table(target.player(OTHER), address=OTHER, visibility="unlisted")
    path = f"/v1/games/{game['id']}"
    target.many(400, lambda i: target.call("GET", f"{path}?join_code=WRONG{i:03}"))
    status, _ = target.call("GET", f"{path}?join_code={game['join_code']}", address=OTHER)
    assert status == 200, f"the right code was answered {status}"


def invitations(target: Target) -> None:
    """Invites one person to 200 tables of five players, which fills their list."""
    victim = target.player(OTHER).partition(".")[0]
    tokens = [target.player() for _ in range(5)]
    seats = [{"kind": "creator"}, {"kind": "invited", "player": victim}]
    target.many(200, lambda i: target.call("POST", "/v1/games", {"edition": "standard", "seats": seats}, tokens[i % 5]))


def names(target: Target) -> None:
    """Registers under names that nobody can see or that turn round the text beside them."""
    for name in ("\u061cAnn", "\u3164", "A\u202enn", "\u2800", "\U000e0041"):
        status, _ = target.call("POST", "/v1/players", {"name": name})
        assert status == 422, f"{name!a} was answered {status}"


ATTACKS = (wrong_codes, invitations, names)
