"""The calls of operators over HTTP: off without a token, refused with another, and each one leaves a line."""

from api import create_app
from service.settings import Settings
from tests.contract.checked import Checked

TOKEN = "an-operators-token-of-more-than-32-characters"


def calls(client, token, player):
    return [
        client.get("/v1/admin/players?name=Secretive", token),
        client.post(f"/v1/admin/players/{player}/ban", token),
        client.post(f"/v1/admin/players/{player}/unban", token),
        client.post("/v1/admin/games/nothing/abort", token),
        client.delete("/v1/admin/games/nothing", token),
    ]


def test_only_the_operators_token_opens_and_every_call_leaves_a_line(redis_url, caplog):
    open_one, closed = (Checked(create_app(Settings(redis_url=redis_url, admin_token=token))) for token in (TOKEN, ""))
    made = open_one.post("/v1/players", json={"name": "Secretive"}).json
    player, own = made["player"]["id"], made["token"]
    for client, token, status in ((closed, TOKEN, 404), (closed, None, 404), (open_one, own, 401)):
        assert [answer.status_code for answer in calls(client, token, player)] == [status] * 5
    for token in (None, TOKEN[:-1], TOKEN + "x"):
        refused = calls(open_one, token, player)
        assert [answer.status_code for answer in refused] == [401] * 5
        if token is not None:
            assert {answer.json["detail"] for answer in refused} == {"This is not the operator's token."}
    assert [answer.status_code for answer in calls(open_one, TOKEN, player)] == [200, 200, 200, 404, 404]
    lines = [record.getMessage() for record in caplog.records if record.name == "billet.audit"]
    assert len(lines) == 7 * 5
    assert lines[-5:] == [
        "admin players -: 200 done",
        f"admin ban {player}: 200 done",
        f"admin unban {player}: 200 done",
        "admin abort nothing: 404 not_found",
        "admin delete nothing: 404 not_found",
    ]
    assert lines[1] == f"admin ban {player}: 404 not_found"
    assert lines[11] == f"admin ban {player}: 401 unauthenticated"
    assert not [text for text in (TOKEN, own, "Secretive") if text in caplog.text]
