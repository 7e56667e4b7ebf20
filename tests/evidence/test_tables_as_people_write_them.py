"""Tables as spreadsheets and scripts write them: the right winner is named, or one sentence says what is in the way."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import bakeoff
from bakeoff import EvidenceError, ParameterError, Predictions, Scores, compare, read
from bakeoff.evidence import hooks

ROWS = np.arange(12)
GOOD, BAD = (0.90 - ROWS / 300).round(4), (0.70 + ROWS / 500).round(4)
Y = np.random.default_rng(0).permutation(np.arange(200) % 2)
SCORE = (0.15 + 0.7 * Y + np.random.default_rng(1).uniform(-0.1, 0.1, 200)).round(3)
NOISE = np.random.default_rng(2).uniform(0.01, 0.99, 200).round(3)


def written(tmp_path: Path, text: str) -> Path:
    file = tmp_path / "t.csv"
    file.write_bytes(text.encode())
    return file


def lines(*, good: Any = GOOD, bad: Any = BAD, **more: Any) -> str:
    return pd.DataFrame({"good": good, "bad": bad, **more}).to_csv(index=False)


def winner(path: Path, measure: str | None = "accuracy") -> str:
    return compare(read(path, measure=measure), rng=0).best or ""


def test_zstandard_in_several_frames_is_read_whole_and_a_cut_one_is_damaged(tmp_path: Path) -> None:
    text, frames = lines().encode(), b""
    for part in (text[:60], text[60:]):
        sink = pa.BufferOutputStream()
        with pa.CompressedOutputStream(sink, "zstd") as file:
            file.write(part)
        frames += sink.getvalue().to_pybytes()
    path = tmp_path / "t.csv.zst"
    path.write_bytes(frames)
    assert len(read(path, measure="accuracy").datasets) == 12
    for cut in (3, len(frames) // 2 + 5):
        path.write_bytes(frames[:-cut])
        with pytest.raises(EvidenceError, match="compressed and damaged"):
            read(path, measure="accuracy")


# -- what a measure is called -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("written_as", "name", "greater"),
    [
        ("RMSE (test)", "rmse", False),
        ("test_rmse", "rmse", False),
        ("rmse_val", "rmse", False),
        ("MAE [EUR]", "mae", False),
        ("error (%)", "error", False),
        ("Acc.", "accuracy", True),
        ("mean_test_roc_auc", "auc", True),
        ("AUC (test)", "auc", True),
        ("au-roc", "auc", True),
        ("Cohen's kappa", "kappa", True),
        ("NDCG@10", "NDCG@10", True),
        ("recall@5", "recall@5", True),
        ("sMAPE", "sMAPE", False),
        ("EER", "EER", False),
    ],
)
def test_what_is_written_around_a_measures_name_does_not_hide_its_direction(written_as, name, greater) -> None:
    known = hooks.known_quantity(written_as)
    assert known is not None
    assert (known.name, known.greater_is_better) == (name, greater)


def test_negated_scores_by_the_name_that_a_search_gives_them() -> None:
    scores = Scores.from_wide({"good": [-0.1, -0.2], "bad": [-0.5, -0.6]}, measure="mean_test_neg_log_loss")
    assert (scores.measure, scores.greater_is_better) == ("log_loss", False)
    assert scores.matrix().min() > 0
    with pytest.raises(EvidenceError, match="never positive"):
        Scores.from_wide({"good": [0.1, 0.2], "bad": [0.5, 0.6]}, measure="test_neg_log_loss")


def test_names_that_may_turn_a_direction_round_are_still_asked_about() -> None:
    for name in ("-rmse", "1 - AUC", "negative rmse", "drop in accuracy (test)"):
        with pytest.raises(ParameterError, match="is not known whether"):
            Scores.from_wide({"a": [0.1, 0.2], "b": [0.5, 0.6]}, measure=name)


# -- how a file is written --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "sep=;\n" + lines().replace(",", ";"),
        lines().replace("\n", "\r"),
        "\n".join(f"{line},," for line in lines().splitlines()) + "\n",
        "# made by a script\n# on a Tuesday\n" + lines(),
    ],
    ids=["sep line", "line ends of old Macintoshes", "commas at the ends", "comments"],
)
def test_files_of_spreadsheets_are_read(tmp_path, text) -> None:
    assert winner(written(tmp_path, text)) == "good"


@pytest.mark.parametrize("way", ["{} ± 0.01", "{} (0.01)", "**{}**", "${}", "{:.1f}%", "1'{}", "1 100.{}"])
def test_numbers_written_for_readers_do_not_make_a_model_vanish(tmp_path, way) -> None:
    """Half of the cells of one model, so that neither the numbers nor the words are few."""
    good = [way.format(v) if i % 2 else v for i, v in enumerate(GOOD)]
    file = written(tmp_path, lines(good=good, mid=GOOD - 0.1))
    with pytest.raises(EvidenceError, match="column 'good' holds numbers, but"):
        read(file, measure="accuracy")
    file = written(tmp_path, lines(good=[way.format(v) for v in GOOD], mid=GOOD - 0.1))
    if way != "{:.1f}%":  # a column of nothing but percentages is read
        with pytest.raises(EvidenceError, match="column 'good' holds numbers, but"):
            read(file, measure="accuracy")


def test_names_that_begin_with_a_number_are_names(tmp_path) -> None:
    table = lines(problem=[f"{i} spirals" for i in ROWS])
    assert read(written(tmp_path, table), measure="accuracy").datasets[0] == "0 spirals"


def test_a_table_without_headings_is_refused_and_a_frames_own_are_not(tmp_path) -> None:
    rows = "".join(f"{a},{b}\n" for a, b in zip(GOOD, BAD, strict=True))
    with pytest.raises(EvidenceError, match="no line of headings"):
        read(written(tmp_path, rows), measure="accuracy")
    with pytest.raises(EvidenceError, match="no line of headings"):
        read(written(tmp_path, "iris,0.9,0.8\nwine,0.7,0.6\nsonar,0.8,0.7\n"), measure="accuracy")
    assert read(written(tmp_path, "0,1\n" + rows), measure="accuracy").models == ("0", "1")
    assert read(written(tmp_path, "dataset,0.1,10\na,.9,.8\nb,.8,.7\n"), measure="accuracy").models == ("0.1", "10")


# -- rows and columns that are none of the evidence -------------------------------------------------------------------


@pytest.mark.parametrize(
    "name", ["avg.", "Avg rank", "mean ± sd", "Ø", "Mean (all)", "macro avg", "Overall", "Mittelwert", "Promedio",
             "Média", "std.", "p-value", "W/T/L", "25%"],
)  # fmt: skip
def test_a_row_of_summary_by_any_name(tmp_path, name) -> None:
    rows = "".join(f"d{i},{a},{b}\n" for i, (a, b) in enumerate(zip(GOOD, BAD, strict=True)))
    with pytest.raises(EvidenceError, match="looks like a summary"):
        read(written(tmp_path, f"dataset,good,bad\n{rows}{name},0.8,0.7\n"), measure="accuracy")


def test_a_last_row_that_is_the_mean_of_the_others_whatever_it_is_called(tmp_path) -> None:
    rows = "".join(f"d{i},{a},{b}\n" for i, (a, b) in enumerate(zip(GOOD, BAD, strict=True)))
    means = f"{GOOD.mean():.4f},{BAD.mean():.4f}\n"
    for first in ("x,", "d12,"):
        with pytest.raises(EvidenceError, match="is the mean of the rows above it"):
            read(written(tmp_path, f"dataset,good,bad\n{rows}{first}{means}"), measure="accuracy")
    assert winner(written(tmp_path, f"dataset,good,bad\n{rows}d12,0.88,0.71\n")) == "good"


@pytest.mark.parametrize("name", ["d0", "wine", "d-w-t", "media-mill", "total-variation", "meanshift"])
def test_names_of_data_sets_are_no_summaries(tmp_path, name) -> None:
    rows = "".join(f"d{i},{a},{b}\n" for i, (a, b) in enumerate(zip(GOOD, BAD, strict=True)) if i)
    if name != "d-w-t":
        assert winner(written(tmp_path, f"dataset,good,bad\n{rows}{name},0.88,0.71\n")) == "good"


@pytest.mark.parametrize("name", ["n_samples", "n_features", "Year", "batch_size", "n_params", "level_0", "dataset_id"])
def test_a_column_about_the_rows_is_left_out_with_a_note(tmp_path, name) -> None:
    scores = read(written(tmp_path, lines(**{name: ROWS * 7 % 5})), measure="rmse")
    assert scores.models == ("good", "bad")
    assert "not-models" in {note.code for note in scores.notes}


@pytest.mark.parametrize(
    "name", ["fold_id", "CV fold", "split_id", "rep", "Repetition", "std", "rank", "p_value", "diff"]
)
def test_a_column_that_tells_rows_apart_or_sums_them_up_is_asked_about(tmp_path, name) -> None:
    with pytest.raises(EvidenceError, match=r"seems to tell rows apart|looks like a summary of the others"):
        read(written(tmp_path, lines(**{name: ROWS * 7 % 5 / 10})), measure="rmse")


def test_a_column_of_means_is_no_model_but_a_model_may_be_called_mean(tmp_path) -> None:
    for name, of in (("mean", (GOOD + BAD) / 2), ("best", GOOD), ("Max", GOOD), ("min", BAD)):
        with pytest.raises(EvidenceError, match="looks like a summary of the others"):
            read(written(tmp_path, lines(**{name: of.round(4)})), measure="accuracy")
    assert read(written(tmp_path, lines(mean=BAD - 0.1)), measure="accuracy").models == ("good", "bad", "mean")


@pytest.mark.parametrize("name", ["runtime", "fit_time", "AUC", "test_loss"])
def test_a_column_that_has_the_name_of_a_measure_is_no_model(tmp_path, name) -> None:
    file = written(tmp_path, lines(**{name: BAD / 2}))
    with pytest.raises(EvidenceError, match="has the name of a measure, not of a model"):
        read(file, measure="rmse")
    assert read(file, measure="rmse", models=["good", "bad"]).models == ("good", "bad")


def test_measures_in_columns_beside_rows_that_are_models_are_no_data_sets(tmp_path) -> None:
    file = written(tmp_path, "model,accuracy,auc,log_loss\nrf,.9,.95,.3\nnb,.8,.85,.5\n")
    with pytest.raises(EvidenceError, match="has the name of a measure, not of a data set"):
        read(file, greater_is_better=True)


# -- values that stand for none ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("stand_in", [-1, -9, -99, 999, 9999, 1e20])
def test_a_number_that_stands_for_a_missing_score(stand_in) -> None:
    good = SCORE.copy()
    good[:20] = stand_in
    with pytest.raises(EvidenceError, match="is that a missing value"):
        Predictions.from_arrays(Y, y_score={"good": good, "bad": NOISE})


def test_scores_that_are_no_probabilities_are_left_alone() -> None:
    for scores in (SCORE * 8 - 4, np.round(SCORE * 2), np.where(Y == 1, 2, 0) + (SCORE > 0.5), -np.log(1 / SCORE)):
        assert Predictions.from_arrays(Y, y_score={"m": scores}).n == 200


@pytest.mark.parametrize("label", [-9, 9, 99, 999, 10**7])
def test_a_label_apart_from_the_classes(label) -> None:
    truth = np.where(np.arange(200) < 20, label, Y)
    with pytest.raises(EvidenceError, match=f"the truth is missing: {label}"):
        Predictions.from_arrays(truth, y_score={"m": SCORE}, pos_label=1)
    given = Predictions.from_arrays(truth, y_pred={"m": truth}, classes=sorted({0, 1, label}))
    assert len(given.table().classes) == 3


@pytest.mark.parametrize("classes", [(0, 1, 2), (1, 2, 3), (-1, 1, 3), (3, 8, 9), tuple(range(10)), (-2, -1, 0, 1, 2)])
def test_ordinary_whole_numbers_are_classes(classes) -> None:
    truth = [classes[i % len(classes)] for i in range(60)]
    assert Predictions.from_arrays(truth, y_pred={"m": truth}).table().classes == classes


def test_marks_in_predicted_labels_are_missing_values(tmp_path) -> None:
    file = written(tmp_path, "y,a,b\n" + "yes,yes,no\nno,NA,no\nno,no,yes\nyes,yes,yes\n" * 10)
    with pytest.raises(EvidenceError, match="must not have missing values, but line 3 has one") as problem:
        read(file, y_true="y", y_pred=["a", "b"])
    assert "--drop-missing" in str(problem.value)
    assert read(file, y_true="y", y_pred=["a", "b"], drop_missing=True).n == 30


@pytest.mark.parametrize(
    ("text", "name", "line"),
    [
        ("y,a\n0,.1\n\n1,x\n0,.2\n", "t.csv", 4),
        ('# made today\n"y","a"\n0,.1\n1,.9\n,.2\n', "t.csv", 5),
        ('y,a,note\n0,.1,"two\nlines"\n1,.9,b\n,.2,c\n', "t.csv", 5),
        ('{"y": 0, "a": 0.1}\n{"y": 1, "a": 0.9}\n{"y": null, "a": 0.2}\n', "t.jsonl", 3),
    ],
)
def test_an_error_names_the_line_that_an_editor_shows(tmp_path, text, name, line) -> None:
    path = tmp_path / name
    path.write_text(text)
    with pytest.raises(EvidenceError, match=rf"line {line}\b"):
        read(path, y_true="y", y_score="a", pos_label=1)


def test_blank_lines_and_rows_of_commas_are_no_rows(tmp_path) -> None:
    text = "y,a,b\n" + "yes,.9,.8\nno,.2,.3\n\nno,.1,.4\nyes,.8,.6\n" * 8 + ",,\n,,\n\n"
    assert read(written(tmp_path, text), y_true="y", y_score=["a", "b"], pos_label="yes").n == 32


def test_what_is_masked_is_missing() -> None:
    masked = np.ma.array(SCORE, mask=np.arange(200) < 20)
    with pytest.raises(EvidenceError, match="must be finite, but row 0 is nan"):
        Predictions.from_arrays(Y, y_score={"m": masked})
    plain = np.ma.array(SCORE, mask=False)
    assert compare(Predictions.from_arrays(Y, y_score={"good": plain, "bad": NOISE}), "auc").best == "good"


def test_a_positive_class_typed_as_the_file_writes_it(tmp_path) -> None:
    text = "y,m\n" + "".join(f"{float(v)},{s}\n" for v, s in zip(Y, SCORE, strict=True))
    assert read(written(tmp_path, text), y_true="y", y_score="m", pos_label="1.0").table().pos_label == 1


def test_odd_arguments_have_a_sentence() -> None:
    p = Predictions.from_arrays(Y, y_score={"m": SCORE, "n": NOISE})
    for call in (
        lambda: bakeoff.evaluate(p, 5),
        lambda: bakeoff.advise(n_models=2, n_datasets=1, measure=np.zeros(2)),
        lambda: bakeoff.stats.auc(np.zeros((6, 2, 2)), [0] * 6),
        lambda: compare(Scores.from_wide({"a": [np.nan], "b": [0.5]}, measure="auc")),
    ):
        with pytest.raises(bakeoff.BakeoffError):
            call()
    one = Predictions.from_arrays(["a"], y_pred={"m": ["a"], "n": ["a"]})
    with pytest.warns(bakeoff.BakeoffWarning):
        assert bakeoff.evaluate(one, "f1_macro").entries  # one row of one class has an answer, if no interval


# -- what stands beside the models, and what is not there -------------------------------------------------------------


@pytest.mark.parametrize("content", [b"", b"\n\n \r\n", b"\xef\xbb\xbf", b"\xff\xfe\n\x00"])
@pytest.mark.parametrize("asked", [{}, {"y_true": "y"}, {"y_true": "y", "y_score": ["good"]}, {"format": "outcomes"}])
def test_a_file_with_nothing_in_it_is_empty_whatever_is_asked_of_it(
    tmp_path: Path, content: bytes, asked: dict[str, Any]
) -> None:
    path = tmp_path / "t.csv"
    path.write_bytes(content)
    with pytest.raises(EvidenceError, match=r"the file .*t\.csv' is empty"):
        read(path, **asked)


@pytest.mark.parametrize("asked", [{}, {"format": "outcomes"}, {"y_true": "y", "y_score": ["good"]}])
def test_a_heading_alone_is_a_table_without_rows(tmp_path: Path, asked: dict[str, Any]) -> None:
    with pytest.raises(EvidenceError, match="the table has no rows"):
        read(written(tmp_path, "y,good,bad\n"), **asked)


@pytest.mark.parametrize("name", ["good_std", "std good", "good.rank", "good (SE)", "good_test_std"])
def test_what_was_computed_beside_a_models_score_is_no_model(tmp_path: Path, name: str) -> None:
    path = written(tmp_path, lines(**{name: 0.01 + ROWS % 3 / 1000}))
    with pytest.raises(EvidenceError, match="looks like a summary of the others"):
        read(path, measure="error")
    assert read(path, measure="error", models=["good", "bad"]).models == ("good", "bad")


@pytest.mark.parametrize("name", ["rf_svm", "bad_rank_net", "std"])
def test_other_names_that_share_a_word_are_models_or_told_as_before(tmp_path: Path, name: str) -> None:
    path = written(tmp_path, lines(**{name: BAD - 0.1}))
    if name == "std":
        with pytest.raises(EvidenceError, match="looks like a summary"):
            read(path, measure="accuracy")
    else:
        assert read(path, measure="accuracy").models == ("good", "bad", name)


def test_scores_on_training_rows_are_no_model(tmp_path: Path) -> None:
    columns = {"good_train": 0.91 + 0 * ROWS, "good_test": GOOD, "bad_train": 0.99 + 0 * ROWS, "bad_test": BAD}
    path = written(tmp_path, pd.DataFrame(columns).to_csv(index=False))
    with pytest.raises(EvidenceError, match="'good_train' seems to hold scores on training rows"):
        read(path, measure="accuracy")
    kept = read(path, measure="accuracy", models=["good_test", "bad_test"])
    assert compare(kept, rng=0).best == "good_test"


@pytest.mark.parametrize(
    ("name", "values"),
    [("split", ["train", "train", "test"]), ("Set", ["Training ", "val", "Test"]), ("is_train", [True, True, False])],
)
def test_training_rows_among_predictions_are_asked_about(tmp_path: Path, name: str, values: list[Any]) -> None:
    told = (values * 67)[:200]
    learnt = np.where([v in (True, "train", "Training ") for v in told], Y, 1 - Y)  # it knows its training rows only
    frame = pd.DataFrame({name: told, "y": Y, "learnt": learnt, "honest": SCORE})
    asked: dict[str, Any] = {"y_true": "y", "y_score": ["learnt", "honest"]}
    with pytest.raises(EvidenceError, match=r"of 200 rows are training rows"):
        read(written(tmp_path, frame.to_csv(index=False)), **asked)
    with pytest.raises(EvidenceError, match=r"of 200 rows are training rows"):
        Predictions.from_frame(frame, **asked)
    assert Predictions.from_frame(frame, slices=name, **asked).n == 200
    assert Predictions.from_frame(frame[learnt != Y], **asked).n == (learnt != Y).sum()


def test_words_of_another_column_are_no_parts(tmp_path: Path) -> None:
    frame = pd.DataFrame({"mood": ["train", "bus"] * 100, "train": np.arange(200), "y": Y, "good": SCORE})
    assert read(written(tmp_path, frame.to_csv(index=False)), y_true="y", y_score=["good"]).n == 200


def test_items_that_come_again_are_asked_about(tmp_path: Path) -> None:
    items = pd.DataFrame({"item": [f"q{i // 3}" for i in range(60)], "try": [i % 3 for i in range(60)],
                          "good": [1, 1, 0] * 20, "bad": [1, 0, 0] * 20})  # fmt: skip
    path = written(tmp_path, items.to_csv(index=False))
    for asked in ({}, {"groups": "try"}):
        with pytest.raises(EvidenceError, match="'q0' comes more than once in the column 'item'"):
            read(path, format="outcomes", models=None, **asked)
    assert read(path, format="outcomes", item="item", attempt="try").n == 20
    assert read(path, format="outcomes", models=["good", "bad"]).n == 60
    assert read(path, format="outcomes", dataset="try").datasets == ("0", "1", "2")  # the same names in each data set
    assert read(written(tmp_path, items.drop_duplicates("item").to_csv(index=False)), format="outcomes",
                attempt="try").n == 20  # fmt: skip


def test_a_table_of_items_without_rows_is_told() -> None:
    with pytest.raises(EvidenceError, match="the outcome table has no rows"):
        Predictions.from_outcomes(pd.DataFrame({"item": [], "good": [], "bad": []}))


def test_keys_of_another_length_are_told_when_rows_are_left_out() -> None:
    with pytest.raises(EvidenceError, match=r"groups must have one value per row \(4\)"):
        Predictions.from_outcomes({"a": [1, 0, None, 1], "b": [1, 1, 0, 0]}, groups=["x", "y"], drop_missing=True)


def test_classes_that_differ_in_case_only_have_each_their_own_column() -> None:
    table = pd.DataFrame({"a": SCORE, "A": 1 - SCORE})  # not in the order of the classes
    p = Predictions.from_arrays(np.where(Y, "a", "A"), y_score={"good": table}, classes=["A", "a"], pos_label="a")
    assert bakeoff.evaluate(p, ["auc"])["good", "auc"].estimate == 1.0


@pytest.mark.parametrize("turned", [False, True])
def test_a_table_of_right_and_wrong_answers_is_no_table_of_scores(tmp_path: Path, turned: bool) -> None:
    cells = {"TP": [40, 38, 30], "fp": [5, 9, 4], "fn": [10, 12, 20], "tn": [45, 41, 46]}
    table = pd.DataFrame(cells, index=["a", "b", "c"])
    (table.T if turned else table).to_csv(tmp_path / "confusion.csv", index_label="name")
    with pytest.raises(EvidenceError, match="which model was right on which case"):
        read(tmp_path / "confusion.csv")
