"""What a pilot tells about the models to be compared: discordance, correlation, spread, prevalence."""

from __future__ import annotations

from typing import Any

import numpy as np

from bakeoff._core.errors import EvidenceError
from bakeoff._core.validation import FloatArray
from bakeoff.comparison._prepare import Prepared, prepare
from bakeoff.comparison._situation import AUC, RIGHT_OR_WRONG
from bakeoff.evidence import Predictions, Scores
from bakeoff.counts import Sums
from bakeoff.measures import Measure, Trait


def pilot_facts(evidence: Predictions | Scores, measure: str | Measure | None) -> dict[str, Any]:
    """Read the planning parameters of two models (the first two) from evidence already at hand."""
    prepared = prepare(evidence, measure, control=None)
    if len(prepared.models) < 2:
        raise EvidenceError("a pilot needs the results of at least two models.", hint="give both models' predictions")
    facts: dict[str, Any] = {"measure": prepared.measure.name, "n_models": len(prepared.models)}
    if prepared.matrix is not None:
        return facts | _from_scores(prepared, prepared.matrix)
    return facts | _from_rows(prepared)


def _from_scores(prepared: Prepared, matrix: FloatArray) -> dict[str, Any]:
    spread = _mean_pair_deviation(matrix)
    if prepared.situation.several_datasets:
        return {"sd": spread, "n_datasets": len(matrix)}
    facts: dict[str, Any] = {"sd": spread, "n_splits": len(matrix)}
    if prepared.n_train and prepared.n_test:
        facts |= {"n_train": prepared.n_train, "n_test": prepared.n_test}
    elif prepared.situation.n_folds > 1:
        facts |= {"n_train": prepared.situation.n_folds - 1.0, "n_test": 1.0}
    return facts


def _mean_pair_deviation(values: FloatArray) -> float:
    """Root mean square, over pairs of models, of the standard deviation of their differences."""
    k = values.shape[1]
    variances = [float((values[:, i] - values[:, j]).var(ddof=1)) for i in range(k) for j in range(i + 1, k)]
    return float(np.sqrt(np.mean(variances)))


def _from_rows(prepared: Prepared) -> dict[str, Any]:
    rows, measure = prepared.rows, prepared.measure
    assert rows is not None
    assert isinstance(measure, Measure)
    a, b = prepared.models[:2]
    facts: dict[str, Any] = {"n_rows": rows.n}
    if prepared.situation.measure_kind == RIGHT_OR_WRONG:
        return facts | {"discordant": float(np.mean(rows.correct(a) != rows.correct(b)))}
    if prepared.situation.measure_kind == AUC:
        return facts | _auc_facts(rows, a, b)
    form = measure.form.of(rows, (a, b), measure.needs) if measure.has(Trait.MEAN) else None
    if not isinstance(form, Sums):
        raise EvidenceError(
            f"there is no power calculation for {measure.name}.",
            hint="plan for accuracy, auc, or a mean loss such as log_loss or mae",
        )
    first, second = form.terms[:, 0, 0], form.terms[:, 1, 0]
    return facts | {"sd": float((first - second).std(ddof=1))}


def _auc_facts(rows: Any, a: str, b: str) -> dict[str, Any]:
    from bakeoff.stats import auc

    positive = rows.positives()
    scores = [rows.scores(m) for m in (a, b)]
    return {
        "baseline": max(auc(positive, s) for s in scores),
        "prevalence": float(positive.mean()),
        "correlation": _within_class_correlation(positive, *scores),
    }


def _within_class_correlation(positive: Any, first: FloatArray, second: FloatArray) -> float:
    """Correlation of normal scores (ranks turned into normal quantiles) within each class, averaged by size."""
    from scipy.special import ndtri
    from scipy.stats import rankdata

    total, weight = 0.0, 0
    for side in (positive, ~positive):
        n = int(side.sum())
        if n > 2:
            normal = [ndtri((rankdata(s[side]) - 0.5) / n) for s in (first, second)]
            if all(np.ptp(v) > 0 for v in normal):
                total += n * float(np.corrcoef(*normal)[0, 1])
                weight += n
    return float(np.clip(total / weight, -0.99, 0.99)) if weight else 0.5
