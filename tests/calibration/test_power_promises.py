"""Does a plan get the power it promised? Evidence with the difference that was planned for, tested again and again."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy.special import ndtr, ndtri
from simulated import Row

from bakeoff import stats

Test = Callable[[np.random.Generator], float]


def promise(procedure: str, design: str, promised: float, test: Test, runs: int, seed: int = 0) -> Row:
    """The power promised, and the share of simulated studies that find the difference at 5 %."""
    rng = np.random.default_rng(seed)
    found = float(np.mean([test(rng) <= 0.05 for _ in range(runs)]))
    error = float(np.sqrt(max(promised * (1 - promised), 1e-4) / runs))
    reads = "as promised" if abs(found - promised) <= 3 * error + 0.02 else "less" if found < promised else "more"
    return {
        "procedure": procedure,
        "design": design,
        "runs": runs,
        "promised": promised,
        "found": found,
        "reads": reads,
    }


def mcnemar(p_a: float, p_b: float, n: int, runs: int) -> Row:
    def test(rng: np.random.Generator) -> float:
        a, b, _ = rng.multinomial(n, [p_a, p_b, 1 - p_a - p_b])
        return stats.mcnemar_from_table([[0, a], [b, n - a - b]]).pvalue

    return promise("power_mcnemar", f"discordant {p_a:g} and {p_b:g}, {n} rows",
                   stats.power_mcnemar(p_a, p_b, n), test, runs)  # fmt: skip


def paired_t(effect: float, n: int, runs: int) -> Row:
    promised = stats.power_paired_t(effect, 1.0, n)
    return promise("power_paired_t", f"effect {effect:g} sd, {n} pairs", promised,
                   lambda rng: stats.paired_t(rng.normal(effect, 1, n)).pvalue, runs)  # fmt: skip


def corrected_t(effect: float, splits: int, runs: int) -> Row:
    """Splits correlated by ρ = n_test/(n_train + n_test), which is what the correction takes them to be."""
    rho = 0.1

    def test(rng: np.random.Generator) -> float:
        d = effect + np.sqrt(rho) * rng.normal() + np.sqrt(1 - rho) * rng.normal(size=splits)
        return stats.corrected_t(d, n_train=0.9, n_test=0.1).pvalue

    # sd is that of the splits' differences within one study
    promised = stats.power_corrected_t(effect, float(np.sqrt(1 - rho)), n_splits=splits, n_train=0.9, n_test=0.1)
    return promise("power_corrected_t", f"effect {effect:g} sd, {splits} splits", promised, test, runs)


def wilcoxon(effect: float, n: int, runs: int) -> Row:
    promised = stats.power_wilcoxon(effect, 1.0, n)
    return promise("power_wilcoxon", f"effect {effect:g} sd, {n} data sets", promised,
                   lambda rng: stats.wilcoxon(rng.normal(effect, 1, n)).pvalue, runs)  # fmt: skip


def delong(auc_a: float, auc_b: float, positives: int, negatives: int, runs: int) -> Row:
    shift = np.sqrt(2) * ndtri([auc_a, auc_b])
    y = np.arange(positives + negatives) < positives

    def test(rng: np.random.Generator) -> float:
        noise = np.sqrt(0.5) * (rng.normal(size=(y.size, 1)) + rng.normal(size=(y.size, 2)))
        scores = noise + y[:, None] * shift
        return stats.delong_test(y, scores[:, 0], scores[:, 1]).pvalue

    promised = stats.power_delong(auc_a, auc_b, positives, negatives, correlation=0.5)
    return promise("power_delong", f"AUC {auc_a:g} and {auc_b:g}, {positives} + {negatives} rows", promised, test, runs)


def friedman(means: list[float], n: int, runs: int) -> Row:
    promised = stats.power_friedman(means, 1.0, n)
    return promise("power_friedman", f"means {', '.join(f'{m:g}' for m in means)} sd, {n} data sets", promised,
                   lambda rng: stats.friedman(rng.normal(means, 1, (n, len(means)))).ff_pvalue, runs)  # fmt: skip


PLANS: dict[str, tuple[Callable[..., Row], tuple[Any, ...]]] = {
    "mcnemar, few": (mcnemar, (0.15, 0.05, 100)),
    "mcnemar, many": (mcnemar, (0.06, 0.03, 1000)),
    "paired t": (paired_t, (0.5, 34)),
    "corrected t": (corrected_t, (1.0, 30)),
    "wilcoxon, few": (wilcoxon, (1.0, 12)),
    "wilcoxon": (wilcoxon, (0.5, 36)),
    "delong": (delong, (0.85, 0.80, 150, 150)),
    "delong, rare": (delong, (0.92, 0.85, 40, 360)),
    "friedman": (friedman, ([0.0, 0.0, 0.0, 0.8], 16)),
}


def all_rows(runs: int) -> list[Row]:
    return [plan(*arguments, runs) for plan, arguments in PLANS.values()]


def test_binormal_shift_gives_the_area():
    assert ndtr(np.sqrt(2) * ndtri(0.85) / np.sqrt(2)) == pytest.approx(0.85)


@pytest.mark.parametrize("name", ["mcnemar, few", "paired t", "wilcoxon, few", "delong"])
def test_promises_are_kept(name):
    plan, arguments = PLANS[name]
    row = plan(*arguments, 400)
    assert abs(row["found"] - row["promised"]) < 0.09


@pytest.mark.slow
@pytest.mark.parametrize("name", PLANS)
def test_promises_are_kept_in_many_runs(name):
    plan, arguments = PLANS[name]
    row = plan(*arguments, 4000)
    assert abs(row["found"] - row["promised"]) < 0.05, row
