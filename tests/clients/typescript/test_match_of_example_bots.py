"""The example bots play a match with each other, which they accept as they do games."""

from contextlib import closing

from tools.players.calls import Client
from tools.players.example_bots import playing
from tools.testbed.waiting import wait_until


def test_a_rated_match_of_both_is_played_though_one_was_away_when_it_was_invited(project, served, tmp_path):
    with (
        closing(Client(served.base)) as asking,
        playing(served.base, tmp_path, project.built / "programs/bot.mjs") as bots,
    ):
        ids = [bot.me() for bot in bots]
        # Whoever has not described itself yet accepts no rated games.
        described = [lambda one=one: asking.get(f"/v1/players/{one}").json()["program"] for one in ids]
        assert [wait_until(one)["accepts"]["rated"] for one in described] == [True, True]
        bots[0].kill()
        ann = asking.post("/v1/players", {"name": "Ann"}).json()["token"]
        body = {
            "name": "Both languages",
            "edition": "lovecraft",
            "entrants": [{"player": one} for one in ids],
            "seats": 2,
            "games": 4,
            "deals": "fresh",
            "clock": {"seconds": 60},
            "rated": True,
        }
        made = asking.post("/v1/matches", body, headers={"Authorization": f"Bearer {ann}"}).json()
        assert made["state"] == "invited"
        bots[0].start()

        def over():
            for bot in bots:
                bot.check()
            found = asking.get(f"/v1/matches/{made['id']}").json()
            return found if found["state"] == "ended" else None

        ended = wait_until(over, seconds=300)
        assert [one["games"] for one in ended["standings"]] == [4, 4]
        assert sum(one["share"] for one in ended["standings"]) == 1
        for one in ids:
            pools = wait_until(lambda one=one: asking.get(f"/v1/players/{one}/ratings").json()["items"])
            assert [pool["pool"] for pool in pools] == ["lovecraft-2-live-programs"]
