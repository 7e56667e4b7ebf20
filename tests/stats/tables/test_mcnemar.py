from __future__ import annotations

import numpy as np
import pytest

from bakeoff._core.errors import EvidenceError, ParameterError
from bakeoff.stats import mcnemar, mcnemar_from_table
from oracle import assert_case, cases, worked_examples


def _rows(a_only: int, b_only: int, both: int = 0, neither: int = 0) -> tuple[np.ndarray, np.ndarray]:
    a = np.repeat([True, False, True, False], [a_only, b_only, both, neither])
    b = np.repeat([False, True, True, False], [a_only, b_only, both, neither])
    return a, b


def test_golden_tables_from_r() -> None:
    (case,) = cases("mcnemar")
    got = {}
    for name, table in case["input"]["tables"].items():
        by = {m: mcnemar_from_table(table, method=m) for m in ("exact", "midp", "chi2", "chi2_corrected")}
        got[name] = {
            "chi2": by["chi2"].statistic,
            "p": by["chi2"].pvalue,
            "chi2_corrected": by["chi2_corrected"].statistic,
            "p_corrected": by["chi2_corrected"].pvalue,
            "p_exact": by["exact"].pvalue,
            "p_midp": by["midp"].pvalue,
        }
    assert_case(case, got)


@pytest.mark.parametrize("example", worked_examples("tests")["mcnemar"]["cases"], ids=lambda e: f"{e['b']}-{e['c']}")
def test_published_examples(example: dict[str, float]) -> None:
    a, b = _rows(int(example["b"]), int(example["c"]), both=5, neither=2)
    keys = {"exact": "p_exact", "midp": "p_midp", "chi2": "p_chi2", "chi2_corrected": "p_edwards"}
    for method, key in keys.items():
        assert mcnemar(a, b, method=method).pvalue == pytest.approx(example[key], rel=1e-9)


def test_vassar_exact_values() -> None:
    for pair, expected in worked_examples("tests")["mcnemar"]["statsmodels_vassar_exact"].items():
        b, c = map(int, pair.split("/"))
        assert mcnemar(*_rows(b, c), method="exact").pvalue == pytest.approx(expected, abs=6e-7)


def test_golden_degenerate_table() -> None:
    (case,) = cases("degenerate_inputs")
    for method in ("auto", "exact", "midp", "chi2", "chi2_corrected"):
        assert_case(case, {"mcnemar_p": mcnemar_from_table(case["input"]["mcnemar_table"], method=method).pvalue})


@pytest.mark.parametrize("method", ["auto", "exact", "midp", "chi2", "chi2_corrected"])
def test_no_discordant_pairs_is_p_one_with_a_note_and_width(method: str) -> None:
    result = mcnemar([1, 1, 0, 0, 1], [1, 1, 0, 0, 1], method=method)
    assert (result.statistic, result.pvalue, result.estimate) == (0.0, 1.0, 0.0)
    assert "no-discordant-pairs" in [n.code for n in result.notes]
    interval = result.confidence_interval()
    z2 = 1.959963984540054**2
    assert (interval.low, interval.high) == pytest.approx((-z2 / (5 + z2), z2 / (5 + z2)))


@pytest.mark.parametrize("count", [1, 5, 6, 60])
def test_equal_counts_are_no_evidence_even_corrected(count: int) -> None:
    a, b = _rows(count, count)
    assert mcnemar(a, b, method="chi2_corrected").statistic == 0.0
    assert mcnemar(a, b, method="chi2_corrected").pvalue == 1.0
    assert mcnemar(a, b, method="exact").pvalue == 1.0


def test_auto_leaves_a_trace() -> None:
    few, many = mcnemar(*_rows(3, 9)), mcnemar(*_rows(60, 40))
    assert (few.method, few.notes[0].code) == ("midp", "mcnemar-midp")
    assert (many.method, many.notes[0].code) == ("chi2", "mcnemar-chi2")


@pytest.mark.parametrize("method", ["exact", "midp", "chi2", "chi2_corrected"])
def test_one_sided_looks_in_the_direction_asked(method: str) -> None:
    a, b = _rows(12, 4)
    greater, less, both = (mcnemar(a, b, method=method, alternative=x) for x in ("greater", "less", "two-sided"))
    assert greater.pvalue == pytest.approx(both.pvalue / 2)
    assert less.pvalue > 0.9
    swapped = mcnemar(b, a, method=method, alternative="less")
    assert swapped.pvalue == pytest.approx(greater.pvalue)
    assert swapped.estimate == -greater.estimate


