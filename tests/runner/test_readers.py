"""Other people's runs: language-model benchmarks, scikit-learn, Weka, OpenML, MLflow."""

from __future__ import annotations

import json
import sys
import types
import zipfile

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.model_selection import StratifiedKFold, cross_validate
from sklearn.naive_bayes import GaussianNB
from troublemakers import Mean, data

from bakeoff import EvidenceError, MissingDependencyError, ParameterError, compare, evaluate, run
from bakeoff.protocols import KFold
from bakeoff.runner.readers import (
    log_mlflow,
    read_cross_validate,
    read_inspect,
    read_lm_eval,
    read_mlflow,
    read_openml,
    read_weka,
)

TIME = "2025-03-01T10-00-00.000000"


# -- lm-evaluation-harness --------------------------------------------------------------------------------------------


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


# -- inspect-ai -------------------------------------------------------------------------------------------------------


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


# -- Weka, OpenML -----------------------------------------------------------------------------------------------------

WEKA_HEAD = (
    "Key_Dataset,Key_Run,Key_Fold,Key_Scheme,Key_Scheme_options,Key_Scheme_version_ID,Date_time,"
    "Number_of_training_instances,Number_of_testing_instances,Percent_correct,Area_under_ROC"
)


def weka_rows():
    for dataset in ("iris", "labor"):
        for scheme, options, base in (
            ("rules.ZeroR", "''", 50),
            ("trees.J48", "'-C 0.25 -M 2'", 70),
            ("trees.J48", "'-R'", 60),
        ):
            for repeat in (1, 2):
                for fold in range(1, 11):
                    key = f"{dataset},{repeat}.0,{fold}.0,weka.classifiers.{scheme},{options},1,2.0"
                    yield f"{key},135.0,15.0,{base + fold}.5,0.{base}"


def test_weka_results_as_csv(tmp_path):
    path = tmp_path / "results.csv"
    path.write_text("\n".join([WEKA_HEAD, *weka_rows()]))
    scores = read_weka(path)
    assert scores.models == ("J48 -C 0.25 -M 2", "J48 -R", "ZeroR")
    assert (scores.measure, scores.greater_is_better) == ("accuracy", True)
    assert scores.cells["iris"].shape == (20, 3)
    assert scores.cells["iris"][0].tolist() == pytest.approx([0.715, 0.615, 0.515])
    assert (scores.design.n_train, scores.design.n_test, scores.design.n_splits) == (135, 15, 20)
    assert read_weka(path, measure="Area_under_ROC").measure == "auc"
    with pytest.raises(ParameterError, match="did you mean 'Percent_correct'"):
        read_weka(path, measure="Percent_corect")
    path.write_text("a,b\n1,2\n")
    with pytest.raises(EvidenceError, match="no result file of Weka's Experimenter: it has no column 'Key_Dataset'"):
        read_weka(path)


def test_weka_results_as_arff(tmp_path):
    head = [
        f"@attribute {n} {'string' if n.startswith('Key_S') or n == 'Key_Dataset' else 'numeric'}"
        for n in WEKA_HEAD.split(",")
    ]
    path = tmp_path / "results.arff"
    path.write_text("\n".join(["@relation r", *head, "@data", *weka_rows()]))
    assert read_weka(path).cells["labor"].shape == (20, 3)


def openml_arff(seed, regression=False, hard=False):
    rng = np.random.default_rng(seed)
    lines = ["@relation openml_task_31_predictions", "@attribute repeat numeric", "@attribute fold numeric"]
    lines += ["@attribute sample numeric", "@attribute row_id numeric"]
    if regression:
        lines += ["@attribute prediction numeric", "@attribute truth numeric", "@data"]
        return "\n".join(lines + [f"0,{i % 5},0,{i},{rng.normal():.4f},{i}.5" for i in range(30)])
    lines += ["@attribute confidence.bad numeric", "@attribute confidence.good numeric"]
    lines += ["@attribute prediction {bad,good}", "@attribute correct {bad,good}", "@data"]
    rows = []
    for i in rng.permutation(30):
        p = round(float(rng.uniform()), 4)
        p = float(p > 0.5) if hard else p
        rows.append(f"0,{i % 5},0,{i},{p},{1 - p:.4f},{'bad' if p > 0.5 else 'good'},{'bad' if i % 3 else 'good'}")
    return "\n".join(lines + rows)


