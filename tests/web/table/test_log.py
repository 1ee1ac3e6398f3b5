"""The log beside the table has every line, whatever comes while the page opens, and however long the game is."""

from tests.web.browser import TABLE
from tests.web.tables import PLAY, TURN

SLOWLY = """
const {EventSource: Stream, fetch: ask} = window;
window.received = 0;
window.EventSource = class extends Stream {
  addEventListener(type, take) {
    super.addEventListener(type, (message) => {
      take(message);
      window.received = JSON.parse(message.data).version ?? received;
    });
  }
};
window.fetch = async (url, more) => {
  const history = String(url).includes("/events?");
  const answer = await ask(String(url).replace("limit=1000", "limit=3"), more);
  const held = (go) => { window.release = () => { window.released = true; go(); }; };
  if (history && !window.released) await new Promise(held);
  return answer;
};
"""
"""The history comes in small pages, and the first of them when the test says so; what the stream brings is known."""


def test_no_line_is_lost_that_comes_while_the_table_opens(visitors, api):
    one = visitors()
    player = api.player("Ann")
    one.become(player)
    one.page.add_init_script(SLOWLY)
    game = api.call("POST", "/games", TURN, player["token"])["id"]
    one.visit(f"games/{game}")
    one.page.wait_for_function("() => window.release")
    played = api.call("POST", f"/games/{game}/actions", PLAY, player["token"])["version"]
    one.page.wait_for_function("version => received >= version", arg=played)
    one.page.evaluate("release()")
    one.page.wait_for_function(f"version => {TABLE}.game?.version >= version && {TABLE}.lines.length > 1", arg=played)
    shown = one.page.evaluate(f"{TABLE}.lines.map(({{version, type}}) => [version, type])")
    events = api.call("GET", f"/games/{game}/events?text=true", token=player["token"])["events"]
    silent = ("card_resolved", "decision_taken", "secret_revealed", "time_spent")
    expected = [[event["version"], event["type"]] for event in events if event["text"] and event["type"] not in silent]
    assert [line for line in shown if line[0] <= played] == [line for line in expected if line[0] <= played]
    assert "card_played" in [kind for _, kind in shown]
