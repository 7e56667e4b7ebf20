"""Whatever stops a command that nobody foresaw has a status of its own, one sentence, and a place for the details."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from pathlib import Path

import pytest
import typer
from typer.core import TyperCommand

from bakeoff.cli._app import make_app, run

BAD_INPUT, UNEXPECTED, INTERRUPTED = 2, 3, 130


class Panic(BaseException):
    """As the Rust libraries raise, which is no Exception."""


def every_command():
    """Yield the words that call each command, with something for whatever it requires."""
    waiting = [((), typer.main.get_command(make_app()))]
    while waiting:
        words, command = waiting.pop()
        if hasattr(command, "commands"):
            waiting += [((*words, name), inner) for name, inner in command.commands.items()]
            continue
        needed = [p for p in command.params if p.required]
        given = [w for p in needed for w in ((p.opts[0], "x") if p.param_type_name == "option" else ("x",))]
        yield [*words, *given]


COMMANDS = sorted(every_command())
PROBLEMS = [
    RuntimeError("nobody\nthought of it"), EOFError("cut off"), BrokenPipeError(errno.EPIPE, "Broken pipe"),
    OSError("odd"), typer.Abort(), SystemExit(0), SystemExit(1), MemoryError("1 TiB"), RecursionError("deep"),
    StopIteration(), KeyError("k"), UnicodeEncodeError("utf-8", "\ud800", 0, 1, "surrogates"), Panic("rust"),
]  # fmt: skip


def stopped_by(problem, words, monkeypatch, capsys):
    def stop(self, ctx):
        raise problem

    monkeypatch.setattr(TyperCommand, "invoke", stop)
    with pytest.raises(SystemExit) as end:
        run(words)
    out, err = capsys.readouterr()
    assert out == ""
    return end.value.code, err


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_every_command_has_its_own_status_for_what_nobody_foresaw(words, monkeypatch, capsys, tmp_path):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    for problem in PROBLEMS:
        code, err = stopped_by(problem, words, monkeypatch, capsys)
        assert code == UNEXPECTED, problem
        assert len(err.splitlines()) == 2
        details = Path(err.rpartition("details are in ")[2].strip()).read_text()
        assert type(problem).__name__ in details
        assert "Traceback" in details


def test_what_is_foreseen_keeps_its_status(monkeypatch, capsys):
    foreseen = {
        PermissionError(errno.EACCES, "Permission denied", "f.csv"): (BAD_INPUT, "permission denied: f.csv"),
        OSError(errno.ENOSPC, "No space left on device"): (BAD_INPUT, "No space left on device"),
        FileNotFoundError(errno.ENOENT, "No such file or directory", "f"): (BAD_INPUT, "No such file or directory: f"),
        KeyboardInterrupt(): (INTERRUPTED, ""),
    }
    for problem, (status, said) in foreseen.items():
        code, err = stopped_by(problem, ["measures"], monkeypatch, capsys)
        assert (code, said in err) == (status, True)


def test_details_go_to_the_error_output_where_no_file_can_be_written(monkeypatch, capsys, tmp_path):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "nowhere"))
    code, err = stopped_by(ZeroDivisionError("by design"), ["measures"], monkeypatch, capsys)
    assert code == UNEXPECTED
    assert "Traceback" in err
    assert "details are in stderr" in err


@pytest.mark.skipif(os.name == "nt", reason="needs a shell with pipes")
@pytest.mark.parametrize(("arguments", "status"), [("measures", 0), ("evaluate none.csv", 2)])
def test_a_reader_that_goes_away_changes_no_status(arguments, status, tmp_path):
    read, write = os.pipe()
    os.close(read)
    command = [sys.executable, "-m", "bakeoff", *arguments.split()]
    done = subprocess.run(command, stdout=write, stderr=write, cwd=tmp_path, check=False)
    os.close(write)
    assert done.returncode == status
