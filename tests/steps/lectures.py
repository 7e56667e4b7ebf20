"""The worked examples of the lectures, as results."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

import bakeoff
from bakeoff import stats
from bakeoff.decision import isocost_line

AUC = np.array([
    [.763, .768, .771, .798], [.599, .591, .590, .569], [.954, .971, .968, .967], [.628, .661, .654, .657],
    [.882, .888, .886, .898], [.936, .931, .916, .931], [.661, .668, .609, .685], [.583, .583, .563, .625],
    [.775, .838, .866, .875], [1, 1, 1, 1], [.940, .962, .965, .962], [.619, .666, .614, .669],
    [.972, .981, .975, .975], [.957, .978, .946, .970],
])  # fmt: skip
MODELS = ["C4.5", "C4.5+m", "C4.5+cf", "C4.5+m+cf"]
SCORES = [.9, .8, .7, .6, .55, .54, .53, .52, .51, .505, .4, .37, .38, .36, .35, .35, .34, .33, .30, .1]  # fmt: skip
TRUTH = [c == "p" for c in "ppnpppnnpnpnpnnnpnpn"]
POINTS = {"C1": (0.3, 0.4), "C2": (0.5, 0.7), "C3": (0.2, 0.6)}


def _cancer() -> bakeoff.Predictions:
    first = ["cancer"] * 90 + ["sano"] * 10 + ["cancer"] * 40 + ["sano"] * 60
    second = ["cancer"] * 60 + ["sano"] * 40 + ["cancer"] * 10 + ["sano"] * 90
    truth = ["cancer"] * 100 + ["sano"] * 100
    return bakeoff.Predictions.from_arrays(truth, y_pred={"A": first, "B": second}, pos_label="cancer")


def _counts(cost_fp: float) -> bakeoff.OperatingContext:
    """The lecture's test set: 150 positives and 300 negatives."""
    return bakeoff.OperatingContext.from_counts(150, 300, cost_fp=cost_fp, cost_fn=4)


