"""Pages of players and leaderboards: what they show, from any place, and what a player hides."""

import pytest

from games.ratings.pools import POOLS, RatedGame
from games.ratings.standing import DAY_MS
from service.lobby import page_cursor
from service.results.player_pages import HISTORY, ONLINE, ONLINE_MS, RATINGS
from service.store.ratings.stored_pools import StoredPool
from tests.service.at_table import EN, Game, guest, nearly_won, refusal
from tests.service.ratings.rated_games import POOL, rated, recorded, steady


def page(service, player, token=None):
    return service.pages.page(token, player.id, EN)


def ids(listed):
    return [game["id"] for game in listed["items"]]


def test_a_page_says_who_it_is_and_what_came_of_the_games(service):
    game = rated(service)
    ann, ben = game.guests[0], game.guests[1]
    with_bots = Game.open(service, "open", "random")
    service.tables.take_seat(ann.token, with_bots.id, {}, words=EN)
    service.tables.leave(ann.token, with_bots.id, words=EN)
    recorded(service, game, with_bots)
    found = page(service, ann)
    assert (found["id"], found["name"], found["kind"]) == (ann.id, "Ann", "human")
    assert found["record"] == {
        "people": {"won": 1, "shared": 0, "lost": 0},
        "programs": {"won": 0, "shared": 0, "lost": 0},
        "bots": {"won": 0, "shared": 0, "lost": 1},
    }
    assert [game["id"] for game in found["games"]] == [with_bots.id, game.id]
    (standing,) = found["ratings"]
    assert standing == {
        "pool": POOL,
        "rank": None,
        "rating": standing["rating"],
        "deviation": standing["deviation"],
        "games": 1,
        "provisional": True,
    }
    assert standing["rating"] > 1500 > page(service, ben)["ratings"][0]["rating"]


def test_games_that_do_not_count_are_in_no_record(service):
    ann = guest(service)
    for more in ({"visibility": "unlisted"}, {"sandbox": nearly_won("standard", 2)}):
        game = Game.begin(service, **more).cut_short()
        recorded(service, game)
        assert page(service, game.guests[0])["record"]["people"] == {"won": 0, "shared": 0, "lost": 0}
        assert page(service, game.guests[0])["games"] == []
    assert page(service, ann)["ratings"] == []


def test_a_record_counts_each_game_once_and_none_that_is_removed(service):
    game = rated(service)
    recorded(service, game, game)
    assert page(service, game.guests[0])["record"]["people"]["won"] == 1
    service.administration.delete(game.id)
    found = page(service, game.guests[0])
    assert (found["record"]["people"]["won"], found["games"], found["ratings"]) == (0, [], [])


def test_who_is_not_there_has_no_page(service):
    ann = guest(service)
    service.administration.erase(ann.id)
    for player in (ann.id, "nobody", "bot-cautious"):
        for call in (service.pages.page, service.pages.games):
            assert refusal(call, None, player, words=EN).code == "not_found"
        assert refusal(service.pages.ratings, None, player).code == "not_found"
    assert refusal(service.pages.page, "no.token", guest(service).id, EN).code == "unauthenticated"


def test_one_is_online_for_five_minutes_after_having_been_seen(service, clock):
    ann = guest(service)
    assert page(service, ann)["online"] is False
    service.presence.note(ann.id)
    assert page(service, ann)["online"] is True
    clock.advance(ONLINE_MS / 1000)
    assert page(service, ann)["online"] is False


