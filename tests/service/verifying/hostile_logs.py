"""Texts that are sent to be verified and are no logs: each takes as much memory or time as its bytes can be made to."""

from collections.abc import Mapping
from functools import cache
from typing import Final

LENGTH: Final = 4 * 1024 * 1024
"""In bytes, unpacked: as long as a service accepts unless it is told otherwise."""
HEAD: Final = b'{"format":"billet-log","format_version":1,"events":'


def repeated(piece, length=LENGTH, head=HEAD + b"[", tail=b"0]}"):
    """Returns a text that holds a piece as often as fits."""
    return head + piece * ((length - len(head) - len(tail)) // len(piece)) + tail


@cache
def texts(length=LENGTH) -> Mapping[str, bytes]:
    """Returns the texts by what there is so much of in each."""
    deep = 30
    return {
        "lists in lists": repeated(b"[" * deep + b"]" * deep + b",", length),
        "objects in objects": repeated(b'{"":' * (deep - 1) + b"0" + b"}" * (deep - 1) + b",", length),
        "empty lists": repeated(b"[],", length),
        "empty objects": repeated(b"{},", length),
        "long numbers": repeated(b"1234567890123456,", length),
        "one longer number": HEAD + b"9" * (length - len(HEAD) - 1) + b"}",
        "other names": HEAD + b"{" + b",".join(b'"%x":0' % i for i in range(length // 11)) + b"}}",
        "empty lines": HEAD[:-10] + b"}\n" + b"\n" * (length - len(HEAD)),
        "lines of lists": HEAD[:-10] + b"}\n" + b"[]\n" * ((length - len(HEAD)) // 3),
        "deeper than any stack": HEAD + b"[" * (length - len(HEAD)),
        "escaped characters": HEAD + b'"' + b"\\ud83d\\ude00" * ((length - len(HEAD)) // 12 - 1) + b'"}',
        "one list in an event": repeated(
            b"0,",
            length,
            HEAD + b'[{"version":1,"v":1,"type":"game_started","at":"2026-01-01T00:00:00.000Z","data":[',
            b"0]}]}",
        ),
    }
