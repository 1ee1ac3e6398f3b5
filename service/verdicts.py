"""What verifying a log has shown, as it is told: in plain data, and in words."""

from typing import Any

from service.said import Said
from service.texts.catalogue import Catalogue
from service.verification import Divergence, Verdict


def told(verdict: Verdict, words: Catalogue) -> dict[str, Any]:
    """Returns a verdict as plain data, with its texts in a language."""
    divergence = verdict.divergence
    return {
        "valid": verdict.valid,
        "divergence": _divergence(divergence, words) if divergence is not None else None,
        "unchecked": [
            {"check": one.check, "version": one.version, "text": one.why.written(words)} for one in verdict.unchecked
        ],
        "text": sentence(verdict).written(words),
    }


def sentence(verdict: Verdict) -> Said:
    """Returns a verdict in a sentence."""
    divergence = verdict.divergence
    if divergence is None:
        return Said("log.valid" if verdict.valid else "log.unproven")
    if divergence.version is None:
        return Said("log.divergent_head", {"why": divergence.why})
    return Said("log.divergent", {"version": divergence.version, "why": divergence.why})


def _divergence(divergence: Divergence, words: Catalogue) -> dict[str, Any]:
    return {
        "check": divergence.check,
        "version": divergence.version,
        "expected": divergence.expected,
        "found": divergence.found,
        "text": divergence.why.written(words),
    }