@pytest.mark.parametrize(
    ("hidden", "members"), [(ONLINE, ["online"]), (HISTORY, ["record", "games"]), (RATINGS, ["ratings"])]
)
def test_what_a_player_hides_only_the_player_sees(service, hidden, members):
    game = rated(service)
    recorded(service, game)
    ann = game.guests[0]
    before = page(service, ann)
    assert service.players.change(ann.token, hidden=[hidden])["hidden"] == [hidden]
    assert service.players.me(ann.token)["hidden"] == [hidden]
    assert page(service, ann) == before | dict.fromkeys(members)
    assert page(service, ann, game.guests[1].token) == page(service, ann)
    assert page(service, ann, ann.token) == before
    assert bool(ids(service.pages.games(None, ann.id, EN))) == (hidden != HISTORY)
    assert bool(service.pages.ratings(None, ann.id)["items"]) == (hidden != RATINGS)
    service.players.change(ann.token, name="Anna")
    assert page(service, ann)["name"] == "Anna"
    assert service.own_data.of(ann.token)["hidden"] == [hidden]
    service.players.change(ann.token, name="Ann", hidden=[])
    assert page(service, ann) == before


def test_games_can_be_chosen_and_paged(service):
    ann, ben, cleo = (guest(service, name) for name in ("Ann", "Ben", "Cleo"))
    games = [rated(service, *pair) for pair in [(ann, ben), (ben, ann), (ann, cleo), (cleo, ann), (ann, ben)]]
    recorded(service, *games)
    newest = [game.id for game in reversed(games)]
    assert ids(service.pages.games(None, ann.id, EN)) == newest

    def chosen(**more):
        return ids(service.pages.games(None, ann.id, EN, **more))

    assert chosen(result="won") == [games[4].id, games[2].id, games[0].id]
    assert chosen(result="lost") == [games[3].id, games[1].id]
    assert chosen(result="shared") == []
    assert chosen(against=cleo.id) == [games[3].id, games[2].id]
    assert chosen(against=ann.id) == []
    assert chosen(edition="classic") == []
    assert chosen(edition="standard", against=ben.id, result="won") == [games[4].id, games[0].id]
    read, cursor = [], None
    while True:
        part = service.pages.games(None, ann.id, EN, limit=2, cursor=cursor)
        read += ids(part)
        cursor = part["next_cursor"]
        if cursor is None:
            break
    assert read == newest
    assert refusal(service.pages.games, None, ann.id, EN, cursor="x").code == "invalid_request"


def test_a_history_has_a_point_for_each_game(service, clock):
    ann, ben = guest(service, "Ann"), guest(service, "Ben")
    games = []
    for _ in range(3):
        clock.advance(60)
        games += recorded(service, rated(service, ann, ben))
    (found,) = service.pages.ratings(None, ann.id)["items"]
    assert [point["game"] for point in found["history"]] == [game.id for game in games]
    assert found["history"][-1]["rating"] == found["rating"]
    assert found["history"][-1]["ended_at"] == games[-1].view()["finished_at"]
    assert service.pages.ratings(None, ann.id, POOL)["items"] == [found]
    assert service.pages.ratings(None, ann.id, POOLS[-1])["items"] == []
    assert refusal(service.pages.ratings, None, ann.id, "chess").code == "not_found"


# --- leaderboards ---


@pytest.fixture
def ranked(service):
    """The ids of players who are on a leaderboard, the strongest first."""
    players = [guest(service, f"P{n}") for n in range(10)]
    stored = StoredPool(service.redis, POOL)
    number = 0
    for day in range(150):
        turned = [*players[day % 9 :], *players[: day % 9]]
        for one, other in zip(turned[::2], turned[1::2], strict=True):
            number += 1
            places = (1, 2) if (number * 7) % 10 else (2, 1)
            stored.add(RatedGame(f"game{number:04}", (20_000 + day) * DAY_MS, (one.id, other.id), places))
    assert service.ratings.fold(POOL, 60)
    return {one.id: one for one in players}, stored.page(0, 100)[0]


def test_leaderboards_are_listed_with_their_numbers_of_players(service, ranked):
    _, order = ranked
    boards = {board["pool"]: board for board in service.leaderboards.all()["items"]}
    assert boards.keys() == {*POOLS}
    assert boards[POOL] == {
        "pool": POOL,
        "edition": "standard",
        "size": "2",
        "pace": "days",
        "kind": "people",
        "players": len(order),
    }
    assert boards["premium-3-4-live-programs"]["size"] == "3-4"


