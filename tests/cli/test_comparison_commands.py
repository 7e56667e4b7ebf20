"""`compare`, `gate`, `plan` and `advise` on the command line: output, JSON, exit statuses, no tracebacks."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from bakeoff.cli._app import run
from oracle import worked_examples


@pytest.fixture
def files(tmp_path: Path) -> Path:
    rng = np.random.default_rng(3)
    n = 1200
    truth, shared = rng.integers(0, 2, n), rng.normal(size=n)

    def score(strength: float) -> np.ndarray:
        return (1 / (1 + np.exp(-(0.9 * shared + 0.45 * rng.normal(size=n) + (truth - 0.5) * strength)))).round(4)

    columns = {"old": score(2.2), "new": score(2.8), "bad": score(1.2)}
    labels = {f"says_{m}": np.where(s > 0.5, "yes", "no") for m, s in columns.items()}
    pl.DataFrame({"y": np.where(truth == 1, "yes", "no"), **columns, **labels}).write_csv(tmp_path / "preds.csv")
    example = worked_examples("tests")["demsar_2006"]
    wide = {a: [row[i] for row in example["data"]] for i, a in enumerate(example["algorithms"])}
    pl.DataFrame({"dataset": example["datasets"], **wide}).write_csv(tmp_path / "scores.csv")
    long = [(m, k, round(0.8 + d + rng.normal(0, 0.01), 4)) for m, d in (("rf", 0.05), ("nb", 0.0)) for k in range(10)]
    pl.DataFrame(long, schema=["model", "fold", "accuracy"], orient="row").write_csv(tmp_path / "folds.csv")
    items = {m: (rng.random(200) < p).astype(int) for m, p in (("gpt", 0.8), ("tiny", 0.4))}
    pl.DataFrame({"item": [f"q{i}" for i in range(200)], "topic": np.arange(200) // 5, **items}).write_csv(
        tmp_path / "items.csv"
    )
    return tmp_path


def call(capsys, *arguments: object) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as stop:
        run([str(a) for a in arguments])
    out, err = capsys.readouterr()
    return int(stop.value.code or 0), out, err


PREDS = ("--truth", "y", "--positive", "yes")


def test_compare_predictions(files, capsys) -> None:
    status, out, _ = call(
        capsys, "compare", files / "preds.csv", *PREDS, "--score", "old", "--score", "new", "--score", "bad"
    )
    assert status == 0
    assert "new has the best AUC" in out
    assert "not told apart" in out
    assert "Test: DeLong's test" in out


def test_compare_says_why(files, capsys) -> None:
    _, out, _ = call(capsys, "compare", files / "preds.csv", *PREDS, "--score", "old", "--score", "new", "--why")
    assert "compares how often models are right, not AUC" in out


def test_compare_wide_scores_with_control(files, capsys) -> None:
    status, out, _ = call(capsys, "compare", files / "scores.csv", "--control", "C4.5")
    assert status == 0
    assert "Better than C4.5: C4.5+m" in out


def test_compare_long_folds(files, capsys) -> None:
    status, out, _ = call(
        capsys, "compare", files / "folds.csv", "--model", "model", "--value", "accuracy", "--fold", "fold"
    )
    assert status == 0
    assert "rf is better than nb: mean accuracy over 10 splits" in out


def test_compare_outcomes_with_groups(files, capsys) -> None:
    status, out, _ = call(capsys, "compare", files / "items.csv", "--outcomes", "--groups", "topic")
    assert status == 0
    assert "gpt is better than tiny" in out
    assert "whole clusters" in out


def test_compare_json_and_csv(files, capsys) -> None:
    table = files / "out" / "pairs.csv"
    status, out, _ = call(capsys, "compare", files / "scores.csv", "--json", "-o", table)
    document = json.loads(out)
    assert (status, document["kind"], len(document["pairs"])) == (0, "Comparison", 6)
    assert pl.read_csv(table).columns[:3] == ["model_a", "model_b", "measure"]


@pytest.mark.parametrize("measure", ["auc", "accuracy", "log_loss", "f1", "brier"])
def test_gate_passes(files, capsys, measure: str) -> None:
    status, out, _ = call(
        capsys, "gate", files / "preds.csv", *PREDS, "--baseline", "old", "--candidate", "new", "--measure", measure,
        "--margin", 0.01,
    )  # fmt: skip
    assert status == 0
    assert out.startswith("PASSED: new is not inferior to old by a margin of 0.01.")


def test_gate_reads_label_columns(files, capsys) -> None:
    arguments = ("--baseline", "says_old", "--candidate", "says_new", "--measure", "accuracy", "--margin", 0.02)
    assert call(capsys, "gate", files / "preds.csv", *PREDS, *arguments)[0] == 0


def _long(files) -> Path:
    """The predictions of preds.csv, one row per model and instance, the instances of each model in another order."""
    wide, rng = pl.read_csv(files / "preds.csv").with_row_index("id"), np.random.default_rng(2)
    parts = [
        wide.select("id", "y", p=pl.col(m), says=pl.col(f"says_{m}"), model=pl.lit(m))[rng.permutation(wide.height)]
        for m in ("new", "bad", "old")
    ]
    pl.concat(parts).write_csv(files / "long.csv")
    return files / "long.csv"


@pytest.mark.parametrize(("column", "measure"), [(("--score", "p"), "auc"), (("--pred", "says"), "accuracy")])
def test_gate_reads_long_predictions_as_it_reads_wide_ones(files, capsys, column, measure) -> None:
    asked = ("--measure", measure, "--margin", 0.01, "--json")
    keys = ("--model", "model", "--instance", "id", *column)
    status, out, _ = call(
        capsys, "gate", _long(files), *PREDS, *keys, "--baseline", "old", "--candidate", "new", *asked
    )
    names = ("old", "new") if measure == "auc" else ("says_old", "says_new")
    same = call(capsys, "gate", files / "preds.csv", *PREDS, "--baseline", names[0], "--candidate", names[1], *asked)
    long, wide = json.loads(out)["pair"], json.loads(same[1])["pair"]
    assert status == same[0] == 0
    assert [long[k] for k in ("estimate", "low", "high", "pvalue")] == pytest.approx(
        [wide[k] for k in ("estimate", "low", "high", "pvalue")]
    )


def test_gate_asks_for_the_column_of_a_long_file(files, capsys) -> None:
    status, _, err = call(
        capsys, "gate", _long(files), *PREDS, "--model", "model", "--baseline", "old", "--candidate", "new",
        "--margin", 0.1,
    )  # fmt: skip
    assert status == 2
    assert "--pred, --score or --value" in err


def test_gate_fails_a_worse_candidate(files, capsys) -> None:
    status, out, _ = call(
        capsys, "gate", files / "preds.csv", *PREDS, "--baseline", "old", "--candidate", "bad", "--measure", "auc",
        "--margin", 0.01,
    )  # fmt: skip
    assert status == 1
    assert out.startswith("FAILED: bad is worse than old by more than 0.01.")


def test_gate_fails_when_too_little_is_known(files, capsys) -> None:
    few = files / "few.csv"
    pl.read_csv(files / "preds.csv").head(60).write_csv(few)
    status, out, _ = call(
        capsys,
        "gate",
        few,
        *PREDS,
        "--baseline",
        "old",
        "--candidate",
        "new",
        "--measure",
        "accuracy",
        "--margin",
        0.001,
    )
    assert status == 1
    assert "it was not shown that new is not inferior" in out


def test_gate_superior(files, capsys) -> None:
    base = ("gate", files / "preds.csv", *PREDS, "--measure", "auc", "--superior", "--json")
    status, out, _ = call(capsys, *base, "--baseline", "bad", "--candidate", "new")
    document = json.loads(out)
    assert (status, document["passed"], document["superior"]) == (0, True, True)
    assert document["pair"]["model_a"] == "new"
    status, out, _ = call(capsys, *base, "--baseline", "new", "--candidate", "bad")
    assert (status, json.loads(out)["passed"]) == (1, False)


def test_gate_on_scores_and_identical_models(files, capsys) -> None:
    status, out, _ = call(
        capsys,
        "gate",
        files / "scores.csv",
        "--baseline",
        "C4.5",
        "--candidate",
        "C4.5+m",
        "--margin",
        0.02,
        "--measure",
        "auc",
    )
    assert status == 0
    frame = pl.read_csv(files / "folds.csv").filter(pl.col("model") == "rf")
    twins = pl.concat([frame, frame.with_columns(pl.lit("twin").alias("model"))])
    twins.write_csv(files / "twins.csv")
    twins = (
        "gate", files / "twins.csv", "--model", "model", "--value", "accuracy", "--fold", "fold", "--baseline",
        "rf", "--candidate", "twin", "--margin", 0.01,
    )  # fmt: skip
    status, out, _ = call(capsys, *twins)
    assert status == 1
    assert "FAILED: it was not shown" in out
    status, out, _ = call(capsys, *twins, "--identical-passes")
    assert status == 0
    assert "PASSED: twin and rf did the same throughout" in out


def test_models_that_answered_alike_pass_by_their_interval_only(tmp_path, capsys) -> None:
    """Tango's interval of no discordant rows among n is ± z²/(n + z²): five rows show little, five hundred enough."""
    table = tmp_path / "same.csv"
    gate = ("gate", table, "--truth", "y", "--baseline", "old", "--candidate", "new", "--measure", "accuracy",
            "--positive", 1, "--margin")  # fmt: skip
    pl.DataFrame({"y": [0, 1, 0, 1, 0], "old": [1, 1, 0, 1, 0], "new": [1, 1, 0, 1, 0]}).write_csv(table)
    status, out, _ = call(capsys, *gate, 0.001)
    assert status == 1
    assert "FAILED (too little data): it was not shown" in out
    assert call(capsys, *gate, 0.001, "--identical-passes")[0] == 0
    pl.DataFrame({"y": [0, 1] * 250, "old": [1, 1] * 250, "new": [1, 1] * 250}).write_csv(table)
    status, out, _ = call(capsys, *gate, 0.02)
    assert status == 0
    assert "is not inferior to old by a margin of 0.02" in out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("gate", "preds.csv", *PREDS, "--baseline", "old", "--candidate", "new", "--measure", "auc"), "--margin"),
        (("gate", "preds.csv", *PREDS, "--baseline", "old", "--candidate", "old", "--margin", "0.1"), "must differ"),
        (
            ("gate", "preds.csv", *PREDS, "--baseline", "odl", "--candidate", "new", "--margin", "0.1"),
            "did you mean 'old'",
        ),
        (("gate", "scores.csv", "--baseline", "C4.6", "--candidate", "C4.5", "--margin", "0.1"), "must be one of"),
        (("compare", "preds.csv", "--truth", "y"), "--pred, --score or --value"),
        (("compare", "preds.csv", "--score", "old"), "--truth"),
        (("compare", "none.csv"), "there is no file"),
        (("compare", "folds.csv", "--model", "model"), "--value"),
        (("compare", "scores.csv", "--test", "t"), "test must be one of"),
        (("plan",), "needs a difference"),
        (("advise", "--models", "1"), "n_models"),
    ],
)
def test_mistakes_are_sentences_and_status_2(files, capsys, monkeypatch, arguments: tuple, message: str) -> None:
    monkeypatch.chdir(files)
    status, _, err = call(capsys, *arguments)
    assert status == 2
    assert message in err
    assert "Traceback" not in err


def test_plan_and_pilot(files, capsys) -> None:
    status, out, _ = call(capsys, "plan", "--measure", "auc", "--difference", 0.01, "--baseline", 0.9)
    assert status == 0
    assert "test instances (two-sided, α = 0.05)" in out
    status, out, _ = call(
        capsys, "plan", files / "preds.csv", *PREDS, "--score", "old", "--score", "new", "--difference", 0.02, "--json"
    )
    assert json.loads(out)["n"] == 1200


def test_advise_and_guide(capsys) -> None:
    status, out, _ = call(capsys, "advise", "--models", 3, "--datasets", 1, "--rows", 400)
    assert status == 0
    assert "10 × 10-fold" in out
    _, out, _ = call(capsys, "advise", "--guide")
    assert "How many data sets?" in out
    _, out, _ = call(capsys, "advise", "--datasets", 12, "--json")
    assert json.loads(out)["test"] == "wilcoxon"


@pytest.mark.parametrize("command", ["compare", "gate", "plan", "advise"])
def test_help_has_an_example(capsys, command: str) -> None:
    status, out, _ = call(capsys, command, "--help")
    assert status == 0
    assert f"bakeoff {command}" in out.split("Example")[1]