def test_tango_interval_of_fagerlands_airway_example() -> None:
    # Fagerland, Lydersen & Laake (2014), Table: 1 of 21 against 7 of 21, Tango's asymptotic score interval.
    interval = mcnemar_from_table([[1, 1], [7, 12]]).confidence_interval(0.95)
    assert (interval.low, interval.high) == pytest.approx((-0.517, -0.026), abs=6e-4)


def test_tango_interval_inverts_the_score_test() -> None:
    from scipy.optimize import minimize_scalar

    b, c, n = 9, 4, 40
    for limit in (lambda i: i.low, lambda i: i.high):
        delta = limit(mcnemar_from_table([[20, b], [c, 7]]).confidence_interval(0.9))

        def negative_log_likelihood(q: float, delta: float = delta) -> float:
            return -(b * np.log(q + delta) + c * np.log(q) + (n - b - c) * np.log(1 - 2 * q - delta))

        low, high = max(0.0, -delta) + 1e-12, (1 - delta) / 2 - 1e-12
        q = minimize_scalar(negative_log_likelihood, bounds=(low, high), method="bounded", options={"xatol": 1e-12}).x
        z = (b - c - n * delta) / np.sqrt(n * (2 * q + delta * (1 - delta)))
        assert abs(z) == pytest.approx(1.6448536269514722, rel=1e-6)


@pytest.mark.parametrize(("b", "c", "n"), [(0, 0, 1), (1, 0, 1), (0, 3, 3), (4, 0, 4), (2, 1, 3), (5, 0, 9)])
def test_interval_holds_the_estimate_and_has_width(b: int, c: int, n: int) -> None:
    result = mcnemar(*_rows(b, c, both=n - b - c))
    interval = result.confidence_interval(0.95)
    assert -1.0 <= interval.low <= result.estimate <= interval.high <= 1.0
    assert interval.high - interval.low > 0.05
    swapped = mcnemar(*_rows(c, b, both=n - b - c)).confidence_interval(0.95)
    assert (swapped.low, swapped.high) == pytest.approx((-interval.high, -interval.low))


def test_tango_coverage_by_enumeration() -> None:
    from scipy.stats import multinomial

    n, p_a, p_b = 15, 0.25, 0.1
    covered = 0.0
    for b in range(n + 1):
        for c in range(n + 1 - b):
            interval = mcnemar(*_rows(b, c, both=n - b - c)).confidence_interval(0.95)
            if interval.low <= p_a - p_b <= interval.high:
                covered += multinomial.pmf([b, c, n - b - c], n, [p_a, p_b, 1 - p_a - p_b])
    assert 0.94 < covered < 0.985


def test_bad_input_is_named() -> None:
    with pytest.raises(EvidenceError, match=r"paired.*\(3,\) and \(2,\)"):
        mcnemar([1, 0, 1], [1, 0])
    with pytest.raises(EvidenceError, match="True/False or 0/1"):
        mcnemar(["a", "b"], [1, 0])
    with pytest.raises(EvidenceError, match="2 × 2 counts"):
        mcnemar_from_table([[1, 2, 3], [4, 5, 6]])
    with pytest.raises(ParameterError, match="midp"):
        mcnemar([1], [0], method="mid-p")


def test_score_limits_where_one_model_is_never_right_alone() -> None:
    # The fitted chance is then the root of a square, whose zero lies between the limits: −8/160 of 84 rows here.
    from bakeoff.stats.tables import tango_limits

    for n, lost in ((84, 8), (9, 9), (41, 41)):
        for level in 1 - 2 * np.geomspace(1e-12, 0.499, 60):
            low, high = tango_limits(0, lost, n, float(level))
            assert -1 <= low <= -lost / n <= high < 1


@pytest.mark.parametrize("method", ["tango", "bonett-price"])
def test_intervals_of_paired_proportions(method: str) -> None:
    for case in cases(method.replace("-", "_")):
        got = {}
        for name, table in case["input"]["tables"].items():
            result = mcnemar_from_table(table)
            ends = {n: result.confidence_interval(level, method=method) for n, level in (("ci95", 0.95), ("ci90", 0.9))}
            got[name] = {"estimate": result.estimate, **{n: [i.low, i.high] for n, i in ends.items()}}
        assert_case(case, got)


def test_an_unknown_interval_is_refused() -> None:
    with pytest.raises(ParameterError, match="bonett-price"):
        mcnemar_from_table([[1, 2], [3, 4]]).confidence_interval(0.9, method="bonett")
