"""A long answer shows what is being done, on a terminal only."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import polars as pl
import pytest

from bakeoff.cli._app import run


class Terminal(io.StringIO):
    """A stream that people look at."""

    def isatty(self) -> bool:
        """It is a terminal."""
        return True


@pytest.mark.parametrize("verb", ["evaluate", "compare", "decide"])
@pytest.mark.parametrize("kind", [Terminal, io.StringIO])
def test_reading_and_computing_are_shown_on_a_terminal_only(
    verb: str, kind: type[io.StringIO], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
) -> None:
    file, shown = tmp_path / "rows.csv", kind()
    pl.DataFrame({"y": [0, 1] * 20, "a": [0.1, 0.8, 0.6, 0.4] * 10, "b": [0.3, 0.9] * 20}).write_csv(file)
    monkeypatch.setattr(sys, "stderr", shown)
    monkeypatch.setenv("COLUMNS", "500")
    context = ["--prevalence", "0.5", "--cost-fp", "1", "--cost-fn", "2"] if verb == "decide" else []
    with pytest.raises(SystemExit) as end:
        run([verb, str(file), "--truth", "y", "--score", "a", "--score", "b", "--positive", "1", *context])
    assert end.value.code in (0, None)
    for text in (f"Reading {file} ...", "Computing ..."):
        assert (text in shown.getvalue()) == (kind is Terminal)
    assert "Computing" not in capsys.readouterr().out
