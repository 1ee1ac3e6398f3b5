"""Joins pictures in WebP to one that moves: https://developers.google.com/speed/webp/docs/riff_container."""

from collections.abc import Sequence

LOOPS = 3
"""How often the animation plays; then it stops, so that it does not distract readers."""


def moving(pictures: Sequence[tuple[bytes, int]], width: int, height: int) -> bytes:
    """Returns an animation of pictures of one size, each with the milliseconds that it is shown."""
    size = _number(width - 1, 3) + _number(height - 1, 3)
    extended = _chunk(b"VP8X", bytes([2, 0, 0, 0]) + size)
    frames = [_chunk(b"ANMF", bytes(6) + size + _number(shown, 3) + b"\0" + _image(one)) for one, shown in pictures]
    return _chunk(b"RIFF", b"WEBP" + extended + _chunk(b"ANIM", bytes(4) + _number(LOOPS, 2)) + b"".join(frames))


def _image(picture: bytes) -> bytes:
    """Returns the chunk of a picture that holds its image."""
    at = 12
    while picture[at : at + 4] not in (b"VP8 ", b"VP8L"):
        at += 8 + _padded(int.from_bytes(picture[at + 4 : at + 8], "little"))
    return picture[at : at + 8 + _padded(int.from_bytes(picture[at + 4 : at + 8], "little"))]


def _chunk(name: bytes, content: bytes) -> bytes:
    return name + _number(len(content), 4) + content + b"\0" * (len(content) % 2)


def _number(value: int, size: int) -> bytes:
    return value.to_bytes(size, "little")


def _padded(size: int) -> int:
    return size + size % 2
