"""Where each section of the lectures is: every call of the table runs, every page is there, every section is named."""

from __future__ import annotations

import re
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.datasets import make_classification
from sklearn.tree import DecisionTreeClassifier

import bakeoff
from bakeoff import comparison, decision, figures, learners, protocols, stats
from bakeoff.app._course import EXAMPLES
from bakeoff.cli._app import run

PAGE = Path(__file__).parents[2] / "docs/lectures/where.md"
ROWS = [
    [cell.strip() for cell in line.strip("|").split(" | ")]
    for line in PAGE.read_text(encoding="utf-8").splitlines()
    if line.startswith("| ") and "`" in line
]


@pytest.fixture(scope="module")
def names() -> dict[str, Any]:
    table = np.array([[float(v) for v in row.split()] for row in EXAMPLES["ranks"].splitlines()[1:]])
    rng = np.random.default_rng(0)
    y = np.arange(20) % 2
    s = np.round(0.3 * y + 0.7 * rng.random(20), 3)
    kinds = np.array(["ant", "bee", "cat"])[rng.integers(0, 3, 60)]
    said = {m: np.where(rng.random(60) < share, kinds, np.roll(kinds, 1)) for m, share in (("A", 0.8), ("B", 0.6))}
    truth = rng.normal(10, 3, 40)
    models = ["C4.5", "C4.5+m", "C4.5+cf", "C4.5+m+cf"]
    points = {"C1": (0.3, 0.4), "C2": (0.5, 0.7), "C3": (0.2, 0.6)}
    X, of_x = make_classification(120, random_state=0)
    many = {m: np.clip(0.3 * (np.arange(80) % 2) + rng.random(80), 0, 1) for m in ("m", "n")}
    given: dict[str, Any] = {
        "x": table, "a": table[:, 1], "b": table[:, 0], "d": table[:5, :2] - table[:5, 2:], "y": y, "s": s,
        "p": bakeoff.Predictions.from_arrays(np.arange(80) % 2, y_score=many, pos_label=1),
        "crisp": bakeoff.Predictions.from_arrays(y, y_pred={"m": (s > 0.5).astype(int)}, pos_label=1),
        "labels": bakeoff.Predictions.from_arrays(kinds, y_pred=said), "k": said["A"], "m": said["B"],
        "values": bakeoff.Predictions.from_arrays(truth, y_value={"near": truth + rng.normal(0, 1, 40)}),
        "S": bakeoff.Scores.from_wide(table, models=models, measure="auc"),
        "times": bakeoff.Scores.from_wide(rng.random((14, 4)) + np.arange(1, 5), models=models, measure="fit_time"),
        "folds": bakeoff.Scores.from_wide(table[:10, :2], models=models[:2], measure="auc"),
        "context": bakeoff.OperatingContext(prevalence=0.5, cost_fp=1, cost_fn=2), "points": points,
        "hull": bakeoff.RocHull.from_points(points), "estimate": 0.85, "replicates": rng.normal(0.85, 0.03, 200),
        "tree": DecisionTreeClassifier(), "X": X, "labels_of_X": of_x, "stats": stats, "figures": figures,
    }  # fmt: skip
    for module in (protocols, learners, decision, comparison, bakeoff):
        given = {**{name: getattr(module, name) for name in module.__all__}, **given}
    return given


@pytest.mark.parametrize("row", ROWS, ids=lambda row: " ".join(row[:2])[:40])
def test_every_call_runs(row: list[str], names: dict[str, Any], capsys: pytest.CaptureFixture[str]) -> None:
    import matplotlib.pyplot as plt

    calls = re.findall(r"`([^`]+)`", row[-2])
    assert calls
    for call in calls:
        if call.startswith("bakeoff "):
            with pytest.raises(SystemExit) as ended:
                run(call.split()[1:])
            assert ended.value.code in (0, None)
            assert capsys.readouterr().out
            continue
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            assert eval(call, dict(names)) is not None
        plt.close("all")


def test_every_page_is_there() -> None:
    links = re.findall(r"\]\(([^)]+)\)", PAGE.read_text(encoding="utf-8"))
    assert len(links) >= 45
    assert [link for link in links if not (PAGE.parent / link).exists()] == []


def test_every_section_of_the_lectures_has_a_row() -> None:
    """The numbered sections of 000 and 002; 45 rows and more in all."""
    assert len(ROWS) >= 45
    first = {row[0] for row in ROWS}
    assert {"1", "2", "2.1", "2.2", "2.3", "3", "4.1", "4.1.1", "4.1.2", "4.1.3", "4.2", "5.1", "6", "6.1", "6.2",
            "6.3.1", "6.3.2", "7", "8", "2.2.1", "2.2.2", "2.2.3", "3.1–3.2", "3.3", "3.4",
            "4", "5"} <= first  # fmt: skip