@cache
def results() -> dict[str, Any]:
    """Every worked example by name."""
    table = bakeoff.Scores.from_wide(AUC, models=MODELS, measure="auc")
    right = {"A": [0] * 45 + [1] * 155, "B": [0] * 20 + [1] * 25 + [0] * 10 + [1] * 145}
    outcomes = bakeoff.Predictions.from_outcomes(right)
    scored = bakeoff.Predictions.from_arrays(TRUTH, y_score={"m": SCORES}, pos_label=True)
    rare = bakeoff.OperatingContext(prevalence=0.01, cost_fp=10, cost_fn=10_000)
    half = bakeoff.OperatingContext(prevalence=0.5, cost_fp=1, cost_fn=2)
    as_many = bakeoff.OperatingContext(prevalence=0.5, cost_fp=10, cost_fn=10_000)
    rng = np.random.default_rng(1)
    counts = rng.multinomial(40, [1 / 40] * 40, size=60)
    losses = (rng.random((60, 40)) < 0.3).astype(float)
    return {
        "mcnemar": stats.mcnemar_from_table([[145, 10], [25, 20]], method="chi2_corrected"),
        "mcnemar midp": stats.mcnemar_from_table([[145, 10], [25, 20]], method="midp"),
        "wilcoxon": stats.wilcoxon(AUC[:, 1], AUC[:, 0]),
        "wilcoxon normal": stats.wilcoxon(AUC[:, 1], AUC[:, 0], method="normal"),
        "wilcoxon one side": stats.wilcoxon(AUC[:, 1], AUC[:, 0], alternative="greater", zeros="pratt"),
        "friedman": stats.friedman(AUC),
        "nemenyi": stats.nemenyi(AUC),
        "bonferroni-dunn": stats.bonferroni_dunn(AUC, 0),
        "anova": stats.repeated_measures_anova(AUC),
        "tukey": stats.tukey(AUC),
        "dunnett": stats.dunnett(AUC, 0),
        "quade": stats.quade(AUC),
        "aligned": stats.aligned_friedman(AUC),
        "sign": stats.sign_test(AUC[:, 1], AUC[:, 0]),
        "kappa": stats.cohen_kappa_from_table(np.array([[0.33, 0, 0], [0, 0.32, 0.01], [0, 0.03, 0.31]]) * 150),
        "paired t": stats.paired_t(AUC[:, 1], AUC[:, 0]),
        "corrected t": stats.corrected_t(AUC[:10, 1], AUC[:10, 0], n_train=90, n_test=10),
        "cluster t": stats.cluster_t(rng.normal(0.1, 1, 60), groups=np.repeat(np.arange(12), 5)),
        "5x2 F": stats.five_by_two_f(AUC[:5, :2] - AUC[:5, 2:]),
        "5x2 t": stats.five_by_two_t(AUC[:5, :2] - AUC[:5, 2:]),
        "equivalence": stats.tost(AUC[:, 1], AUC[:, 0], margin=0.05),
        "not inferior": stats.noninferiority(AUC[:, 1], AUC[:, 0], margin=0.01),
        "cochran": stats.cochran_q(rng.random((40, 3)) < [0.5, 0.6, 0.9]),
        "stuart-maxwell": stats.stuart_maxwell(rng.integers(0, 3, 60), rng.integers(0, 3, 60)),
        "bowker": stats.bowker(rng.integers(0, 3, 60), rng.integers(0, 3, 60)),
        "wald": stats.binomial_interval(85, 100, method="wald"),
        "wald above 1": stats.binomial_interval(43, 45, method="wald"),
        "wald iris": stats.binomial_interval(143, 150, method="wald"),
        "four rows": stats.wilcoxon([0.583, 0.583, 0.888, 0.591], [0.583, 0.583, 0.882, 0.599]),
        "thirty": stats.paired_t(np.sin(np.arange(30.0))),
        "slope 1": isocost_line(_counts(2), through=(0.15, 0.7)),
        "slope 0.5": isocost_line(_counts(1), through=(0.15, 0.7)),
        "discrete AUC": stats.roc_curve([1] * 10 + [0] * 10, [1] * 8 + [0] * 2 + [1] * 2 + [0] * 8),
        "simulated": stats.simulate_errors(["sign"], n=8, n_samples=100),
        "critical": stats.critical_values("z"),
        "wilson": stats.binomial_interval(143, 150, method="wilson"),
        "bootstrap": stats.bootstrap_interval(0.85, rng.normal(0.85, 0.035, 500), method="normal"),
        "percentile": stats.bootstrap_interval(0.85, rng.normal(0.85, 0.035, 500), method="percentile"),
        "delong": stats.delong_test(TRUTH, SCORES, rng.random(20)),
        "delong interval": stats.delong_interval(TRUTH, SCORES),
        "roc curve": stats.roc_curve(TRUTH, SCORES),
        "roc": bakeoff.roc(scored),
        "hull": bakeoff.RocHull.from_points(POINTS),
        "cost curve": bakeoff.CostCurve.from_points(POINTS),
        "isocost": isocost_line(half, expected_cost=0.1),
        "decide": bakeoff.decide(_cancer(), rare, rng=0),
        "decide as many": bakeoff.decide(_cancer(), as_many, rng=0),
        "0.632": stats.bootstrap_error(losses, counts, training_losses=losses[0] * (counts[0] > 0), estimator="632"),
        "evaluate": bakeoff.evaluate(_cancer(), ["accuracy", "recall", "fpr", "kappa"], rng=0),
        "compare data sets": bakeoff.compare(table, rng=0),
        "compare nemenyi": bakeoff.compare(table, test="friedman", posthoc="nemenyi", rng=0),
        "compare outcomes": bakeoff.compare(outcomes, rng=0),
        "pair": bakeoff.compare(table, rng=0).pair("C4.5+m", "C4.5"),
        "gate": bakeoff.gate(outcomes, baseline="A", candidate="B", margin=0.02, rng=0),
        "flips": bakeoff.flips(outcomes, "A", "B"),
        "plan": bakeoff.plan(measure="auc", difference=0.02, baseline=0.9, correlation=0.8),
        "advise": bakeoff.advise(n_models=3, n_datasets=1, n_rows=300, task="binary"),
        "decision curves": bakeoff.decision_curves(scored, rng=0, n_resamples=100),
        "calibration": bakeoff.calibration(scored, rng=0),
        "counts": _cancer().counts(),
    }
