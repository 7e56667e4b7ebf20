from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from bakeoff._core.errors import ParameterError
from bakeoff.stats import cohen_kappa, cohen_kappa_from_table
from oracle import assert_case, cases, worked_examples


@pytest.mark.parametrize("case", cases("cohen_kappa"), ids=lambda c: c["id"])
def test_golden_tables_from_vcd(case: dict[str, Any]) -> None:
    plain, linear, quadratic = (
        cohen_kappa_from_table(case["input"]["table"], weights=w) for w in ("none", "linear", "quadratic")
    )
    interval = plain.confidence_interval(0.95)
    got = {
        "kappa": plain.estimate,
        "ase": plain.standard_error,
        "se0": plain.standard_error_null,
        "z0": plain.statistic,
        "ci95": [interval.low, interval.high],
        "kappa_linear": linear.estimate,
        "ase_linear": linear.standard_error,
        "kappa_quadratic": quadratic.estimate,
        "ase_quadratic": quadratic.standard_error,
    }
    assert_case(case, got)


def test_lecture_and_constructed_tables() -> None:
    examples = worked_examples("roc_cost")
    lecture = examples["seed_kappa_3class"]
    assert cohen_kappa_from_table(lecture["matrix"]).estimate == pytest.approx(
        lecture["recomputed"]["kappa"], abs=1e-10
    )
    iris = examples["kappa_iris_like_counts"]
    r = cohen_kappa_from_table(iris["matrix"])  # the printed error has 7 digits; statsmodels has 0.0239934658
    assert (r.estimate, r.standard_error) == pytest.approx((iris["kappa"], iris["se"]), rel=1e-6)
    weighted = examples["kappa_weighted"]
    for name in ("linear", "quadratic"):
        r = cohen_kappa_from_table(weighted["matrix"], weights=name)
        assert (r.estimate, r.standard_error) == pytest.approx((weighted[name], weighted[f"se_{name}"]), rel=1e-6)


def test_labels_against_sklearn(rng: np.random.Generator) -> None:
    from sklearn.metrics import cohen_kappa_score

    a, b = rng.integers(0, 4, 90), rng.integers(0, 4, 90)
    for ours, theirs in (("none", None), ("linear", "linear"), ("quadratic", "quadratic")):
        assert cohen_kappa(a, b, weights=ours).estimate == pytest.approx(cohen_kappa_score(a, b, weights=theirs))


def test_perfect_agreement_has_width() -> None:
    r = cohen_kappa(["a", "b"] * 10, ["a", "b"] * 10)
    interval = r.confidence_interval()
    assert (r.estimate, interval.high, interval.method) == (1.0, 1.0, "wilson")
    assert 0.5 < interval.low < 0.9


def test_degenerate_classes_are_noted() -> None:
    one_class = cohen_kappa(["a"] * 5, ["a"] * 5)
    assert np.isnan(one_class.estimate)
    assert one_class.notes[0].code == "kappa-undefined"
    constant = cohen_kappa(["a", "b"] * 5, ["a"] * 10)
    assert (constant.estimate, constant.pvalue, constant.notes[0].code) == (0.0, 1.0, "kappa-variance-zero")


def test_bad_weights_are_named() -> None:
    with pytest.raises(ParameterError, match="did you mean 'linear'"):
        cohen_kappa([1, 2], [1, 2], weights="liner")
