"""The same evidence from arrays, pandas, Polars, Arrow, CSV, a Parquet file and a scanned folder."""

from __future__ import annotations

from datetime import date

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import bakeoff
from bakeoff import EvidenceError, Predictions, Scores
from bakeoff.counts import CELLS

N = 200


@pytest.fixture
def columns(rng):
    truth = rng.integers(0, 2, N)
    data = {"y": np.where(truth == 1, "yes", "no"), "part": np.arange(N) % 4, "site": np.arange(N) // 5}
    for name in ("rf", "nb"):
        data[name] = np.round(np.clip(rng.normal(0.4 + 0.2 * truth, 0.2), 0, 1), 3)
    return data


ROLES = {"y_true": "y", "y_score": ["rf", "nb"], "pos_label": "yes", "fold": "part", "groups": "site"}


def assert_same(a, b):
    assert a.models == b.models
    ours, theirs = a.table(), b.table()
    assert (ours.classes, ours.positive, ours.n, ours.n_groups) == (
        theirs.classes,
        theirs.positive,
        theirs.n,
        theirs.n_groups,
    )
    assert ours.splits == theirs.splits
    for model in a.models:
        assert np.array_equal(ours.confusion_by_split(model), theirs.confusion_by_split(model))
        x, y = ours.tally(model), theirs.tally(model)
        assert np.array_equal(x.scores, y.scores)
        assert np.array_equal(x.positive, y.positive)
        assert np.array_equal(x.negative, y.negative)
    joint = [CELLS.of(rows, a.models, "labels").patterns() for rows in (ours, theirs)]
    assert np.array_equal(joint[0].count(None), joint[1].count(None))  # the joint table of all models


@pytest.fixture
def reference(columns):
    return Predictions.from_arrays(
        columns["y"],
        y_score={m: columns[m] for m in ("rf", "nb")},
        pos_label="yes",
        fold=columns["part"],
        groups=columns["site"],
    )


@pytest.mark.parametrize("library", [pd.DataFrame, pl.DataFrame, pa.table, pl.LazyFrame])
def test_frames(columns, reference, library):
    assert_same(Predictions.from_frame(library(columns), **ROLES), reference)


def test_categorical_and_extension_types(columns, reference):
    table = pd.DataFrame(columns)
    table["y"] = table["y"].astype("category")
    table["rf"] = table["rf"].astype("Float64")
    table["part"] = table["part"].astype("Int32")
    assert_same(Predictions.from_frame(table, **ROLES), reference)
    assert_same(Predictions.from_frame(pl.DataFrame(columns).cast({"y": pl.Categorical}), **ROLES), reference)


def test_csv_parquet_and_folder(columns, reference, tmp_path):
    table = pl.DataFrame(columns)
    table.write_csv(tmp_path / "p.csv")
    table.write_parquet(tmp_path / "p.parquet")
    (tmp_path / "folder").mkdir()
    for part in range(3):
        table[part * 70 : (part + 1) * 70].write_parquet(tmp_path / "folder" / f"{part}.parquet")
    assert_same(Predictions.read(tmp_path / "p.csv", **ROLES), reference)
    assert_same(Predictions.read(tmp_path / "p.parquet", **ROLES), reference)
    assert_same(Predictions.read(tmp_path / "folder", **ROLES), reference)


def test_long_table_is_paired_by_instance(columns, reference):
    rows = [
        {
            "model": m,
            "id": i,
            "y": columns["y"][i],
            "p": columns[m][i],
            "part": columns["part"][i],
            "site": columns["site"][i],
        }
        for m in ("rf", "nb")
        for i in np.random.default_rng(1).permutation(N)
    ]
    long = Predictions.from_frame(
        pd.DataFrame(rows),
        y_true="y",
        y_score="p",
        model="model",
        instance="id",
        pos_label="yes",
        fold="part",
        groups="site",
    )
    assert_same(long.select(models=["rf", "nb"]), reference)


def write_store(folder, columns, proba=False):
    for model in ("rf", "nb"):
        place = folder / "predictions" / "dataset=credit%20g" / f"model={model}"
        place.mkdir(parents=True)
        for fold in range(4):
            rows = np.flatnonzero(columns["part"] == fold)
            score = columns[model][rows]
            data = {
                "repeat": np.zeros(rows.size, int),
                "fold": np.full(rows.size, fold),
                "instance": rows,
                "y_true": columns["y"][rows],
            }
            outputs = {"proba:no": 1 - score, "proba:yes": score} if proba else {"y_score": score}
            table = pl.DataFrame({**data, **outputs, "y_pred": np.where(score >= 0.5, "yes", "no")})
            table.write_parquet(place / f"{fold}.parquet")


@pytest.mark.filterwarnings("ignore:.*clipped-probabilities")  # the rounded scores have a certain answer
def test_store_folder_is_scanned_and_gives_the_same_counts_and_answers(columns, tmp_path):
    write_store(tmp_path, columns)
    stored = Predictions.read(tmp_path, pos_label="yes")
    memory = Predictions.from_arrays(
        columns["y"],
        y_score={m: columns[m] for m in ("nb", "rf")},
        pos_label="yes",
        fold=columns["part"],
        dataset="credit g",
    )
    assert stored.datasets == ("credit g",)
    ours, theirs = stored.table(), memory.table()
    assert ours.splits == theirs.splits
    for model in ("rf", "nb"):
        assert np.array_equal(ours.confusion_by_split(model), theirs.confusion_by_split(model))
        assert np.array_equal(ours.tally(model).positive, theirs.tally(model).positive)
    for measure in ("accuracy", "auc", "brier", "log_loss"):
        a, b = (bakeoff.evaluate(p, measure, rng=0)["rf", measure] for p in (stored, memory))
        assert (a.estimate, a.low, a.high) == pytest.approx((b.estimate, b.low, b.high), rel=1e-12)


def test_baselines_stand_beside_a_scanned_store(columns, tmp_path):
    write_store(tmp_path, columns)
    stored = Predictions.read(tmp_path, pos_label="yes").with_baselines()
    share = np.mean(columns["y"] == "yes")
    evaluation = bakeoff.evaluate(stored, ["accuracy", "auc"], rng=0)
    assert evaluation["always yes", "accuracy"].estimate == pytest.approx(share)
    assert evaluation["prior", "auc"].estimate == 0.5
    assert stored.select(models=["prior", "rf"]).models == ("rf", "prior")


def test_store_with_probability_columns(columns, tmp_path):
    write_store(tmp_path, columns, proba=True)
    rows = Predictions.read(tmp_path, pos_label="yes").table()
    assert rows.provides("rf", "probabilities")
    assert np.allclose(rows.probabilities("rf").sum(axis=1), 1)


def test_rows_of_a_store_must_pair(columns, tmp_path):
    write_store(tmp_path, columns)
    (tmp_path / "predictions/dataset=credit%20g/model=rf/2.parquet").unlink()
    with pytest.raises(bakeoff.EvidenceError, match="different numbers of rows"):
        Predictions.read(tmp_path, pos_label="yes").table().labels("rf")


def test_models_of_a_store_on_other_folds_or_with_another_truth_do_not_pair(columns, tmp_path):
    write_store(tmp_path, columns)
    place = tmp_path / "predictions/dataset=credit%20g"
    (place / "model=nb/2.parquet").unlink()
    stored = Predictions.read(tmp_path, pos_label="yes")
    with pytest.raises(EvidenceError, match="'nb' and 'rf' were scored on different instances of 'credit g'"):
        stored.table().confusion_by_split("rf")
    assert stored.select(models=["rf"]).table().confusion_by_split("rf").shape == (4, 2, 2)
    for file in place.rglob("*.parquet"):
        table = pl.read_parquet(file).drop("instance")
        table = table if "nb" in str(file) else table.with_columns(pl.col("y_true").reverse())
        table.write_parquet(file)
    (place / "model=rf/2.parquet").unlink()
    with pytest.raises(EvidenceError, match="'nb' and 'rf' were scored on different instances"):
        bakeoff.compare(Predictions.read(tmp_path, pos_label="yes"), "auc")


@pytest.mark.parametrize("keys", [{"fold": "letter"}, {"groups": "site"}, {"fold": "part", "repeat": "site"}])
def test_keys_of_a_folder_are_those_of_arrays(columns, tmp_path, keys):
    columns |= {"letter": np.array(["z", "a", "k", "b"])[columns["part"]]}
    columns |= {"site": np.arange(N) % 100 // 50 if "repeat" in keys else columns["site"]}
    roles = {"y_true": "y", "y_score": ["rf", "nb"], "pos_label": "yes", **keys}
    pl.DataFrame(columns).write_parquet(tmp_path / "a.parquet")
    there, here = Predictions.read(tmp_path, dataset="data", **roles), Predictions.from_frame(columns, **roles)
    assert there.design == here.design
    for ask in (bakeoff.evaluate, bakeoff.compare):
        one, other = (ask(p, "ks", n_resamples=100, rng=0).to_frame() for p in (there, here))  # ks needs draws
        assert one["low"].to_list() == pytest.approx(other["low"].to_list(), rel=1e-12, nan_ok=True)


@pytest.mark.parametrize("importance", [None, "sample_weight", "frequency"])
@pytest.mark.parametrize("text", [False, True])
def test_counts_of_a_folder_are_those_of_arrays_and_load_no_model(tmp_path, monkeypatch, text, importance):
    rng, n = np.random.default_rng(0), 600
    truth, score, fold, worth = (
        rng.integers(0, 2, n),
        rng.random(n).round(3),
        rng.integers(0, 4, n),
        rng.integers(0, 4, n),
    )
    labels = np.array(["no", "yes"]) if text else np.arange(2)
    table = {"Y": labels[truth], "S": score, "P": labels[(score > 0.4).astype(int)], "F": fold}
    table["W"] = worth / 2 if importance == "sample_weight" else worth
    for i in range(3):
        pl.DataFrame(table)[i * 200 : (i + 1) * 200].write_parquet(tmp_path / f"{i}.parquet")
    named = {"y_score": {"derived": "S", "given": "S"}, "y_pred": {"given": "P"}, "fold": "F"}
    named |= {} if importance is None else {importance: "W"}
    arrays = {k: {m: table[c] for m, c in v.items()} if isinstance(v, dict) else table[v] for k, v in named.items()}
    there = Predictions.read(tmp_path, y_true="Y", pos_label=labels[1].item(), dataset="d", **named).table()
    here = Predictions.from_arrays(table["Y"], pos_label=labels[1].item(), dataset="d", **arrays).table()
    monkeypatch.setattr(type(there), "load", lambda *a: pytest.fail("rows were loaded"))
    assert (there.splits, there.classes, there.positive) == (here.splits, here.classes, here.positive)
    for model in ("derived", "given"):
        assert np.array_equal(there.confusion_by_split(model), here.confusion_by_split(model))
        for ours, theirs in zip(vars(there.tally(model)).values(), vars(here.tally(model)).values(), strict=True):
            assert np.array_equal(ours, theirs)


def test_labels_of_every_kind_of_column_are_counted_in_a_folder(tmp_path):
    kinds = {pl.Decimal(10, 1): [0.1, 0.2], pl.Date: [date(2020, 1, 1), date(2020, 1, 2)], pl.Boolean: [False, True],
             pl.UInt8: [0, 1],
             pl.Float32: [0.5, 1.5], pl.Categorical: ["a", "b"], pl.Enum(["b", "a"]): ["a", "b"]}  # fmt: skip
    for i, (kind, (no, yes)) in enumerate(kinds.items()):
        folder = tmp_path / str(i)
        folder.mkdir()
        columns = {"y": pl.Series([no, yes, no, yes], dtype=kind), "m": pl.Series([no, yes, yes, yes], dtype=kind)}
        pl.DataFrame(columns).write_parquet(folder / "a.parquet")
        rows = Predictions.read(folder, y_true="y", y_pred="m").table()
        assert rows.confusion("m").cells.tolist() == [[1, 1], [0, 2]]
        assert rows.in_memory().labels("m").tolist() == [0, 1, 1, 1]


@pytest.mark.parametrize(
    ("bad", "told"),
    [
        ({"W": [1.0, float("nan"), 1.0]}, "1 rows have no usable value in 'W'"),
        ({"W": [1.0, -1.0, 1.0]}, "1 rows have a negative value in 'W'"),
        ({"W": [0.0, 0.0, 0.0]}, "'W' is zero everywhere"),
        ({"Y": [0, None, 1]}, "1 rows have no usable value in 'Y'"),
        ({"S": [0.1, float("inf"), 0.2]}, "1 rows have no usable value in 'S'"),
        ({"S": ["a", "b", "c"]}, "the column 'S' holds String, not numbers"),
    ],
)
def test_a_folder_and_an_engine_refuse_alike(tmp_path, bad, told):
    frame = pl.DataFrame({"Y": [0, 1, 1], "S": [0.1, 0.9, 0.7], "W": [1.0, 2.0, 3.0]} | bad)
    frame.write_parquet(tmp_path / "a.parquet")
    for ask in (lambda **c: Predictions.read(tmp_path, **c), lambda **c: Predictions.scan(frame.lazy(), **c)):
        with pytest.raises(EvidenceError, match=told):
            bakeoff.evaluate(ask(y_true="Y", y_score="S", sample_weight="W"), "auc")


def test_what_breaks_inside_an_engine_is_one_sentence(monkeypatch):
    def broken(*_):
        raise pl.exceptions.PanicException("index out of bounds\nstack")

    frame = pl.LazyFrame({"y": [0, 1], "a": [0.1, 0.9]})
    monkeypatch.setattr("bakeoff.evidence._engine._collect", broken)
    with pytest.raises(EvidenceError, match=r"the engine could not answer for 'data': index out of bounds$"):
        Predictions.scan(frame, y_true="y", y_pred="a")


def test_labels_of_many_kinds():
    for labels in (["a", "b"], [10, 20], [True, False], [1.0, 2.0], [("x", 1), ("y", 2)], ["ä", "日本"]):
        truth = [labels[0], labels[1], labels[0]]
        array = np.empty(3, dtype=object)
        array[:] = truth
        rows = Predictions.from_arrays(array, y_pred={"m": array}).table()
        assert rows.confusion("m").cells.trace() == 3
        assert set(rows.classes) == set(labels)


def test_several_data_sets_have_their_own_classes():
    predictions = Predictions.from_arrays(
        ["a", "b", "x", "y", "z"], y_pred={"m": ["a", "a", "x", "y", "y"]}, dataset=["one", "one", "two", "two", "two"]
    )
    assert [rows.classes for rows in predictions] == [("a", "b"), ("x", "y", "z")]
    assert predictions.design.unit == "data sets"
    assert predictions.scores("accuracy").matrix()[:, 0] == pytest.approx([0.5, 2 / 3])


def test_scores_from_every_source():
    wide = pd.DataFrame({"rf": [0.8, 0.9], "nb": [0.7, 0.6]}, index=["iris", "wine"])
    scores = Scores.from_wide(wide)
    assert scores.datasets == ("iris", "wine")
    long = pd.DataFrame([(d, m, v) for d, row in wide.iterrows() for m, v in row.items()], columns=["d", "m", "v"])
    again = Scores.from_frame(long, model="m", value="v", dataset="d")
    assert again.select(models=["rf", "nb"]).matrix() == pytest.approx(scores.matrix())
    assert not Scores.from_wide(wide, measure="log_loss").greater_is_better
    cv = Scores.from_cv_results({"a": {"test_score": [0.1, 0.2, 0.3]}, "b": [0.3, 0.2, 0.1]}, n_train=90, n_test=10)
    assert cv.folds().shape == (3, 2)
    assert (cv.design.n_train, cv.design.n_test, cv.design.unit) == (90, 10, "folds")


def test_cv_results_of_a_search():
    from sklearn.datasets import load_iris
    from sklearn.model_selection import GridSearchCV
    from sklearn.tree import DecisionTreeClassifier

    search = GridSearchCV(DecisionTreeClassifier(random_state=0), {"max_depth": [1, 3]}, cv=4).fit(
        *load_iris(return_X_y=True)
    )
    scores = Scores.from_cv_results(search.cv_results_)
    assert scores.models == ("max_depth=1", "max_depth=3")
    assert scores.folds().mean(axis=0) == pytest.approx(search.cv_results_["mean_test_score"])


def test_designs_are_recognised():
    def design(**keys):
        return Predictions.from_arrays([0, 1] * 10, y_pred={"m": [0, 1] * 10}, **keys).design

    index = np.arange(20)
    assert design().kind == "test set"
    assert design(fold=index % 5).kind == "k-fold"
    assert design(fold=index).kind == "leave-one-out"
    assert design(repeat=index % 4).kind == "hold-out"
    ten = design(repeat=index % 2, fold=index // 2 % 5)
    assert (ten.kind, ten.n_repeats, ten.n_folds, ten.n_splits, ten.n_train, ten.n_test) == ("k-fold", 2, 5, 10, 8, 2)
    assert design(repeat=index % 5, fold=index // 5 % 2).kind == "5x2cv"


@pytest.mark.parametrize(
    "text",
    [
        "y;a\nyes;0,9\nno;0,25\nyes;1\n",
        "y;a\nyes;0.9\nno;0.25\nyes;1\n",
        "\ufeffy;a\r\nyes;0,9\r\nno;0,25\r\nyes;1\r\n",
    ],
)
def test_the_csv_of_spreadsheets_that_write_decimal_commas(tmp_path, text):
    path = tmp_path / "preds.csv"
    path.write_bytes(text.encode())
    rows = Predictions.read(path, y_true="y", y_score="a", pos_label="yes").table()
    assert rows.scores("a").tolist() == [0.9, 0.25, 1.0]
    assert rows.classes == ("no", "yes")


def test_two_columns_of_one_name_are_refused(tmp_path):
    path = tmp_path / "preds.csv"
    path.write_text("y,a,a\n1,0.5,0.2\n0,0.2,0.1\n")
    with pytest.raises(EvidenceError, match="has two columns named 'a'"):
        Predictions.read(path, y_true="y", y_score="a")


@pytest.mark.parametrize("content", [b"\xef\xbb\xbf", b"\x00\x01\x02", b"a" * 200_000, "y,a\n1,\n".encode("utf-16")])
def test_what_is_no_table_is_said(tmp_path, content):
    path = tmp_path / "preds.csv"
    path.write_bytes(content)
    with pytest.raises(EvidenceError):
        Predictions.read(path, y_true="y", y_score="a")


@pytest.mark.parametrize("kind", ["csv", "json"])
def test_a_search_saved_as_a_table_is_read(kind, tmp_path):
    """`cv_results_` of a search in a file: candidates are models, folds are folds, ranks and means are left out."""
    import pandas as pd
    from sklearn.datasets import load_breast_cancer
    from sklearn.model_selection import GridSearchCV
    from sklearn.tree import DecisionTreeClassifier

    grid = {"max_depth": [1, 3], "criterion": ["gini", "entropy"]}
    search = GridSearchCV(DecisionTreeClassifier(random_state=0), grid, cv=4, scoring="roc_auc")
    search.fit(*load_breast_cancer(return_X_y=True))
    table = pd.DataFrame(search.cv_results_)
    file = tmp_path / f"search.{kind}"
    if kind == "csv":
        table.to_csv(file, index=False)
    else:
        table.to_json(file, orient="records")
    theirs = bakeoff.Scores.from_cv_results(search, measure="auc")
    for form in (None, "cv-results"):
        mine = bakeoff.read(file, measure="auc", format=form)
        assert sorted(mine.models) == sorted(theirs.models)
        assert mine.design.kind == "k-fold"
        for model in mine.models:
            a, b = (s.cells["data"][..., s.models.index(model)].ravel() for s in (mine, theirs))
            assert a == pytest.approx(b, rel=1e-9)
    assert mine.source.format == "cv-results"
    assert "cv-results" in bakeoff.evidence.formats()


def test_the_interval_of_an_auc_in_a_folder_loads_no_rows(tmp_path, monkeypatch):
    rng = np.random.default_rng(12)
    truth = rng.integers(0, 2, 400)
    frame = pl.DataFrame({"y": truth, "a": np.round(0.3 * truth + 0.7 * rng.random(400), 3)})
    for part in range(4):
        frame[part::4].write_parquet(tmp_path / f"{part}.parquet")
    expected = bakeoff.evaluate(
        bakeoff.Predictions.from_frame(frame, y_true="y", y_score=["a"], pos_label=1), ["auc", "gini"], baselines=False
    )
    monkeypatch.setattr("bakeoff.evidence._on_demand.RowsOnDemand.load", lambda *a: pytest.fail("rows were loaded"))
    folder = bakeoff.read(tmp_path, y_true="y", y_score=["a"], pos_label=1)
    found = bakeoff.evaluate(folder, ["auc", "gini"], baselines=False)
    for one, other in zip(found.entries, expected.entries, strict=True):
        assert one.interval.method == other.interval.method == "delong"
        limits = [(e.interval.estimate, e.interval.low, e.interval.high, e.standard_error) for e in (one, other)]
        assert limits[0] == pytest.approx(limits[1], rel=1e-12)
