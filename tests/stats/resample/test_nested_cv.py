"""Nested cross-validation against the authors' package, piece by piece."""

from __future__ import annotations

import numpy as np
import pytest

from bakeoff.stats import nested_cv
from oracle import assert_case, cases


@pytest.mark.parametrize("case", cases("nested_cv"), ids=lambda case: case["id"])
def test_against_the_authors(case: dict) -> None:
    given = case["input"]
    result = nested_cv(
        given["outer_losses"], given["inner_losses"], given["plain_cv_losses"], np.array(given["folds_1based"])
    )
    got = {"err_paper": result.estimate, "ci95_paper": [result.low, result.high], "bias_paper": result.bias}
    assert_case(case, {**got, "inflation": result.inflation})
