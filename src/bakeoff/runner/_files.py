"""Writing files so that no crash leaves half of one: temporary name, flush to disk, rename."""

from __future__ import annotations

import itertools
import json
import os
import socket
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from bakeoff._core.errors import EvidenceError
from bakeoff.runner._digest import digest

_counter = itertools.count()
HOST = socket.gethostname().replace("/", "_")
_STALE_SECONDS = 24 * 3600
_FLUSH_SECONDS = 0.05
_LARGEST_JSON = 2**27


class FolderFlushes:
    """Names of finished files reach the disk by a flush of their folder; files finished close together share one.

    A file's content is flushed before it gets its name, always. Its name waits at most until the next file that
    finishes 50 ms later, or `finish`: what a power cut may take besides the unit in flight is 50 ms of work. Nothing
    else (a killed process, a full disk) takes names that were given.
    """

    def __init__(self) -> None:
        self._waiting: set[Path] = set()
        self._last = float("-inf")

    def add(self, folder: Path) -> None:
        """A file in this folder got its name; flush if the last flush is long enough ago."""
        self._waiting.add(folder)
        if time.monotonic() - self._last >= _FLUSH_SECONDS:
            self.finish()

    def finish(self) -> None:
        """Flush every folder that waits."""
        while self._waiting:
            sync_folder(self._waiting.pop())
        self._last = time.monotonic()


def write_atomically(target: Path, content: bytes, tmp: Path, flushes: FolderFlushes | None = None) -> None:
    """Make `target` appear whole or not at all, and survive a power cut once its folder is flushed (at once, or by
    `flushes`)."""
    _put(target, content, tmp, os.replace)
    if flushes is None:
        sync_folder(target.parent)
    else:
        flushes.add(target.parent)


def write_once(target: Path, content: bytes, tmp: Path) -> bool:
    """Write atomically unless the file is there already; tell whether it was written. Of two writers one wins."""
    try:
        _put(target, content, tmp, _link)
    except FileExistsError:
        return False
    sync_folder(target.parent)
    return True


def _put(target: Path, content: bytes, tmp: Path, name: Callable[[Path, Path], None]) -> None:
    """Write and flush under a temporary name, then `name` it; whatever happens, the temporary name goes."""
    target.parent.mkdir(parents=True, exist_ok=True)
    part = temporary_name(tmp)
    try:
        _write_and_sync(part, content)
        name(part, target)
    finally:
        part.unlink(missing_ok=True)


def _link(part: Path, target: Path) -> None:
    """Give a finished file its name unless that is taken; on file systems without links, the nearest to it."""
    try:
        os.link(part, target)
    except FileExistsError:
        raise
    except (OSError, AttributeError):
        if target.exists():
            raise FileExistsError(target) from None
        os.replace(part, target)


def write_json(target: Path, body: Mapping[str, Any], tmp: Path) -> None:
    """Write a JSON object atomically, with a checksum of its content."""
    write_atomically(target, sealed_json(body), tmp)


def sealed_json(body: Mapping[str, Any]) -> bytes:
    """Write out a JSON object with a checksum of its content."""
    return json.dumps({**body, "checksum": _checksum(body)}, indent=1).encode()


def read_json(path: Path) -> dict[str, Any]:
    """Read a JSON object of a store; ValueError, with the reason, for a damaged one. Older ones have no checksum."""
    if not path.is_file():
        raise ValueError("it is not a file")
    if path.stat().st_size > _LARGEST_JSON:
        raise ValueError("it is far too large")
    try:
        body = json.loads(path.read_text(encoding="utf-8"))
    except (ValueError, RecursionError):
        raise ValueError("it is not valid JSON") from None
    if not isinstance(body, dict):
        raise ValueError("it is not a JSON object")
    checksum = body.pop("checksum", None)
    if checksum not in (None, _checksum(body)):
        raise ValueError("its content does not match its checksum")
    return body


def _checksum(body: Mapping[str, Any]) -> str:
    return digest(json.dumps(body, sort_keys=True))


def temporary_name(tmp: Path) -> Path:
    """Return a name nobody else uses, that says whose it is."""
    tmp.mkdir(parents=True, exist_ok=True)
    return tmp / f"{HOST}-{os.getpid()}-{next(_counter)}-{os.urandom(3).hex()}.part"


def _write_and_sync(path: Path, content: bytes) -> None:
    with open(path, "wb", buffering=0) as file:
        view = memoryview(content)
        while view:
            view = view[file.write(view) :]
        os.fsync(file.fileno())


@contextmanager
def alone(lock: Path, otherwise: str | None = None) -> Iterator[None]:
    """Hold a lock while something is done, where the system has file locks.

    With `otherwise` it does not wait for another holder, but raises that sentence.
    """
    try:
        import fcntl
    except ImportError:  # Windows
        yield
        return
    handle = os.open(lock, os.O_RDWR | os.O_CREAT | os.O_NONBLOCK, 0o666)  # a pipe in its place must not hang
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | (fcntl.LOCK_NB if otherwise else 0))
        except BlockingIOError:
            raise EvidenceError(otherwise or "", hint="wait for it") from None
        yield
    finally:
        os.close(handle)


def sync_folder(folder: Path) -> None:
    """Flush a folder's entries to disk, where the system can."""
    try:
        handle = os.open(folder, os.O_RDONLY)
    except OSError:  # not possible on Windows
        return
    try:
        os.fsync(handle)
    except OSError:  # some network file systems refuse
        pass
    finally:
        os.close(handle)


def sweep(tmp: Path, now: float) -> None:
    """Remove temporary files of processes that are gone."""
    for part in tmp.glob("*.part"):
        try:
            host, pid = part.name.rsplit("-", 3)[:2]
            gone = host == HOST and not is_alive(int(pid))
            if gone or now - part.stat().st_mtime > _STALE_SECONDS:
                part.unlink(missing_ok=True)
        except (ValueError, OSError):
            continue


def is_alive(pid: int) -> bool:
    """Tell whether a process of this machine is running."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True
