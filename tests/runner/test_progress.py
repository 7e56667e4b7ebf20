"""What a run shows while it goes on: a bar in a terminal or notebook, lines in a log, nothing when asked."""

from __future__ import annotations

import io
import sys
from types import SimpleNamespace

import pytest
from troublemakers import Mean, Raises, data

from bakeoff import run
from bakeoff.protocols import KFold
from bakeoff.runner import _progress
from bakeoff.runner._progress import Progress
from bakeoff.runner._records import FitFacts
from bakeoff.runner._unit import Done, Failed

UNIT = SimpleNamespace(key="k", label="m on d<", dataset="d<", model="m")
FIT = FitFacts(fit_time=1.0, predict_time=0.0, score_time=0.0)


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch):
    clock = Clock()
    monkeypatch.setattr(_progress, "time", clock)
    return clock


def test_a_log_gets_a_line_now_and_then_with_counts_rate_time_left_and_failures(clock, capsys):
    progress = Progress(100, 20, show=True)
    for i in range(40):
        clock.now += 1.0
        progress.advance(Failed(UNIT, "error", "") if i < 2 else Done(UNIT, {}, FIT))
    progress.close()
    lines = capsys.readouterr().err.splitlines()
    assert lines == ["bakeoff: 50 of 100 units, 2 failed, 1.0/s, 30 s so far, 50 s left"]


def test_slow_units_are_told_in_seconds_each(clock):
    progress = Progress(10, 0, show=False)
    clock.now += 90
    progress.advance(Done(UNIT, {}, FIT))
    assert progress.sentence() == "1 of 10 units, 90 s each, 90 s so far, 14 min left"


def test_a_terminal_gets_a_bar(monkeypatch):
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.setattr(sys, "stderr", Terminal())
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "120")
    run({"good": Mean(), "bad [red]": Raises()}, data(), KFold(3))
    shown = sys.stderr.getvalue()
    assert "6/6" in shown
    assert "3 failed" in shown
    assert "bad [red]" in shown, "names are no markup"


def test_a_notebook_gets_a_bar_that_is_updated_in_place(clock, monkeypatch):
    pages = []
    handle = SimpleNamespace(update=lambda page: pages.append(page.data))
    monkeypatch.setattr(_progress, "_in_notebook", lambda: True)
    display = pytest.importorskip("IPython.display")
    monkeypatch.setattr(display, "display", lambda page, display_id: pages.append(page.data) or handle)
    progress = Progress(10, 0, show=True)
    for _ in range(10):
        clock.now += 0.1
        progress.advance(Done(UNIT, {}, FIT))
    progress.close()
    assert 3 <= len(pages) <= 6, "it is not drawn for every unit"
    assert 'max="10" value="10"' in pages[-1]
    assert "10 of 10 units" in pages[-1]
    assert "d&lt;" in pages[-1]


def test_nothing_is_shown_when_nothing_is_to_be_done_or_nobody_wants_it(clock, capsys):
    for progress in (Progress(5, 5, show=True), Progress(50, 0, show=False)):
        assert progress._display is None
        clock.now += 100
        progress.advance(Done(UNIT, {}, FIT))
        progress.close()
    assert capsys.readouterr().err == ""
