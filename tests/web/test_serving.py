"""How the table is served: strict, small, kept by browsers, complete."""

import gzip
import json
import re
import subprocess
from pathlib import Path

import pytest

from api import web
from api.app import assemble
from service.settings import Settings

ROOT = Path(__file__).parents[2]
BUDGET = 70 * 1024
"""What a table may take of script and style, as sent."""
NOWHERE = {"http://www.w3.org/2000/svg", "https://billet.invalid/"}
"""Addresses that are names: nothing is ever asked there."""
PAGES = (
    "/",
    "/learn",
    "/games/abc",
    "/replays",
    "/replays/abc",
    "/players/abc",
    "/daily",
    "/daily/standard/2026-01-31",
    "/leaderboards",
    "/leaderboards/standard-5+-days-people",
    "/matches",
    "/matches/abc",
)
SHEETS = ("look/sheet.js", "page/page.css", "verify/index.html")


@pytest.fixture(scope="module")
def client():
    return assemble(Settings()).test_client()


def test_pages_are_bound_by_a_strict_policy(client):
    for path in PAGES:
        answer = client.get(path)
        policy = answer.headers["Content-Security-Policy"]
        assert answer.status_code == 200
        assert "unsafe" not in policy
        assert policy.startswith("default-src 'none'; script-src 'self'; style-src 'self';")
        assert "require-trusted-types-for 'script'" in policy
        assert ("frame-ancestors 'none'" in policy) == (path != "/replays/abc"), (
            "others may show a replay, nothing else"
        )


def test_everything_a_page_names_is_there_and_kept_for_good(client):
    for path in PAGES:
        for name in re.findall(r'(?:href|src)="(?:\.\./)?(web/[^"]+)"', client.get(path).text):
            answer = client.get(f"/{name}")
            assert answer.status_code == 200, name
            assert answer.headers["Cache-Control"] == "public, max-age=31536000"


def test_a_worker_keeps_what_is_there_and_is_another_one_when_that_is(client, monkeypatch):
    for unjoined in (False, True):
        if unjoined:
            monkeypatch.setattr(web, "joined", lambda: False)
        answer = client.get("/sw.js")
        assert answer.headers["Cache-Control"] == "public, max-age=0"
        kept = json.loads(re.match(r"self\.kept = (.+);\n", answer.text)[1])
        assert any("opening" in name for name in kept["files"]), "what is imported when it is needed"
        assert any("verify" in name for name in kept["files"])
        for name in (kept["page"], *kept["files"]):
            assert client.get(f"/{name}").status_code == 200, name
    monkeypatch.setattr(web, "detail", lambda edition, words: f"{edition} with other texts")
    assert json.loads(re.match(r"self\.kept = (.+);\n", client.get("/sw.js").text)[1])["build"] != kept["build"]


def test_a_page_from_before_an_upgrade_gets_what_is_there_now_and_asks_again(client):
    assert client.get("/web/0123/page/start.js").headers["Cache-Control"] == "public, max-age=60"
    assert client.get("/web/0123/page/none.js").status_code == 404
    assert client.get("/web/0123/../__init__.py").status_code == 404


def test_whoever_takes_gzip_gets_it(client):
    answer = client.get("/", headers={"Accept-Encoding": "gzip"})
    assert answer.headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(answer.data) == client.get("/").data


def test_an_installation_may_leave_it_out():
    client = assemble(Settings(web=0)).test_client()
    assert client.get("/").status_code == 404
    assert client.get("/games/abc").status_code == 404


def test_modules_are_served_as_they_are_unless_others_were_made_from_just_these(client, monkeypatch):
    kept, made = web.contents(), web.joined.__wrapped__
    assert f"/{web.JOINED}/start.js" in client.get("/").text
    changed = {**kept, "look/part.js": b"// changed"}
    without = {name: content for name, content in kept.items() if not name.startswith(web.JOINED)}
    for there in (changed, without):
        monkeypatch.setattr(web, "contents", lambda there=there: there)
        monkeypatch.setattr(web, "joined", made)
        assert "/page/start.js" in client.get("/").text


def test_each_joined_file_has_its_map_beside_it(client):
    for name in [name for name in web.contents() if name.startswith("joined/") and name.endswith(".js")]:
        assert web.contents()[name].decode().endswith(f"//# sourceMappingURL={name.partition('/')[2]}.map\n"), name
        assert client.get(f"/web/{web.version()}/{name}.map").json["version"] == 3


def test_a_table_is_within_its_budget(client):
    assert not any(name.startswith(("players/", "matches/", "learn/")) for name in web.modules("page/game.js"))
    names = [*web.modules("joined/game.js"), "page/page.css"]
    assert sum(len(web.compressed(web.contents()[name])) for name in names) <= BUDGET


def test_what_comes_without_the_table_wears_its_colours():
    sheets, early, proof = ((ROOT / "web" / path).read_text() for path in SHEETS)
    pairs = set(re.findall(r"light-dark\((#\w+), (#\w+)\)", sheets))
    assert set(re.findall(r"light-dark\((#\w+), (#\w+)\)", early)) <= pairs
    light, dark = (re.findall(r"--\w+: (#\w+)", theme) for theme in re.findall(r":root {([^}]+)", proof))
    assert set(zip(light, dark, strict=True)) <= pairs


def test_what_is_shipped_of_others_is_what_the_lock_pins():
    checked = subprocess.run(["node", "vendor.mjs", "--check"], cwd=ROOT / "web", capture_output=True, text=True)
    assert checked.returncode == 0, checked.stderr


def test_nothing_is_asked_of_anybody_else():
    for name, content in web.contents().items():
        if not name.startswith(("vendor/", "joined/")) and not name.endswith(".png"):
            assert set(re.findall(r"https?://[^\s\"'`)]+", content.decode())) <= NOWHERE, name


def test_the_package_holds_all_that_its_elements_import():
    packed = subprocess.run(["npm", "pack", "--dry-run", "--json"], cwd=ROOT / "web", capture_output=True, text=True)
    held = {file["path"] for file in json.loads(packed.stdout)[0]["files"]}
    for element in json.loads((ROOT / "web/package.json").read_text())["exports"].values():
        if "*" not in element:
            assert {*web.modules(element.removeprefix("./"))} <= held, element
