"""ARFF files."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.io import arff

from bakeoff import BakeoffError
from bakeoff.evidence.readers import read_arff
from bakeoff.runner import load_dataset

ARFF = """% a comment
@relation 'the weather'
@attribute outlook {sunny, 'over cast', rainy}
@attribute temperature numeric
@attribute 'wind speed' REAL
@attribute play {yes, no}
@data
sunny, 85, ?, no
'over cast', 83, 1e1, yes
{1 70, 3 no}
?, 65, 3, yes
"""


def test_arff_files_are_data_sets(tmp_path):
    (tmp_path / "weather.arff").write_text(ARFF)
    relation = read_arff(tmp_path / "weather.arff")
    assert relation.name == "the weather"
    assert relation.columns["outlook"].tolist() == ["sunny", "over cast", "sunny", None]
    assert relation.columns["play"].tolist() == ["no", "yes", "no", "yes"]
    np.testing.assert_array_equal(relation.columns["wind speed"], [np.nan, 10, 0, 3])
    dataset = load_dataset(tmp_path / "weather.arff")
    assert (dataset.name, dataset.n, dataset.n_features) == ("weather", 4, 3)
    assert dataset.truth.tolist() == ["no", "yes", "no", "yes"]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("@data\n", "", "line 7: 'sunny, 85, .* is not ARFF"),
        ("sunny, 85, ?, no", "sunny, 85, no", r"line 8: the row has 3 values, for 4 attributes"),
        ("sunny, 85, ?, no", "stormy, 85, ?, no", r"'stormy' is not among the declared values of 'outlook'"),
        ("sunny, 85, ?, no", "sunny, warm, ?, no", r"'temperature' must hold numbers"),
        ("temperature numeric", "temperature relational", "attributes of kind 'relational' are not read"),
    ],
)
def test_wrong_arff_says_where(tmp_path, old, new, message):
    (tmp_path / "w.arff").write_text(ARFF.replace(old, new))
    with pytest.raises(BakeoffError, match=message):
        read_arff(tmp_path / "w.arff")


def test_arff_agrees_with_scipy(tmp_path):
    path = tmp_path / "n.arff"
    path.write_text("@relation r\n@attribute a numeric\n@attribute b {x,y}\n@data\n1.5,x\n-2,y\n")
    theirs, _ = arff.loadarff(str(path))
    ours = read_arff(path).columns
    assert ours["a"].tolist() == theirs["a"].tolist()
    assert ours["b"].tolist() == [v.decode() for v in theirs["b"]]