def test_a_leaderboard_is_read_forwards_backwards_and_around_a_player(service, ranked):
    players, order = ranked
    assert len(order) == len(players)

    def read(**more):
        return service.leaderboards.page(None, POOL, limit=4, **more)

    first = read()
    assert [item["player"]["id"] for item in first["items"]] == order[:4]
    assert [item["rank"] for item in first["items"]] == [1, 2, 3, 4]
    ratings = [item["rating"] for item in first["items"]]
    assert ratings == sorted(ratings, reverse=True)
    assert first["previous_cursor"] is None
    second = read(cursor=first["next_cursor"])
    assert [item["rank"] for item in second["items"]] == [5, 6, 7, 8]
    assert read(cursor=second["previous_cursor"]) == first
    last = read(cursor=second["next_cursor"])
    assert ([item["player"]["id"] for item in last["items"]], last["next_cursor"]) == (order[8:], None)
    assert read(cursor=last["previous_cursor"]) == second
    around = read(around=order[5])
    assert [item["rank"] for item in around["items"]] == [4, 5, 6, 7]
    assert read(around=order[5], cursor=first["next_cursor"]) == second
    own = service.leaderboards.page(players[order[5]].token, POOL, limit=4, around="me")
    assert own == around
    assert read(around=order[0])["items"] == first["items"]


def test_who_is_not_ranked_cannot_be_looked_around(service, ranked):
    ann = guest(service)
    read = service.leaderboards.page
    assert refusal(read, ann.token, POOL, around="me").code == "not_found"
    assert refusal(read, None, POOL, around="me").code == "unauthenticated"
    assert refusal(read, None, POOL, around=ann.id).code == "not_found"
    assert refusal(read, None, "chess-2-live-people").code == "not_found"
    assert refusal(read, None, POOL, cursor="x").code == "invalid_request"
    assert [item["rank"] for item in read(None, POOL, limit=1, cursor=page_cursor(0, -5, ""))["items"]] == [1]
    assert read(None, POOL, cursor=page_cursor(0, 2**62, ""))["items"] == []


def test_who_hides_ratings_is_on_no_leaderboard_until_they_show_them(service, clock):
    ann, ben = steady(service, clock)
    before = service.leaderboards.page(None, POOL)

    def shown():
        return {item["player"]["id"] for item in service.leaderboards.page(None, POOL)["items"]}

    service.players.change(ann.token, hidden=["ratings"])
    service.ratings.list_again(ann.id)
    assert shown() == {ben.id}
    clock.advance(60)
    recorded(service, rated(service, ann, ben))
    assert shown() == {ben.id}
    service.players.change(ann.token, hidden=[])
    service.ratings.list_again(ann.id)
    assert shown() == {ann.id, ben.id}
    assert before["players"] == 2


def test_who_is_banned_is_on_no_leaderboard_until_the_ban_is_lifted(service, clock):
    ann, ben = steady(service, clock)

    def shown():
        return {item["player"]["id"] for item in service.leaderboards.page(None, POOL)["items"]}

    game = rated(service, ann, ben)
    service.administration.ban(ann.id)
    assert shown() == {ben.id}
    recorded(service, game)
    assert shown() == {ben.id}, "also when another game of theirs is counted"
    service.administration.unban(ann.id)
    assert shown() == {ann.id, ben.id}


def test_a_player_who_was_away_for_long_is_provisional_again(service, clock):
    ann, _ = steady(service, clock)
    clock.advance(3 * 365 * 86_400)
    (item, *_) = [one for one in service.leaderboards.page(None, POOL)["items"] if one["player"]["id"] == ann.id]
    assert item["provisional"]
    assert page(service, ann)["ratings"][0]["provisional"]
