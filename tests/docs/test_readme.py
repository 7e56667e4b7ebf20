"""The README runs as it stands: its Python, its command lines and its experiment file, with the output it shows."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

README = Path(__file__).parents[2] / "README.md"
NUMBER = re.compile(r"[-−]?\d+(?:\.\d+)?(?:e-?\d+)?")
ELSE = "..."  # a line that stands for any number of lines
RUN = "import sys; from bakeoff.cli import main; sys.exit(main())"


def block(language: str) -> str:
    """The one fenced block of the README in this language."""
    (found,) = re.findall(rf"^```{language}\n(.*?)^```", README.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    return found


def printed(arguments: list[str], folder: Path) -> str:
    """What a fresh process prints; a failure shows what it said."""
    environment = {**os.environ, "BAKEOFF_LANG": "en", "PYTHONIOENCODING": "utf-8", "COLUMNS": "200"}
    done = subprocess.run(
        [sys.executable, *arguments], cwd=folder, env=environment, capture_output=True, encoding="utf-8", check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def assert_shown(shown: str, output: str) -> None:
    """What is shown was printed, in that order: the same words wherever lines break, numbers at most a little moved."""
    pieces = re.split(rf"^{re.escape(ELSE)}$", shown, flags=re.MULTILINE)
    words, at = output.split(), 0
    for number, piece in enumerate(pieces):
        wanted = piece.split()
        last = number == len(pieces) - 1
        starts = [at] if number == 0 else [len(words) - len(wanted)] if last else range(at, len(words))
        found = [start for start in starts if start >= at and same(wanted, words[start : start + len(wanted)])]
        assert found, f"shown, not printed: {piece.strip()}"
        at = found[0] + len(wanted)
    assert at == len(words), f"printed, not shown: {words[at:]}"


def same(wanted: list[str], got: list[str]) -> bool:
    masked = [[NUMBER.sub("#", word) for word in words] for words in (wanted, got)]
    return masked[0] == masked[1] and numbers(got) == pytest.approx(numbers(wanted), rel=0.02, abs=0.003)


def numbers(words: list[str]) -> list[float]:
    return [float(text.replace("−", "-")) for text in NUMBER.findall(" ".join(words))]


def test_the_python_example_prints_what_is_shown(tmp_path):
    example = block("python")
    assert len([line for line in example.splitlines() if line.strip()]) <= 15
    assert_shown(block("text"), printed(["-W", "error", "-c", example], tmp_path))
    assert (tmp_path / "report.html").stat().st_size > 50_000


def test_the_command_lines_print_what_is_shown(tmp_path):
    lines = block("console").replace("\\\n", " ")
    commands = re.findall(r"^\$ bakeoff (.*)\n((?:(?!\$ ).*\n)*)", lines, re.MULTILINE)
    assert len(commands) == 3
    for command, shown in commands:
        assert_shown(shown, printed(["-c", RUN, *shlex.split(command)], tmp_path))


def test_the_experiment_file_runs(tmp_path):
    (tmp_path / "experiment.toml").write_text(block("toml"), encoding="utf-8")
    assert "Next: bakeoff report runs" in printed(["-c", RUN, "run", "experiment.toml", "--quiet"], tmp_path)
    printed(["-c", RUN, "report", "runs/experiment", "-o", "report.html"], tmp_path)
    assert (tmp_path / "report.html").exists()


def test_a_number_that_moves_is_caught():
    assert_shown("a 0.50\n...\nc 2\n", "a 0.501\nb\nc 2\n")
    with pytest.raises(AssertionError):
        assert_shown("a 0.50\n", "a 0.55\n")
    with pytest.raises(AssertionError):
        assert_shown("...\nd 2\n", "a 0.5\n")
    with pytest.raises(AssertionError):
        assert_shown("a 1\n", "a 1\nb\n")


def test_every_file_the_readme_names_is_there():
    text = README.read_text(encoding="utf-8")
    named = set(re.findall(r"`((?:docs|tests)/[\w./-]*)", text)) | set(re.findall(r"`([A-Z]+\.(?:md|cff))`", text))
    named |= set(re.findall(r"\]\(([\w./-]+)\)", text))
    assert len(named) > 10
    assert [name for name in named if name != "docs/_build/html" and not (README.parent / name).exists()] == []
