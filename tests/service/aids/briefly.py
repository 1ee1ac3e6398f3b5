"""Reviews that take little time."""

from games.aids import judging


def judge_briefly(monkeypatch):
    """Has the expert think for a twentieth of the time about each choice of a review."""
    for name in ("SEARCH_MS", "COMPARE_MS", "CHANCES_MS"):
        monkeypatch.setattr(judging, name, getattr(judging, name) // 20)
