"""Liveness, readiness and health for operators."""

from api.schemas.fields.base import Flag, Integer, OpenObject, Text


class Health(OpenObject):
    """A sign of life."""

    status = Text("`ok`.")


class Readiness(OpenObject):
    """Whether games can be played."""

    redis = Flag("Whether Redis answers.")
    worker = Flag("Whether at least one worker is alive.")
    writes = Flag("Whether Redis takes writes; on a cluster, whether every node does.")
    age_seconds = Integer("Seconds since this was checked: 0 or 1, and a few more while Redis hangs.")
