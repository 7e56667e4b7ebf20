"""Logs of inspect-ai."""

from __future__ import annotations

import json
import zipfile

import pytest

from bakeoff import EvidenceError, ParameterError
from bakeoff.evidence.readers import read_inspect


def inspect_log(model, values, epochs=1):
    samples = [
        {"id": f"s{i}", "epoch": e + 1, "input": "?", "target": "A", "metadata": {"doc": i // 2},
         "scores": {"match": {"value": v[e] if isinstance(v, (list, tuple)) else v, "answer": "A"}}}
        for i, v in enumerate(values) for e in range(epochs)
    ]  # fmt: skip
    return {"version": 2, "status": "success", "eval": {"task": "arc", "model": model}, "samples": samples}


def test_inspect_logs_as_json_and_as_eval(tmp_path):
    (tmp_path / "one.json").write_text(json.dumps(inspect_log("openai/x", ["C", "I", "P", "N"])))
    second = inspect_log("local/y", ["I", "I", 1.0, True])
    with zipfile.ZipFile(tmp_path / "two.eval", "w") as archive:
        archive.writestr("header.json", json.dumps({k: v for k, v in second.items() if k != "samples"}))
        for sample in second["samples"]:
            archive.writestr(f"samples/{sample['id']}_epoch_1.json", json.dumps(sample))
    rows = read_inspect(tmp_path, cluster="doc").table("arc")
    assert rows.values("openai/x").tolist() == [1.0, 0.0, 0.5, 0.0]
    assert rows.values("local/y").tolist() == [0.0, 0.0, 1.0, 1.0]
    assert rows.n_groups == 2


def test_inspect_epochs_are_averaged_or_clustered(tmp_path):
    for model in "ab":
        log = inspect_log(model, [("C", "I"), ("C", "C"), ("I", "I")], epochs=2)
        (tmp_path / f"{model}.json").write_text(json.dumps(log))
    assert read_inspect(tmp_path).table().values("a").tolist() == [0.5, 1.0, 0.0]
    each = read_inspect(tmp_path, samples="each").table()
    assert (each.n, each.n_groups) == (6, 3)


def test_inspect_mistakes(tmp_path):
    bad = tmp_path / "bad.json"
    for text, message in (
        ("{", "bad.json is not valid JSON"),
        ("{}", "is not an inspect-ai log: it has no 'eval' section"),
        (json.dumps({"eval": {}, "samples": []}), "has no samples"),
        (json.dumps(inspect_log("m", ["maybe"])), r"sample 's0': the score 'match' is 'maybe', not a number"),
    ):
        bad.write_text(text)
        with pytest.raises(EvidenceError, match=message):
            read_inspect(bad)
    bad.write_text(json.dumps(inspect_log("m", ["C"])))
    with pytest.raises(ParameterError, match=r"scorer of bad\.json must be one of 'match'"):
        read_inspect(bad, scorer="judge")
