"""Seals: a file of a store carries a checksum of all its bytes, so that a flipped bit is damage and not another score.

The checksum stands in the file's own footer. While it is computed, zeros stand in its place; so it covers rows, footer
and schema, and no second file has to be kept. Files of before there were seals have none: they are read as they are.
"""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

from bakeoff._core.errors import EvidenceError

SOUND, UNVERIFIED, DAMAGED = "sound", "unverified", "damaged"
_SIZE = 16
BLANK = "0" * (2 * _SIZE)
_MARK = b'"checksum": "'
_ENDING = b"PAR1"
_NEXT_TEXT = b"\x18"
_LARGEST_FOOTER = 2**28
_CHUNK = 2**20


def seal(content: bytes) -> bytes:
    """Put the checksum of a Parquet file's bytes in the place that was left blank for it."""
    at = content.rfind(_MARK) + len(_MARK)
    return content[:at] + _checksum(content).encode() + content[at + len(BLANK) :]


def seal_file(path: Path) -> None:
    """Seal a file that is written but has not got its name yet, without holding it in memory."""
    start, footer, _ = _footer(path)
    at = start + footer.rfind(_MARK) + len(_MARK)
    total = _hash_file(path, start, footer)
    with open(path, "rb+") as file:
        file.seek(at)
        file.write(total.encode())
        file.flush()
        os.fsync(file.fileno())


def examine(path: Path) -> tuple[str, str]:
    """Return whether a file is sound, unverified (it has no seal) or damaged, and what is wrong with it."""
    status, reason, _ = examine_footer(path)
    return status, reason


def examine_footer(path: Path) -> tuple[str, str, bytes]:
    """Examine a file, and return its footer also, so that it need not be read again."""
    if not path.is_file():
        return DAMAGED, "it is not a file", b""
    try:
        start, footer, head = _footer(path)
    except ValueError as problem:
        return DAMAGED, str(problem), b""
    at = footer.rfind(_MARK)
    if at < 0:
        return UNVERIFIED, "it was written without a checksum", footer
    at += len(_MARK)
    stored = footer[at : at + len(BLANK)]
    blank = footer[:at] + BLANK.encode() + footer[at + len(BLANK) :]
    total = _hash_file(path, start, blank) if head is None else _checksum(head + blank)
    if total.encode() != stored:
        return DAMAGED, "its content does not match its checksum", b""
    return SOUND, "", footer


def metadata_text(footer: bytes, key: str) -> str | None:
    """Return an entry of a Parquet footer's own metadata; None where it is not found in the usual way.

    The footer is in Thrift's compact form: the key's length, the key, a byte for "the next field, a text", the text's
    length in groups of seven bits, and the text.
    """
    mark = bytes([len(key)]) + key.encode() + _NEXT_TEXT
    at, length, shift = footer.rfind(mark), 0, 0
    if at < 0:
        return None
    at += len(mark)
    while at < len(footer) and shift < 32:
        length |= (footer[at] & 0x7F) << shift
        at, shift = at + 1, shift + 7
        if footer[at - 1] < 0x80:
            text = footer[at : at + length]
            return text.decode(errors="replace") if len(text) == length else None
    return None


def require_sound(path: Path) -> None:
    """Raise, with the file's name, if a file is damaged."""
    status, reason = examine(path)
    if status == DAMAGED:
        raise damaged_error(path, reason)


def damaged_error(path: Path, reason: str) -> EvidenceError:
    """Make the error for a damaged file of a store."""
    return EvidenceError(
        f"the file {str(path)!r} is damaged: {reason}.",
        hint="run the experiment again, or bakeoff store repair STORE: the unit is set aside and done again",
    )


def _footer(path: Path) -> tuple[int, bytes, bytes | None]:
    """Return where the footer of a Parquet file starts, its bytes to the end of the file, and those before if few."""
    with open(path, "rb", buffering=0) as file:
        size = os.fstat(file.fileno()).st_size
        if size < 12:
            raise ValueError("it is cut off")
        whole = file.read(size) if size <= _CHUNK else None
        file.seek(size - 8)
        tail = file.read(8) if whole is None else whole[-8:]
        length = int.from_bytes(tail[:4], "little")
        if tail[4:] != _ENDING or length + 12 > size or length > _LARGEST_FOOTER:
            raise ValueError("it is cut off, or no Parquet file")
        start = size - 8 - length
        if whole is not None:
            return start, whole[start:], whole[:start]
        file.seek(start)
        return start, file.read(), None


def _hash_file(path: Path, start: int, footer: bytes) -> str:
    hasher = hashlib.blake2b(digest_size=_SIZE)
    with open(path, "rb") as file:
        left = start
        while left and (part := file.read(min(_CHUNK, left))):
            hasher.update(part)
            left -= len(part)
    hasher.update(footer)
    return hasher.hexdigest()


def _checksum(content: bytes) -> str:
    return hashlib.blake2b(content, digest_size=_SIZE).hexdigest()
