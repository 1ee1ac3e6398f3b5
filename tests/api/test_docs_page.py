"""The page that shows the document works without the internet."""

import re


def test_everything_the_page_asks_for_is_served_here(http):
    page = http.get("/docs")
    assert page.content_type.startswith("text/html")
    wanted = re.findall(r'(?:href|src)="([^"]+)"', page.get_data(as_text=True))
    assert len(wanted) >= 5
    for path in wanted:
        if path.startswith("data:"):
            continue
        assert not path.startswith(("http", "/")), "relative, so that a prefix in front of it does no harm"
        assert http.get("/" + path).status_code == 200, path


def test_the_page_may_run_nothing_but_our_own_files(http):
    page = http.get("/docs")
    policy = page.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "script-src 'self';" in policy
    assert not re.search(r"<script(?![^>]*src=)", page.get_data(as_text=True))


def test_a_file_the_browser_has_is_not_sent_again(http):
    first = http.get("/docs/swagger-ui-bundle.js")
    assert first.content_type.startswith("text/javascript")
    assert "Date" not in first.headers, "the server adds it, and one is enough"
    again = http.get("/docs/swagger-ui-bundle.js", headers={"If-None-Match": first.headers["ETag"]})
    assert (again.status_code, again.data) == (304, b"")
