"""Every command that reads evidence takes the same options, and passes them on."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import fields
from pathlib import Path

import pytest
import typer

from bakeoff.cli._app import make_app, run
from bakeoff.cli._options import Source


@pytest.fixture
def call(capsys):
    """Run a command; return status and all that was printed."""

    def called(line: str) -> tuple[int, str]:
        with pytest.raises(SystemExit) as stop:
            run(line.split())
        out, err = capsys.readouterr()
        return int(stop.value.code or 0), out + err

    return called


@pytest.mark.parametrize("name", ["evaluate", "compare", "gate", "decide", "report", "plan"])
def test_every_command_that_reads_takes_the_same_options(name: str) -> None:
    command = typer.main.get_command(make_app()).commands[name]  # type: ignore[attr-defined]
    taken = {p.name for p in command.params}
    without = {"gate": {"models"}, "decide": {"value", "outcomes", "sums", "attempt", "lower", "n_train", "n_test"}}
    assert {f.name for f in fields(Source)} - taken == without.get(name, set())


def test_bad_files_of_a_folder_are_left_out_on_request(tmp_path: Path, call) -> None:
    rows = "".join(f"{i % 2},{i % 2},{i % 3 % 2}\n" for i in range(60))
    (tmp_path / "a.csv").write_text("y,a,b\n" + rows)
    (tmp_path / "b.parquet").write_bytes(b"PAR1 cut")
    line = f"compare {tmp_path} --truth y --pred a --pred b"
    status, text = call(line)
    assert status == 2
    assert "b.parquet" in text
    status, text = call(f"{line} --skip-bad")
    assert status == 0
    assert "left out: b.parquet" in text
    assert "a is better than b" in text


def test_frequency_is_as_many_rows(tmp_path: Path, call) -> None:
    cells = [(i % 2, i % 2, i % 3 % 2, i % 4) for i in range(60)]
    (tmp_path / "short.csv").write_text("y,a,b,n\n" + "".join(f"{y},{a},{b},{n}\n" for y, a, b, n in cells))
    (tmp_path / "long.csv").write_text("y,a,b\n" + "".join(f"{y},{a},{b}\n" * n for y, a, b, n in cells))
    asked = "--truth y --pred a --pred b --measure accuracy"
    counted = call(f"compare {tmp_path / 'short.csv'} {asked} --frequency n")
    written = call(f"compare {tmp_path / 'long.csv'} {asked}")
    assert counted == written


SECONDS = "old,new\n" + "".join(f"{1 + i % 7 / 50:.2f},{2 + i % 5 / 50:.2f}\n" for i in range(50))


def test_outcomes_that_are_no_shares_need_a_direction(tmp_path: Path, call) -> None:
    path = tmp_path / "seconds.csv"
    path.write_text(SECONDS)
    asked = f"gate {path} --outcomes --baseline old --candidate new --margin 0.1"
    status, text = call(asked)
    assert status == 2
    assert "whether more or less" in text
    assert call(f"{asked} --lower-is-better")[0] == 1
    assert call(f"{asked} --measure latency")[0] == 1
    assert call(f"{asked} --greater-is-better")[0] == 0
    assert "More was taken as better" in call(f"compare {path} --outcomes")[1]


def test_outcomes_on_two_scales_can_be_meant(tmp_path: Path, call) -> None:
    path = tmp_path / "seconds.csv"
    path.write_text("old,new\n" + "".join(f"{40 + i % 7},{0.3 + i % 5 / 50:.2f}\n" for i in range(50)))
    for direction in ("", " --lower-is-better", " --greater-is-better"):  # says nothing of the scale
        status, text = call(f"compare {path} --outcomes{direction}")
        assert status == 2
        assert "different scales" in text
        assert "mixed_scales" not in text
        assert "--mixed-scales" in text
    status, text = call(f"compare {path} --outcomes --lower-is-better --mixed-scales")
    assert status == 0
    assert "new is better than old" in text


@pytest.mark.parametrize(("option", "status"), [("--superior", 1), ("--margin 0.4", 0)])
def test_d51_a_reader_that_goes_away_does_not_change_the_status(tmp_path: Path, option: str, status: int) -> None:
    path = tmp_path / "p.csv"
    path.write_text("y,a,b\n" + "".join(f"{i % 2},{i % 2},{(i + (i % 20 == 0)) % 2}\n" for i in range(200)))
    end, start = os.pipe()
    os.close(end)
    line = f"gate {path} --truth y --baseline a --candidate b --measure accuracy {option}"
    done = subprocess.run(
        [sys.executable, "-m", "bakeoff", *line.split()], stdout=start, stderr=subprocess.PIPE, check=False
    )
    os.close(start)
    assert (done.returncode, done.stderr) == (status, b"")


def test_the_version_tells_kernels_and_extras(call) -> None:
    status, text = call("--version")
    assert status == 0
    assert "kernels)" in text
    for extra in ("learn", "plot", "app", "cluster"):
        assert extra in text


def test_hints_have_no_stray_brackets(tmp_path: Path, call) -> None:
    path = tmp_path / "p.csv"
    path.write_text("y,a\n" + "NA,1\nyes,1\nno,0\n" * 9)
    _, text = call(f"evaluate {path} --truth y --pred a")
    assert text.count("(") == text.count(")")
    assert "--drop-missing" in text


def test_a_report_takes_control_margin_level_and_measures(tmp_path: Path, call) -> None:
    path = tmp_path / "p.csv"
    path.write_text("y,a,b\n" + "".join(f"{i % 2},{i % 2},{(i + (i % 20 == 0)) % 2}\n" for i in range(200)))
    page = tmp_path / "r.html"
    line = f"report {path} --truth y --pred a --pred b -o {page} --control a --margin 20% --level 0.9 --measures f1,mcc"
    status, text = call(line)
    assert status == 0
    assert "90 % interval" in text
    assert "equivalent" in text
    assert "--control" not in text
    assert call(line.replace("--control a", "--control x"))[0] == 2


def test_the_name_of_a_column_is_not_turned_into_an_option() -> None:
    from bakeoff.cli._output import as_options

    said = as_options("the column 'y_true' looks like the truth: name it with y_true= (--truth), or give y_true.")
    assert said == "the column 'y_true' looks like the truth: name it with --truth, or give --truth."
