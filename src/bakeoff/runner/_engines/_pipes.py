"""Messages over pipes: a length, then a pickle. Only ever between a run and the workers it started itself."""

from __future__ import annotations

import pickle
import struct
from typing import IO, Any

_LENGTH = struct.Struct("<Q")


def send(pipe: IO[bytes], message: Any) -> None:
    """Write one message and flush it."""
    body = pickle.dumps(message, protocol=5)
    pipe.write(_LENGTH.pack(len(body)) + body if len(body) < 2**16 else _LENGTH.pack(len(body)))
    if len(body) >= 2**16:
        pipe.write(body)
    pipe.flush()


def receive(pipe: IO[bytes]) -> Any:
    """Read one message; EOFError when the other side is gone."""
    (length,) = _LENGTH.unpack(_exactly(pipe, _LENGTH.size))
    return pickle.loads(_exactly(pipe, length))


def _exactly(pipe: IO[bytes], size: int) -> bytes:
    """Read so many bytes, also from a pipe without a buffer, which gives what it has."""
    parts, missing = [], size
    while missing:
        part = pipe.read(missing)
        if not part:
            raise EOFError
        parts.append(part)
        missing -= len(part)
    return parts[0] if len(parts) == 1 else b"".join(parts)
