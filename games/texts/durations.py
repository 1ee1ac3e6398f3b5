"""Formats lengths of time, in every language alike."""


def duration(ms: int) -> str:
    """Returns milliseconds as texts show them, in whole seconds: 0:09, 12:40, 26:00:00."""
    minutes, seconds = divmod(ms // 1000, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"
