"""Ordinary files, as people have them: the right winner is named, or the command asks.

Each test fails on the first build.
The numbers in the names are the findings of the audit of how evidence gets in.
"""

from __future__ import annotations

import gzip
import io
from pathlib import Path

import polars as pl
import pytest

from bakeoff.cli._app import run

ERRORS = [(f"d{i}", 0.10 + i / 500, 0.18 + i / 450) for i in range(12)]
SCORES = [(0.90 - i / 300, 0.70 + i / 500) for i in range(12)]
LABELS = ("no", "yes")


def table(heading: str, rows) -> str:
    return heading + "\n" + "".join(",".join(map(str, row)) + "\n" for row in rows)


@pytest.fixture
def files(tmp_path: Path) -> Path:
    def put(name: str, text: str) -> None:
        (tmp_path / name).write_text(text)

    put("err.csv", table("dataset,good,bad", ((d, f"{a:.3f}", f"{b:.3f}") for d, a, b in ERRORS)))
    long = [(m, d, f"{v:.3f}") for d, a, b in ERRORS for m, v in (("good", a), ("bad", b))]
    put("long.csv", table("model,data,RMSE", long))
    put("id.csv", table("id,new,old", ((i, *s) for i, s in enumerate(SCORES))))
    put("fold.csv", table("fold,new,old", ((i, *s) for i, s in enumerate(SCORES))))
    put("rows.csv", table("dataset,rows,new,old", ((f"d{i}", 100 + 37 * i, *s) for i, s in enumerate(SCORES))))
    put("size.csv", table("dataset,length,new,old", ((f"d{i}", 100 + 37 * i, *s) for i, s in enumerate(SCORES))))
    put("items.csv", table("item,new,old", ((1000 + i, int(i % 5 != 0), int(i % 2 == 0)) for i in range(60))))
    out = ((f"q{i}", "NA" if i == 6 else int(i % 6 != 1), int(i % 3 != 0), int(i % 2 == 0)) for i in range(60))
    put("na_out.csv", table("item,best,mid,low", out))
    wide = (("NA" if i == 4 else 0.90 - i / 300, 0.70 + i / 500, 0.60 + i / 900) for i in range(12))
    put("na_wide.csv", table("best,mid,low", wide))
    for mark in ("NA", "?", "-999", "N/A", "null"):
        put(f"truth_{mark.replace('/', '')}.csv", table("y,a,b", _unlabelled(mark)))
    put("preds.csv", table("y,old,new", (_scored(i, LABELS[i % 2]) for i in range(154))))
    put("n01.csv", table("y,old,new", (_scored(i, i % 2) for i in range(154))))
    put("lat.csv", table("old,new", ((1 + i % 7 / 50, 2 + i % 5 / 50) for i in range(50))))
    prices = ((f"{v:,}", f"{v + 20:,}", f"{v + 60:,}") for v in range(800, 1400, 20))
    semicolons = "".join(";".join(row).replace(",", ".") + "\n" for row in prices)  # 1.000 is a thousand
    put("semi.csv", f"price;good;bad\n{semicolons}")
    classes = ("low", "mid", "high")
    put("mc.csv", table("y," + ",".join(f"{m}_{k}" for m in ("good", "bad") for k in classes), _multiclass(classes)))
    put("mean.csv", "fold,a,b\n0,.80,.70\n1,.81,.71\n2,.82,.72\n3,.83,.73\n4,.84,.74\nmean,.82,.72\nstd,.0158,.0158\n")
    put(
        "turned.csv",
        "model,d1,d2,d3,d4,d5,d6\nrf,.9,.8,.85,.91,.81,.86\nnb,.8,.7,.75,.8,.7,.75\nlr,.7,.6,.65,.7,.6,.65\n",
    )
    put("index.csv", table(",new,old", ((i, *s) for i, s in enumerate(SCORES))))
    put(
        "attempt.csv",
        table("question,attempt,a,b", ((i // 3, i % 3, int(i % 5 != 0), int(i % 2 == 0)) for i in range(60))),
    )
    return tmp_path


def _unlabelled(mark: str):
    zero_one = mark == "-999"
    for i in range(120):
        truth = ((1, 0) if zero_one else ("yes", "no"))[i % 2] if i % 4 < 2 else mark
        yield truth, 0.9 if i % 4 in (0, 2, 3) else 0.1, 0.6 if i % 4 == 0 else (0.7 if i % 12 == 1 else 0.4)


def _scored(i: int, label):
    return label, f"{(0.2, 0.8)[i % 2] + (i % 7 - 3) / 20:.2f}", f"{(0.4, 0.6)[i % 2] + (i % 11 - 5) / 15:.2f}"


def _multiclass(classes):
    for i in range(90):
        good = [0.8 if j == i % 3 else 0.1 for j in range(3)]
        bad = [0.4 if j == (i % 3 if i % 4 else (i + 1) % 3) else 0.3 for j in range(3)]
        yield classes[i % 3], *good, *bad


@pytest.fixture
def say(files, capsys, monkeypatch):
    """Run a command; return status and all that was printed."""
    monkeypatch.chdir(files)

    def call(line: str, **more: bytes) -> tuple[int, str]:
        with pytest.raises(SystemExit) as stop:
            run(line.split())
        out, err = capsys.readouterr()
        assert "Traceback" not in err
        return int(stop.value.code or 0), out + err

    return call


@pytest.mark.parametrize(
    "name",
    ["RMSE", "Rmse", "rmse", "Error", "MAE", "Brier", "log-loss", "mean_absolute_error", "misclassification", "loss",
     "hamming_loss", "wer", "perplexity", "rmsle", "deviance", "time", "latency", "zero_one_loss"],
)  # fmt: skip
def test_d1_the_direction_of_a_loss_in_any_spelling(say, name: str) -> None:
    status, out = say(f"compare err.csv --measure {name}")
    assert status == 0
    assert "good is better than bad" in out
    status, out = say(f"gate err.csv --baseline good --candidate bad --measure {name} --margin 0.01")
    assert status == 1


def test_d1_a_name_that_says_nothing_is_asked_about(say) -> None:
    status, out = say("compare err.csv --measure quality")
    assert status == 2
    assert "--lower-is-better" in out
    assert "good is better than bad" in say("compare err.csv --measure quality --lower-is-better")[1]
    assert "bad is better than good" in say("compare err.csv --measure quality --greater-is-better")[1]


@pytest.mark.parametrize("told", ["--greater-is-better", "--measure quality --greater-is-better", "--measure BLEU"])
def test_one_model_in_percent_is_asked_about_though_the_direction_is_stated(say, files, told: str) -> None:
    rows = [(f"d{i}", a, 100 * b) for i, (a, b) in enumerate(SCORES)]
    (files / "mixed.csv").write_text(table("dataset,good,bad", rows))
    long = [(m, d, v) for d, a, b in rows for m, v in (("good", a), ("bad", b))]
    (files / "mixed_long.csv").write_text(table("model,d,v", long))
    gate = "--baseline good --candidate bad --superior"
    for file in ("mixed.csv", "mixed_long.csv --model model --value v --dataset d"):
        for command in ("compare", "evaluate", "report", f"gate {gate}"):
            verb, _, more = command.partition(" ")
            status, out = say(f"{verb} {file} {more} {told}".replace("  ", " "))
            assert status == 2, (command, out)
            assert "they are on different scales" in out
            assert "--mixed-scales" in out
        assert say(f"gate {file} {gate} {told} --mixed-scales")[0] == 0
    assert say("compare preds.csv --truth y --positive yes --score old --mixed-scales")[0] == 2


def test_d1_the_heading_of_a_long_table(say) -> None:
    assert "good is better than bad" in say("compare long.csv --model model --value RMSE --dataset data")[1]


def test_d2_without_a_measure_the_direction_is_told_and_a_gate_refuses(say) -> None:
    assert "More was taken as better" in say("compare err.csv")[1]
    status, out = say("gate err.csv --baseline good --candidate bad --margin 0.01")
    assert status == 2
    assert "--lower-is-better" in out
    assert say("gate err.csv --baseline good --candidate bad --margin 0.01 --lower-is-better")[0] == 1


def test_d3_the_report_takes_the_measure(say) -> None:
    assert "good is better than bad" in say("report err.csv --measure rmse -o r.html")[1]
    assert say("report err.csv --measure nonsense -o r.html")[0] == 2
    assert "good is better than bad" in say("report err.csv --lower-is-better -o r.html")[1]


@pytest.mark.parametrize("name", ["id.csv", "rows.csv", "index.csv"])
def test_d5_a_column_that_is_no_model(say, name: str) -> None:
    status, out = say(f"compare {name} --measure accuracy")
    assert status == 0
    assert "new is better than old" in out
    assert "no models by their names" in out


def test_d5_numbers_like_an_identifier_are_asked_about(say) -> None:
    status, out = say("compare size.csv --lower-is-better")
    assert status == 2
    assert "'length'" in out
    assert "--models" in out
    assert "new is better than old" in say("compare size.csv --measure accuracy --models new,old")[1]


def test_d5_items_are_no_model(say) -> None:
    status, out = say("compare items.csv --outcomes")
    assert status == 0
    assert out.startswith("new is better than old")


def test_d6_a_wide_table_of_folds(say) -> None:
    status, out = say("compare fold.csv --fold fold --measure accuracy --n-train 90 --n-test 10")
    assert status == 0
    assert "12-fold cross-validation of 2 models" in out
    assert "corrected" in out
    status, out = say("compare fold.csv --measure accuracy")
    assert status == 2
    assert "--fold fold" in out


@pytest.mark.parametrize("option", ["--groups id", "--weight id", "--instance id", "--positive yes", "--n-train 5"])
def test_d6_options_that_nobody_reads_are_refused(say, option: str) -> None:
    status, out = say(f"compare id.csv --measure accuracy {option}")
    assert status == 2
    assert option.split()[0] in out


def test_d7_a_mark_does_not_make_a_model_vanish(say) -> None:
    status, out = say("compare na_out.csv --outcomes")
    assert status == 2
    assert "'best'" in out
    assert "--drop-missing" in out
    status, out = say("compare na_out.csv --outcomes --drop-missing")
    assert status == 0
    assert "3 models" in out
    assert "1 of 60 rows were left out" in out
    assert "best ranks best" in say("compare na_wide.csv --measure accuracy")[1]


@pytest.mark.parametrize("name", ["truth_NA.csv", "truth_?.csv", "truth_-999.csv", "truth_null.csv"])
def test_d8_marks_in_the_truth_are_no_class(say, name: str) -> None:
    positive = "1" if "999" in name else "yes"
    status, out = say(f"compare {name} --truth y --score a --score b --positive {positive} -m auc")
    assert status == 2
    assert "60 rows" in out
    assert "--drop-missing" in out
    if "999" not in name:
        status, out = say(f"compare {name} --truth y --score a --score b --positive yes -m auc --drop-missing")
        assert "a is better than b" in out
        assert "60 of 120 rows were left out" in out


def test_d9_probabilities_belong_to_the_class_in_their_name(say) -> None:
    models = "--score good=good_low,good_mid,good_high --score bad=bad_low,bad_mid,bad_high"
    assert "good is better than bad" in say(f"compare mc.csv --truth y {models} --measure log_loss")[1]
    frame = pl.read_csv("mc.csv")
    frame.rename({c: f"c{i}" for i, c in enumerate(frame.columns) if i}).write_csv("anon.csv")
    unnamed = "--score good=c1,c2,c3 --score bad=c4,c5,c6"
    status, out = say(f"compare anon.csv --truth y {unnamed} --measure log_loss")
    assert status == 2
    assert "--classes" in out
    stated = f"compare anon.csv --truth y {unnamed} --measure log_loss --classes low,mid,high"
    assert "good is better than bad" in say(stated)[1]


@pytest.fixture
def parts(files) -> Path:
    n = 100
    y, site = [LABELS[i % 2] for i in range(n)], ["A", "B", "C", "D", "E"] * (n // 5)
    good = [(0.2, 0.8)[i % 2] + (i % 7 - 3) / 20 for i in range(n)]
    bad = [(0.45, 0.55)[i % 2] + (i % 11 - 5) / 12 for i in range(n)]
    rows = pl.DataFrame(
        {"id": list(range(n)) * 2, "site": site * 2, "y": y * 2, "model": ["good"] * n + ["bad"] * n, "p": good + bad}
    )
    for folder in ("part", "wide", "hive/model=good", "hive/model=bad", "apart", "csvs"):
        (files / folder).mkdir(parents=True)
    rows[:n].write_parquet(files / "part" / "1.parquet")
    rows[n:].write_parquet(files / "part" / "2.parquet")
    rows.write_csv(files / "part.csv")
    rows[:n].write_csv(files / "csvs" / "1.csv")
    rows[n:].write_csv(files / "csvs" / "2.csv")
    for name, block in (("good", rows[:n]), ("bad", rows[n:])):
        block.drop("model").write_parquet(files / "hive" / f"model={name}" / "0.parquet")
        block.drop("model").write_parquet(files / "apart" / f"{name}.parquet")
    pl.DataFrame({"site": site, "y": y, "good": good, "bad": bad}).write_parquet(files / "wide" / "1.parquet")
    return files


def test_d10_files_and_folders_alike(parts, say) -> None:
    options = "--truth y --model model --instance id --score p --positive yes -m auc"
    answers = {say(f"compare {name} {options}")[1] for name in ("part", "part.csv", "csvs", "hive")}
    assert len(answers) == 1
    assert "good is better than bad" in answers.pop()
    assert (
        "5 data sets" in say("compare wide --truth y --score good --score bad --positive yes --dataset site -m auc")[1]
    )
    status, out = say("evaluate apart --truth y --score p --positive yes -m auc")
    assert status == 2
    assert "is each file a model" in out


def test_d12_the_wrong_positive_class(say) -> None:
    options = "preds.csv --truth y --baseline old --candidate new --measure auc --margin 0.01"
    status, out = say(f"gate {options} --positive no")
    assert status == 2
    assert "below 0.5" in out
    assert say(f"gate {options} --positive yes")[0] == 1
    assert "below 0.5" in say("compare preds.csv --truth y --score old --score new --positive no -m auc")[1]


@pytest.mark.parametrize("margin", ["5", "1", "0.5"])
def test_d13_a_margin_as_large_as_the_range(say, margin: str) -> None:
    options = "gate preds.csv --truth y --baseline old --candidate new --positive yes --measure auc --margin"
    status, out = say(f"{options} {margin}")
    assert status == 2
    assert "half" in out
    assert say(f"{options} 5%")[0] == 1


def test_d14_outcomes_of_which_less_is_better(say) -> None:
    for how in ("--lower-is-better", "--measure latency", "--measure seconds"):
        status, out = say(f"gate lat.csv --outcomes --baseline old --candidate new --margin 0.1 {how}")
        assert status == 1
        assert "old is better than new" in out


def test_d22_separators_of_thousands(say) -> None:
    status, out = say("evaluate semi.csv --truth price --value good --value bad -m mae")
    assert status == 2
    assert "thousands" in out


def test_d23_the_truth_is_no_model(say) -> None:
    for command in ("compare n01.csv", "report n01.csv -o r.html"):
        status, out = say(command)
        assert status == 2
        assert "--truth" in out


def test_d25_a_misspelt_data_set(say) -> None:
    status, out = say("compare preds.csv --truth y --score old --score new --positive yes --dataset hosptial")
    assert status == 2
    assert "'hosptial'" in out


def test_d26_rows_of_summary(say) -> None:
    for option in ("", " --fold fold"):
        status, out = say(f"compare mean.csv --measure accuracy{option}")
        assert status == 2
        assert "summary" in out


def test_d27_rows_that_are_models(say) -> None:
    _status, out = say("compare turned.csv --measure accuracy")
    assert "rf ranks best" in out
    assert "rows of the table were taken as models" in out


def _rows(separator: str = ",", comma: bool = False, percent: bool = False) -> str:
    lines = [separator.join(("y", "good", "bad"))]
    for i in range(80):
        numbers = [0.2 + 0.6 * (i % 2) + (i % 7 - 3) / 20, 0.45 + 0.1 * (i % 2) + (i % 11 - 5) / 12]
        cells = [f"{100 * n:.1f}%" if percent else f"{n:.3f}" for n in numbers]
        lines.append(separator.join([LABELS[i % 2], *((c.replace(".", ",") for c in cells) if comma else cells)]))
    return "\n".join(lines) + "\n"


PLAIN = _rows()
WRITTEN = {
    "plain.csv": PLAIN.encode(),
    "packed.csv.gz": gzip.compress(PLAIN.encode()),
    "noextension": PLAIN.encode(),
    "table.dat": PLAIN.encode(),
    "tabs.csv": _rows("\t").encode(),
    "bars.csv": _rows("|").encode(),
    "semicolons.csv": _rows(";", comma=True).encode(),
    "commas.tsv": _rows("\t", comma=True).encode(),
    "percent.csv": _rows(percent=True).encode(),
    "comment.csv": b"# made by a tool\n" + PLAIN.encode(),
    "spaces.csv": PLAIN.replace(",", ", ").encode(),
    "utf16.csv": PLAIN.encode("utf-16"),
    "bom.csv": PLAIN.encode("utf-8-sig"),
    "lines.jsonl": pl.read_csv(io.StringIO(PLAIN)).write_ndjson().encode(),
    "rows.json": pl.read_csv(io.StringIO(PLAIN)).write_json().encode(),
}  # fmt: skip


@pytest.mark.parametrize("name", WRITTEN)
def test_d30_files_people_have(say, name: str) -> None:
    Path(name).write_bytes(WRITTEN[name])
    status, out = say(f"compare {name} --truth y --score good --score bad --positive yes -m auc")
    assert status == 0
    assert "good is better than bad" in out


def test_d30_accents_in_another_encoding(say) -> None:
    Path("latin.csv").write_bytes(PLAIN.replace("yes", "sí").encode("latin-1"))
    assert (
        "good is better than bad" in say("compare latin.csv --truth y --score good --score bad --positive sí -m auc")[1]
    )


def test_d30_standard_input(say, monkeypatch) -> None:
    class Stream:
        buffer = io.BytesIO(PLAIN.encode())

    monkeypatch.setattr("sys.stdin", Stream)
    _status, out = say("compare - --truth y --score good --score bad --positive yes -m auc")
    assert "good is better than bad" in out


@pytest.mark.parametrize("mark", ["NA", "null", "None", "?", ".", "-", "N/A", "nan", ""])
def test_d31_marks_in_scores(say, mark: str) -> None:
    lines = PLAIN.splitlines()
    lines[5] = f"{lines[5].split(',')[0]},{mark},0.4"
    Path("marks.csv").write_text("\n".join(lines) + "\n")
    options = "compare marks.csv --truth y --score good --score bad --positive yes -m auc"
    status, out = say(options)
    assert status == 2
    assert "line 6" in out
    assert "--drop-missing" in out
    status, out = say(f"{options} --drop-missing")
    assert "good is better than bad" in out
    assert "1 of 80 rows were left out" in out


def test_d32_outcomes_in_words(say) -> None:
    rows = ((f"q{i}", ("fail", "pass")[i % 5 != 0], ("fail", "pass")[i % 2 == 0]) for i in range(60))
    Path("words.csv").write_text(table("item,new,old", rows))
    assert "new is better than old" in say("compare words.csv --outcomes")[1]


def test_d38_every_command_takes_every_kind(say) -> None:
    assert say("report long.csv --model model --value RMSE --dataset data -o r.html")[0] == 0
    assert say("report items.csv --outcomes -o r.html")[0] == 0
    assert say("evaluate items.csv --outcomes")[0] == 0
    assert say("evaluate long.csv --model model --value RMSE --dataset data")[0] == 0


@pytest.mark.parametrize("name", ["AUC", "roc_auc_score", "ROC AUC", "neg_brier_score", "Brier-Score", "neg_log_loss"])
def test_d40_names_of_measures_on_predictions(say, name: str) -> None:
    Path("p.csv").write_text(PLAIN)
    command = ["compare", "p.csv", "--truth", "y", "--score", "good", "--positive", "yes", "--score", "bad"]
    with pytest.raises(SystemExit) as stop:
        run([*command, "--measure", name])
    if "AUC" in name.upper():
        assert not stop.value.code


def test_d40_several_measures_at_once(say) -> None:
    Path("p.csv").write_text(PLAIN)
    options = "p.csv --truth y --score good --score bad --positive yes"
    assert say(f"evaluate {options} --measure auc,average_precision")[0] == 0
    for twice in ("--measure auc,accuracy", "--measure auc --measure accuracy"):
        status, out = say(f"compare {options} {twice}")
        assert status == 2
        assert "one measure" in out


def test_d41_gate_without_a_measure(say) -> None:
    rows = ((LABELS[i % 2], LABELS[(i + (i % 9 == 0)) % 2], LABELS[(i + (i % 4 == 0)) % 2]) for i in range(90))
    Path("labels.csv").write_text(table("y,new,old", rows))
    assert say("gate labels.csv --truth y --baseline old --candidate new --margin 0.05")[0] == 0
    values = ((i / 7, i / 7 + (i % 3) / 10, i / 7 + (i % 5) / 5) for i in range(60))
    Path("values.csv").write_text(table("y,new,old", values))
    assert say("gate values.csv --truth y --baseline old --candidate new --margin 0.05")[0] == 0


def test_d43_truth_written_as_text(say) -> None:
    for pair in (("0", "1"), ("false", "true"), ("FALSE", "TRUE"), ("False", "True")):
        Path("t.csv").write_text(PLAIN.replace("yes", pair[1]).replace("no", pair[0]))
        assert "good is better than bad" in say("compare t.csv --truth y --score good --score bad -m auc")[1]


def test_d48_hints_name_options(say) -> None:
    Path("p.csv").write_text(PLAIN)
    status, out = say("compare p.csv --truth y --score good --score bad -m auc")
    assert status == 2
    assert "--positive" in out
    assert "pos_label" not in out
    assert "y_score" not in out


def test_j4_attempts_are_no_model(say) -> None:
    status, out = say("compare attempt.csv --outcomes")
    assert status == 2
    assert "'attempt'" in out
    status, out = say("compare attempt.csv --outcomes --groups question --models a,b")
    assert status == 0
    assert say("compare attempt.csv --outcomes --model attempt --value a")[0] == 2


def test_r8b_identifiers_of_twenty_digits(say) -> None:
    rows = ((f"9999999999999999999{i}", i % 2, (i // 2) % 2, i % 2) for i in range(40))
    Path("q.csv").write_text(table("id,y,a,b", rows))
    options = "--truth y --baseline a --candidate b --margin 0.1 --measure accuracy"
    assert say(f"gate q.csv {options}")[0] == 0
    assert say("evaluate q.csv --truth y --pred a --pred b --instance id")[0] == 0


def test_d52_two_columns_after_one_option_are_explained(say) -> None:
    status, out = say("compare n01.csv --truth y --score old new --measure auc")
    assert status == 2
    assert "'new' is no file" in out
    assert "--score a --score b" in out
    assert say("compare n01.csv --truth y --score old,new --measure auc")[0] == 2  # probabilities of classes, or models


def test_d53_a_report_of_scores_tells_what_the_numbers_are(say) -> None:
    assert say("report err.csv --measure rmse -o r.html")[0] == 0
    assert "RMSE (less is better)" in Path("r.html").read_text()
    assert say("report id.csv --greater-is-better -o r.html")[0] == 0
    assert "score (more is better)" in Path("r.html").read_text()


def test_j10_a_gate_that_failed_for_want_of_data_says_so_and_how_much_would_do(say) -> None:
    rows = ((i % 2, (i * 7 % 10) / 10 + 0.3 * (i % 2), (i * 3 % 10) / 10 + 0.3 * (i % 2)) for i in range(60))
    Path("few.csv").write_text(table("y,old,new", rows))
    status, out = say("gate few.csv --truth y --baseline old --candidate new --measure auc --margin 0.01 --markdown")
    assert status == 1
    assert "FAILED (too little data)" in out
    assert "There are 60 rows" in out
    assert "| " in out


def test_j11_topics_and_attempts_have_a_place(say) -> None:
    def right(i: int, topic: str) -> tuple[int, int]:
        return (int(i % 7 != 0), int(i % 3 == 0)) if topic == "maths" else (int(i % 3 == 0), int(i % 7 != 0))

    topics = ("maths", "law")
    rows = [(topics[q % 2], f"q{q}", a, *right(3 * q + a, topics[q % 2])) for q in range(80) for a in range(3)]
    Path("topics.csv").write_text(table("topic,question,attempt,alpha,beta", rows))
    status, out = say("compare topics.csv --outcomes --groups question")
    assert status == 2
    assert "--attempt attempt" in out
    status, out = say("compare topics.csv --outcomes --item question --attempt attempt --by topic")
    assert status == 0
    assert "By topic the winner of alpha and beta changes" in out
    assert "80 rows" in out


@pytest.mark.parametrize("mark", ["#DIV/0!", "#REF!", "\\N", "NaT"])
def test_d8_marks_of_spreadsheets_and_databases(say, mark: str) -> None:
    Path("m.csv").write_text(table("y,a,b", _unlabelled(mark)))
    line = "compare m.csv --truth y --score a --score b --positive yes -m auc"
    status, out = say(line)
    assert status == 2
    assert "(60 rows)" in out
    assert "--drop-missing" in out


@pytest.mark.parametrize("command", ["compare solved.csv", "evaluate solved.csv", "report solved.csv -o page.html"])
def test_items_that_are_right_or_wrong_are_not_taken_for_data_sets(say, command: str) -> None:
    Path("solved.csv").write_text(table("a,b", [(int(i % 3 == 0), int(i % 2 == 0)) for i in range(60)]))
    status, out = say(command)
    assert status == 2
    assert "items that a model got right or wrong" in out
    assert say(f"{command} --outcomes")[0] == 0
