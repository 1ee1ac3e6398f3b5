"""What a page asks for until it can be used: few files, once each, and not much."""

from urllib.parse import urlparse

from tests.web.tables import MIDDLE

BYTES = """() => performance.getEntries().reduce((sum, entry) => sum + (entry.transferSize ?? 0), 0)"""
"""With the headers, as the browser has counted them."""
PATIENT = """
const wait = window.setTimeout;
window.setTimeout = (go, ms, ...more) => (ms === 500 ? 0 : wait(go, ms, ...more));
"""
"""What leads to a stream is asked for once more after half a second without an answer, which never passes here."""


def asked(one):
    """The paths that were asked for, each once."""
    paths = [urlparse(url).path for _, url in one.requests if url.startswith(one.base)]
    assert len(set(paths)) == len(paths), paths
    return paths


def test_a_first_look_at_the_start_page_takes_few_requests(visitors):
    one = visitors(fresh=True)
    one.visit()
    one.page.locator("billet-start button.main").first.wait_for()
    one.page.wait_for_load_state("networkidle")
    paths = asked(one)
    print(len(paths), paths, one.page.evaluate(BYTES))
    assert len(paths) <= 15, paths


def test_a_first_look_at_a_table_takes_few_requests(visitors, api):
    one = visitors(fresh=True)
    one.page.add_init_script(PATIENT)
    one.open_table(api, MIDDLE)
    paths = asked(one)
    print(len(paths), paths, one.page.evaluate(BYTES))
    assert len(paths) <= 20, paths
