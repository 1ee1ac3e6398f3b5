"""What tests of golden files share."""

ADVICE = "run `python -m tests.golden.generate` and look at what changed"


def agreeing(shown, stored):
    """Returns what is shown of a game without the members that were not shown when it was stored."""
    if isinstance(stored, dict):
        return {name: agreeing(shown[name], inner) for name, inner in stored.items()}
    if isinstance(stored, list) and len(stored) == len(shown):
        return [agreeing(one, other) for one, other in zip(shown, stored, strict=True)]
    return shown
