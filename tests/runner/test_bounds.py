"""Absurd counts are one sentence and status 2, at once: no memory, no hours."""

from __future__ import annotations

import pytest

from bakeoff.cli._app import run as bakeoff

HUGE = str(10**12)


@pytest.mark.parametrize(
    "arguments",
    [
        ["evaluate", "p.csv", "--truth", "y", "--pred", "a", "--resamples", HUGE],
        ["evaluate", "p.csv", "--truth", "y", "--value", "a", "--resamples", "9" * 20],
        [
            "compare",
            "p.csv",
            "--truth",
            "y",
            "--pred",
            "a",
            "--pred",
            "b",
            "--test",
            "permutation",
            "--resamples",
            HUGE,
        ],
        [
            "gate",
            "p.csv",
            "--truth",
            "y",
            "--baseline",
            "a",
            "--candidate",
            "b",
            "--margin",
            "0.1",
            "--resamples",
            HUGE,
        ],
        ["plan", "--measure", "accuracy", "--difference", "0.01", "--rows", str(10**18)],
        ["plan", "--measure", "accuracy", "--difference", "1e-12"],
    ],
    ids=lambda a: " ".join(a[:1] + a[-2:]),
)
def test_absurd_counts_are_a_sentence(arguments, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    rows = "".join(f"{i % 2},{i % 2},{i % 3 // 2}\n" for i in range(40))
    (tmp_path / "p.csv").write_text("y,a,b\n" + rows)
    with pytest.raises(SystemExit) as stop:
        bakeoff(arguments)
    said = capsys.readouterr().err
    assert stop.value.code == 2, said
    assert "at most" in said or "takes more than" in said
