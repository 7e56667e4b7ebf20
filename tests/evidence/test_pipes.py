"""Pipes and devices: what somebody writes is read, what nobody writes is not waited for, what has no end is refused."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest

from bakeoff import EvidenceError
from bakeoff.evidence import _text, read_table

pytestmark = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
TABLE = b"y,a\n1,0\n0,1\n"


@pytest.fixture
def pipe(tmp_path, monkeypatch):
    monkeypatch.setattr(_text, "_PIPE_SECONDS", 0.2)
    os.mkfifo(tmp_path / "p.csv")
    return tmp_path / "p.csv"


@pytest.mark.parametrize("name", ["p.csv", "p.parquet", "p.json"])
def test_a_pipe_that_nobody_writes_to_is_a_sentence(pipe, name):
    with pytest.raises(EvidenceError, match="nobody writes to the pipe"):
        read_table(pipe.rename(pipe.with_name(name)))


def test_a_pipe_is_read_to_its_end(pipe):
    writer = threading.Thread(target=pipe.write_bytes, args=(TABLE,))
    writer.start()
    assert read_table(pipe).rows() == [(1, 0), (0, 1)]
    writer.join()


def test_a_stream_without_an_end_is_refused(pipe, monkeypatch):
    monkeypatch.setattr(_text, "_MOST_UNPACKED", 2**22)
    with pytest.raises(EvidenceError, match="gives more than 4 MB"):
        read_table(Path("/dev/zero"))