def test_openml_runs_pair_by_split_and_row(tmp_path):
    for name, seed, hard in (("rf", 1, False), ("svm", 2, False), ("hard", 3, True)):
        (tmp_path / f"{name}.arff").write_text(openml_arff(seed, hard=hard))
    files = {m: tmp_path / f"{m}.arff" for m in ("rf", "svm", "hard")}
    predictions = read_openml(files, dataset="credit-g", pos_label="bad")
    rows = predictions.table("credit-g")
    assert (rows.n, rows.classes, rows.pos_label, len(rows.splits)) == (30, ("bad", "good"), "bad", 5)
    assert rows.provides("rf", "probabilities")
    assert not rows.provides("hard", "scores"), "0/1 confidences are labels"
    assert predictions.design.kind == "k-fold"
    (tmp_path / "svm.arff").write_text(openml_arff(2).replace("0,1,0,", "0,2,0,", 1))
    with pytest.raises(EvidenceError, match="same splits of one task, but fold differs between 'rf' and 'svm'"):
        read_openml(files)


def test_openml_regression(tmp_path):
    for name in "ab":
        (tmp_path / f"{name}.arff").write_text(openml_arff(ord(name), regression=True))
    rows = read_openml({m: tmp_path / f"{m}.arff" for m in "ab"}).table()
    assert rows.task == "regression"
    assert rows.truth[:3].tolist() == [0.5, 5.5, 10.5]


# -- scikit-learn, MLflow ---------------------------------------------------------------------------------------------


def test_cross_validate_gives_the_predictions_of_a_run():
    X, y = data()
    cv = list(StratifiedKFold(4, shuffle=True, random_state=0).split(X, y))
    keep = {"return_estimator": True, "return_indices": True, "cv": cv}
    results = {
        "nb": cross_validate(GaussianNB(), X, y, **keep),
        "line": cross_validate(LogisticRegression(), X, y, **keep),
    }
    theirs = read_cross_validate(results, X, y).table()
    ours = run({"nb": GaussianNB(), "line": LogisticRegression()}, (X, y), cv).predictions().table()
    for model in results:
        for index in range(4):
            mine = ours.instance[ours.split_index == index]
            assert np.array_equal(np.sort(mine), np.sort(theirs.instance[theirs.split_index == index]))
        order_a, order_b = np.argsort(theirs.instance), np.argsort(ours.instance)
        assert np.array_equal(theirs.scores(model)[order_a], ours.scores(model)[order_b])
    assert theirs.splits[0].n_train == 45
    with pytest.raises(EvidenceError, match="return_estimator=True and return_indices=True"):
        read_cross_validate({"nb": cross_validate(GaussianNB(), X, y)}, X, y)
    other = cross_validate(LogisticRegression(), X, y, cv=4, return_estimator=True, return_indices=True)
    with pytest.raises(EvidenceError, match="'line' was validated on other splits"):
        read_cross_validate({"nb": results["nb"], "line": other}, X, y)


def test_cross_validate_of_regressors_and_several_classes():
    X, y = data(90, classes=3)
    keep = {"return_estimator": True, "return_indices": True, "cv": 3}
    rows = read_cross_validate({"line": cross_validate(LinearRegression(), X, X[:, 0] + 0.5, **keep)}, X, X[:, 0] + 0.5)
    assert rows.table().task == "regression"
    many = read_cross_validate({"nb": cross_validate(GaussianNB(), X, y, **keep)}, X, y).table()
    assert many.probabilities("nb").shape == (90, 3)


def test_a_table_of_mlflow_runs_is_scores():
    runs = pd.DataFrame(
        {
            "tags.mlflow.runName": ["rf", "nb"] * 3,
            "params.data": ["a", "a", "b", "b", "c", "c"],
            "metrics.auc": [0.9, 0.8, 0.7, 0.6, np.nan, 0.5],
        }
    )
    scores = read_mlflow(runs, "auc", dataset="params.data")
    assert scores.models == ("nb", "rf")
    assert scores.wide()["rf"].tolist()[:2] == [0.9, 0.7]
    assert scores.missing() == [("c", "rf")]
    with pytest.raises(EvidenceError, match=r"no column 'params\.set' for the dataset"):
        read_mlflow(runs, "auc", dataset="params.set")


def test_an_evaluation_is_logged_to_mlflow(monkeypatch):
    X, y = data()
    results = run({"a": Mean(), "b": Mean(1)}, (X, y), KFold(3))
    monkeypatch.setitem(sys.modules, "mlflow", None)
    with pytest.raises(MissingDependencyError, match="needs the package 'mlflow'"):
        log_mlflow(results)
    logged = []

    class Run:
        def __init__(self, name):
            self.info = types.SimpleNamespace(run_id=f"id-{name}")

        def __enter__(self):
            return self

        def __exit__(self, *problem):
            return None

    fake = types.ModuleType("mlflow")
    fake.start_run = lambda run_name: Run(run_name)
    fake.log_params = lambda values: logged.append(("params", values))
    fake.log_metrics = lambda values: logged.append(("metrics", values))
    monkeypatch.setitem(sys.modules, "mlflow", fake)
    assert log_mlflow(results, ["accuracy"]) == ["id-a", "id-b"]
    metrics = [v for kind, v in logged if kind == "metrics"]
    assert set(metrics[0]) == {"accuracy", "accuracy.low", "accuracy.high"}
