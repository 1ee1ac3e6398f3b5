"""Renders the verdict on a log as plain data and as a sentence."""

from typing import Any

from games.messages import Message
from games.records.verification import Divergence, Verdict
from games.texts.catalogue import Catalogue


def as_data(verdict: Verdict, words: Catalogue) -> dict[str, Any]:
    """Returns the verdict on a verified log as plain data, with its texts in a language."""
    divergence = verdict.divergence
    return {
        "valid": verdict.valid,
        "divergence": _divergence(divergence, words) if divergence is not None else None,
        "unchecked": [
            {"check": one.check, "version": one.version, "text": one.why.written(words)} for one in verdict.unchecked
        ],
        "unproven": list(verdict.unproven),
        "text": sentence(verdict).written(words),
    }


def sentence(verdict: Verdict) -> Message:
    """Returns the verdict on a verified log in a sentence."""
    divergence = verdict.divergence
    if divergence is None:
        return Message("log.valid" if verdict.valid else "log.unproven")
    if divergence.version is None:
        return Message("log.divergent_head", {"why": divergence.why})
    return Message("log.divergent", {"version": divergence.version, "why": divergence.why})


def _divergence(divergence: Divergence, words: Catalogue) -> dict[str, Any]:
    return {
        "check": divergence.check,
        "version": divergence.version,
        "expected": divergence.expected,
        "found": divergence.found,
        "text": divergence.why.written(words),
    }
