"""Result files of Weka's Experimenter."""

from __future__ import annotations

import pytest

from bakeoff import EvidenceError, ParameterError
from bakeoff.evidence.readers import read_weka

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
