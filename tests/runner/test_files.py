"""Files that appear whole or not at all."""

from __future__ import annotations

import os
import time

import pytest
from sklearn.naive_bayes import GaussianNB

import bakeoff
from bakeoff.runner import _files
from bakeoff.runner._files import FolderFlushes, sweep, temporary_name, write_atomically, write_once


def test_a_failed_write_leaves_the_old_file_and_no_rest(tmp_path, monkeypatch):
    target, tmp = tmp_path / "deep" / "file", tmp_path / "tmp"
    write_atomically(target, b"old", tmp)

    def fails(path, content):
        path.write_bytes(content[:1])
        raise OSError("no")

    monkeypatch.setattr(_files, "_write_and_sync", fails)
    with pytest.raises(OSError, match="no"):
        write_atomically(target, b"new", tmp)
    assert target.read_bytes() == b"old"
    assert list(tmp.iterdir()) == []


@pytest.mark.parametrize("links", [True, False], ids=["with links", "without links"])
def test_of_two_writers_one_wins(tmp_path, monkeypatch, links):
    if not links:
        monkeypatch.setattr(os, "link", lambda *a: (_ for _ in ()).throw(OSError("no links here")))
    assert write_once(tmp_path / "f", b"first", tmp_path / "tmp") is True
    assert write_once(tmp_path / "f", b"second", tmp_path / "tmp") is False
    assert (tmp_path / "f").read_bytes() == b"first"
    assert list((tmp_path / "tmp").iterdir()) == []


def test_leftovers_of_dead_processes_and_old_ones_are_swept(tmp_path):
    mine = temporary_name(tmp_path)
    mine.write_bytes(b"in use")
    dead = tmp_path / mine.name.replace(f"-{os.getpid()}-", "-999999999-")
    dead.write_bytes(b"left by a killed run")
    elsewhere = tmp_path / "other-host-12-0-abcdef.part"
    elsewhere.write_bytes(b"another machine's")
    sweep(tmp_path, time.time())
    assert sorted(p.name for p in tmp_path.iterdir()) == sorted([mine.name, elsewhere.name])
    sweep(tmp_path, time.time() + 2 * 24 * 3600)
    assert list(tmp_path.iterdir()) == []


def test_files_that_finish_close_together_share_a_flush_of_their_folder(tmp_path, monkeypatch):
    flushed = []
    clock = iter([0.0, 0.0, 0.01, 0.02, 0.2, 0.2, 0.3])
    monkeypatch.setattr(_files, "sync_folder", flushed.append)
    monkeypatch.setattr(_files.time, "monotonic", lambda: next(clock))
    flushes = FolderFlushes()
    for name in ("first", "second", "third"):
        write_atomically(tmp_path / "a" / name, b"x", tmp_path / "tmp", flushes)
    assert flushed == [tmp_path / "a"]  # the first at once, the others wait
    write_atomically(tmp_path / "b" / "fourth", b"x", tmp_path / "tmp", flushes)
    assert sorted(flushed[1:]) == [tmp_path / "a", tmp_path / "b"]
    flushes.finish()
    assert len(flushed) == 3


def test_a_run_flushes_what_waits_at_its_end(tmp_path, monkeypatch):
    flushed = []
    monkeypatch.setattr(_files, "_FLUSH_SECONDS", 1e9)
    monkeypatch.setattr(_files, "sync_folder", flushed.append)
    protocol = bakeoff.protocols.KFold(3)
    bakeoff.run({"nb": GaussianNB()}, "sklearn:iris", protocol, store=tmp_path / "s", progress=False)
    kept = {p.parent for p in (tmp_path / "s" / "predictions").rglob("*.parquet")}
    assert kept <= set(flushed)
    assert len([f for f in flushed if f in kept]) >= 2  # the first file at once, the rest at the end
