"""Logs of lm-evaluation-harness."""

from __future__ import annotations

import json

import numpy as np
import pytest

from bakeoff import EvidenceError, ParameterError, compare, evaluate
from bakeoff.evidence.readers import read_lm_eval

TIME = "2025-03-01T10-00-00.000000"


def lm_eval_line(doc_id, acc, **more):
    line = {
        "doc_id": doc_id,
        "doc": {"question": f"q{doc_id}", "passage": doc_id // 4},
        "target": "A",
        "arguments": {},
        "resps": [["x"]],
        "filtered_resps": ["x"],
        "filter": "none",
        "metrics": ["acc", "acc_norm"],
        "doc_hash": "h",
        "prompt_hash": "p",
        "target_hash": "t",
        "acc": acc,
        "acc_norm": 1 - acc,
    }
    return json.dumps({**line, **more})


@pytest.fixture
def lm_eval_folder(tmp_path):
    rng = np.random.default_rng(0)
    right = {"org__small": rng.integers(2, size=40), "org__large": rng.integers(2, size=40)}
    for model, answers in right.items():
        (tmp_path / model).mkdir()
        old = tmp_path / model / "samples_arc_2024-01-01T10-00-00.000000.jsonl"
        old.write_text(lm_eval_line(0, 0.0))
        for task in ("arc", "boolq"):
            lines = [lm_eval_line(i, float(a)) for i, a in enumerate(answers)]
            if model == "org__large":
                lines = lines[::-1]  # pairing is by document, not by line
            (tmp_path / model / f"samples_{task}_{TIME}.jsonl").write_text("\n".join(lines) + "\n")
    return tmp_path, right


def test_lm_eval_pairs_models_by_document(lm_eval_folder):
    folder, right = lm_eval_folder
    predictions = read_lm_eval(folder, metric="acc")
    assert predictions.datasets == ("arc", "boolq")
    rows = predictions.table("arc")
    assert (rows.task, rows.n, rows.models) == ("outcomes", 40, ("org__large", "org__small"))
    order = np.arange(39, -1, -1)  # items in the order of the first model's file
    for model, answers in right.items():
        assert np.array_equal(rows.values(model), answers[order])
    assert read_lm_eval(folder, metric="acc", task="arc", cluster="passage").table().n_groups == 10
    one = read_lm_eval(folder, metric="acc", task="arc")
    accuracy = evaluate(one, ["accuracy"], rng=0)["org__small", "accuracy"]
    assert accuracy.estimate == pytest.approx(right["org__small"].mean())
    comparison = compare(one, rng=0)
    difference = comparison.pair("org__large", "org__small").estimate
    assert difference == pytest.approx(right["org__large"].mean() - right["org__small"].mean())


def test_lm_eval_mistakes(lm_eval_folder, tmp_path):
    folder, _ = lm_eval_folder
    with pytest.raises(EvidenceError, match=r"several metrics per item: 'acc', 'acc_norm'.*choose with metric="):
        read_lm_eval(folder)
    with pytest.raises(ParameterError, match=r"metric of samples_arc.*did you mean 'acc'"):
        read_lm_eval(folder, metric="accc")
    with pytest.raises(EvidenceError, match="no samples of task 'gsm8k'"):
        read_lm_eval(folder, metric="acc", task="gsm8k")
    short = folder / "org__small" / f"samples_arc_{TIME}.jsonl"
    short.write_text("\n".join(short.read_text().splitlines()[:30]))
    with pytest.raises(EvidenceError, match=r"different items of 'arc' .*30 in common.*only_common=True"):
        read_lm_eval(folder, metric="acc")
    assert read_lm_eval(folder, metric="acc", only_common=True).table("arc").n == 30
    (tmp_path / "empty").mkdir()
    with pytest.raises(EvidenceError, match=r"holds no samples_\*.jsonl file.*--log_samples"):
        read_lm_eval(tmp_path / "empty")


def test_lm_eval_filters_and_several_samples_of_an_item(tmp_path):
    for model in ("a", "b"):
        lines = [
            lm_eval_line(i, float(i % 2), filter=f) for f in ("strict", "loose") for i in (0, 1, 2) for _ in (0, 1)
        ]
        (tmp_path / f"{model}.jsonl").write_text("\n".join(lines))
    files = {m: tmp_path / f"{m}.jsonl" for m in "ab"}
    with pytest.raises(EvidenceError, match="several filters per item: 'strict', 'loose'"):
        read_lm_eval(files, metric="acc")
