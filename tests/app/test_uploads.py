"""What the application makes of a dropped table before the user confirms it."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from bakeoff import EvidenceError
from bakeoff.app._uploads import Uploads, evidence_of, guess, told_of
from bakeoff.evidence import Predictions, Scores


def table(**more: object) -> pl.DataFrame:
    rng = np.random.default_rng(0)
    return pl.DataFrame({"rf": rng.random(40), "nb": rng.random(40), **more})


def test_a_named_truth_is_found() -> None:
    found = guess(table(y_true=[0, 1] * 20, fold=[0, 1, 2, 3] * 10))
    assert (found["mode"], found["truth"], found["fold"], found["positive"]) == ("predictions", "y_true", "fold", "1")
    assert found["roles"] == {"rf": "score", "nb": "score"}


def test_a_column_of_classes_is_the_truth_whatever_its_name() -> None:
    found = guess(table(tumour=["malignant", "benign"] * 20))
    assert (found["truth"], found["positive"], found["classes"]) == ("tumour", "malignant", ["benign", "malignant"])


def test_names_of_data_sets_are_not_classes() -> None:
    found = guess(table(problem=[f"d{i}" for i in range(40)]))
    assert (found["mode"], found["dataset"], found["models"]) == ("scores", "problem", ["rf", "nb"])
    assert guess(table(which=[f"d{i}" for i in range(40)]))["mode"] == "scores"


def test_labels_are_told_from_scores() -> None:
    found = guess(table(truth=["a", "b"] * 20, svm=["a", "a", "b", "b"] * 10))
    assert found["roles"] == {"rf": "score", "nb": "score", "svm": "pred"}


def test_no_positive_class_is_offered_unless_its_word_says_so() -> None:
    assert guess(table(truth=["north", "south"] * 20))["positive"] is None


@pytest.mark.parametrize("kind", ["predictions", "scores"])
def test_a_confirmed_guess_makes_evidence(kind: str) -> None:
    given = table(truth=[0, 1] * 20) if kind == "predictions" else table(dataset=[f"d{i}" for i in range(40)])
    made = evidence_of("file.csv", given, guess(given))
    assert isinstance(made, Predictions if kind == "predictions" else Scores)
    assert list(made.models) == ["rf", "nb"]


def test_an_identifier_is_no_model() -> None:
    numbered = table(id=range(10_001, 10_041), truth=[0, 1] * 20, weight=[1.5, 0.5] * 20)
    assert guess(numbered)["roles"] == {"rf": "score", "nb": "score", "id": "skip", "weight": "skip"}
    numbered = table(id=range(40))
    assert guess(numbered)["models"] == ["rf", "nb"]


def test_folds_of_scores_stay_folds() -> None:
    given = table(fold=range(40))
    found = guess(given)
    assert (found["mode"], found["fold"]) == ("scores", "fold")
    assert evidence_of("file.csv", given, found).design.n_splits == 40


def test_the_direction_of_scores_is_as_mapped() -> None:
    given = table(dataset=[f"d{i}" for i in range(40)])
    for more, greater in (({"measure": "RMSE"}, False), ({"better": "lower"}, False), ({"better": "greater"}, True)):
        made = evidence_of("file.csv", given, {**guess(given), **more})
        assert isinstance(made, Scores)
        assert made.greater_is_better is greater
        assert not made.notes
    assumed = evidence_of("file.csv", given, guess(given))
    assert [n.code for n in assumed.notes] == ["direction-assumed"]


@pytest.mark.parametrize("name", ["t.csv", "t.csv.gz", "t.jsonl", "t.parquet", "t.tsv"])
def test_every_usual_file_is_taken(tmp_path, name: str) -> None:
    import gzip

    frame = table(truth=[0, 1] * 20)
    path = tmp_path / name
    if "csv" in name or name == "t.tsv":
        text = frame.write_csv(separator="\t" if name == "t.tsv" else ",").encode()
        path.write_bytes(gzip.compress(text) if name.endswith("gz") else text)
    elif name == "t.jsonl":
        frame.write_ndjson(path)
    else:
        frame.write_parquet(path)
    _, read = Uploads(tmp_path).add(name, path.read_bytes())
    assert read.columns == frame.columns


def test_a_small_file_that_unpacks_to_much_is_refused(tmp_path, monkeypatch) -> None:
    import gzip

    monkeypatch.setattr("bakeoff.app._uploads._MOST_UNPACKED", 2**20)
    with pytest.raises(EvidenceError, match="unpacks to more than 1 MB"):
        Uploads(tmp_path).add("t.csv", gzip.compress(b"a,b\n" + b"1,2\n" * 2**19))


def _log() -> bytes:
    """A log of promptfoo: two providers, twenty tests."""

    def answer(name: str, i: int, right: bool) -> dict[str, object]:
        return {
            "provider": {"id": name, "label": name},
            "vars": {"q": f"item {i}"},
            "success": right,
            "score": int(right),
        }

    found = [answer(m, i, i % k > 0) for m, k in (("old", 2), ("new", 5)) for i in range(20)]
    return json.dumps({"evalId": "e", "config": {}, "results": {"version": 3, "results": found, "stats": {}}}).encode()


def test_counts_and_logs_need_no_roles(tmp_path: Path) -> None:
    answers = table(truth=[0, 1] * 20)
    counts = Predictions.from_frame(answers, y_true="truth", y_score=["rf", "nb"], pos_label=1).counts()
    counts.save(tmp_path / "site.counts")
    uploads = Uploads(tmp_path / "kept")
    for name, content, models in (
        ("site.counts", (tmp_path / "site.counts").read_bytes(), ["rf", "nb"]),
        ("../<b>run</b>.json", _log(), ["old", "new"]),
    ):
        identifier, found = uploads.add(name, content)
        assert told_of(found)["guess"] == {"mode": "ready", "models": models}
        assert list(evidence_of(*uploads.get(identifier), {}).models) == models
    assert not any((tmp_path / "kept").iterdir())


def test_a_table_in_json_still_asks_for_roles(tmp_path: Path) -> None:
    rows = [{"truth": i % 2, "a": i / 40, "b": 1 - i / 40} for i in range(40)]
    _, found = Uploads(tmp_path).add("t.json", json.dumps(rows).encode())
    assert told_of(found)["guess"]["mode"] == "predictions"
    with pytest.raises(EvidenceError, match=r"cut\.eval"):
        Uploads(tmp_path).add("cut.eval", b"PK\x03\x04 and no more")


def test_counts_of_right_and_wrong_answers_are_no_scores(tmp_path: Path) -> None:
    with pytest.raises(EvidenceError, match="which model was right on which case"):
        Uploads(tmp_path).add("confusion.csv", b"model,TP,FP,FN,TN\nrf,50,4,8,120\nlr,47,9,11,115\n")


def test_features_beside_probabilities_are_no_models() -> None:
    found = guess(table(truth=["yes", "no"] * 20, age=[20.5 + i for i in range(40)]))
    assert found["roles"] == {"rf": "score", "nb": "score", "age": "skip"}


def test_what_is_missing_is_said_in_the_words_of_the_form() -> None:
    numbers = table(price=[10.5 + i for i in range(40)])
    with pytest.raises(EvidenceError, match="no column is the truth"):
        evidence_of("f.csv", numbers, {"mode": "predictions", "roles": {"rf": "value"}})
    classes = table(truth=["north", "south"] * 20)
    with pytest.raises(EvidenceError, match="positive class") as problem:
        evidence_of("f.csv", classes, guess(classes))
    assert "pos_label" not in f"{problem.value} {problem.value.hint}"
