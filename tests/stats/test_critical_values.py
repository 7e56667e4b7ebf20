"""Critical values against printed tables."""

from __future__ import annotations

import numpy as np
import pytest

from bakeoff import ParameterError, stats


def test_the_table_of_wilcoxon() -> None:
    """Two-sided 5 % from n = 5 to 25, as printed in textbooks (Siegel 1956; Demsar 2006 uses 21 for 14)."""
    printed = [np.nan, 0, 2, 3, 5, 8, 10, 13, 17, 21, 25, 29, 34, 40, 46, 52, 58, 65, 73, 81, 89]
    found = stats.critical_values("wilcoxon", n=range(5, 26), alpha=[0.05])
    assert found.values[:, 0].tolist() == pytest.approx(printed, nan_ok=True)
    assert list(found.to_frame(backend="polars")["n"]) == list(range(5, 26))


def test_against_other_tables() -> None:
    assert stats.critical_values("z").values.round(3).tolist() == [[1.645, 1.96, 2.576]]
    assert stats.critical_values("chi2", n=[1, 3], alpha=[0.05]).values.round(3).ravel().tolist() == [3.841, 7.815]
    assert stats.critical_values("F", n=[3], df=39, alpha=[0.05]).values.round(3).tolist() == [[2.845]]
    q = stats.critical_values("nemenyi", n=range(2, 6), alpha=[0.05]).values.round(3).ravel().tolist()
    assert q == [1.960, 2.344, 2.569, 2.728]  # Demsar (2006), table 5
    q = stats.critical_values("bonferroni-dunn", n=range(2, 6), alpha=[0.05]).values.round(3).ravel().tolist()
    assert q == [1.960, 2.241, 2.394, 2.498]
    assert stats.critical_values("sign", n=[5, 6, 10], alpha=[0.05]).values.ravel().tolist() == pytest.approx(
        [np.nan, 0, 1], nan_ok=True
    )


@pytest.mark.parametrize("options", [{"test": "t"}, {"test": "F", "n": [2]}, {"test": "u", "n": [2]}])
def test_what_is_missing_is_asked_for(options: dict[str, object]) -> None:
    with pytest.raises(ParameterError):
        stats.critical_values(**options)
