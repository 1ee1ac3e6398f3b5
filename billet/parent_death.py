"""Ties the life of a child process to its parent's."""

import ctypes
import os
import signal
import sys
from collections.abc import Callable

_PR_SET_PDEATHSIG = 1
# Resolved at import: looking up a library after a fork is not safe.
_libc = ctypes.CDLL(None, use_errno=True) if sys.platform == "linux" else None


def dies_with(parent: int) -> Callable[[], None]:
    """Returns a `preexec_fn` for a new child process: the kernel kills the child as soon as `parent` is gone.

    Only Linux offers this; elsewhere the function does nothing. The setting survives exec but not fork.
    """

    def bind() -> None:
        if _libc is None:
            return
        _libc.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
        if os.getppid() != parent:  # it died before the setting took effect
            os._exit(1)

    return bind
