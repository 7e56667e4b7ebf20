"""scikit-learn's scorers in and out."""

from __future__ import annotations

from typing import Any

import numpy as np

from bakeoff._core.errors import ParameterError
from bakeoff._core.validation import FloatArray
from bakeoff.counts import ANSWERS, Sample
from bakeoff.measures._measure import Measure, natural_arrays, one_by_one


def measure_from_scorer(scorer: Any, *, name: str | None, needs: str | None) -> Measure:
    """Wrap a scorer made by ``make_scorer`` (or named): its function, sign and response become a measure."""
    if isinstance(scorer, str):
        from sklearn.metrics import get_scorer

        name = name or scorer
        scorer = get_scorer(scorer)
    function = getattr(scorer, "_score_func", None)
    if function is None:
        raise ParameterError(
            f"a scorer must come from sklearn.metrics.make_scorer or be its name. Got {type(scorer).__name__}.",
            hint="wrap a plain function with Measure.from_function",
        )
    sign, options = scorer._sign, dict(scorer._kwargs)
    chosen = needs or _needs_of(getattr(scorer, "_response_method", "predict"))

    def of_rows(sample: Sample, weight: FloatArray) -> float:
        truth, output = natural_arrays(sample, chosen)
        if chosen == "probabilities" and len(sample.classes) == 2:
            positive = 1 if sample.positive is None else sample.positive
            truth = (np.asarray(sample.truth) == positive).astype(np.int64)
            output = output[:, positive]
        given = {} if (weight == weight[0]).all() else {"sample_weight": weight}
        return float(function(truth, output, **options, **given))

    tasks = ("regression",) if chosen == "values" else ("binary", "multiclass")
    label = (name or function.__name__).removeprefix("neg_")
    return Measure(
        label, sign > 0, (-np.inf, np.inf), chosen, f"scikit-learn's {function.__name__}", tasks=tasks,
        form=ANSWERS, value=one_by_one(of_rows), smooth=False,
    )  # fmt: skip


def _needs_of(response: Any) -> str:
    names = {response} if isinstance(response, str) else set(response)
    if "decision_function" in names:
        return "scores"
    return "probabilities" if "predict_proba" in names else "labels"


def scorer_from_measure(measure: Measure) -> Any:
    """Return ``scorer(estimator, X, y)``; greater is better, so a loss is negated."""
    from bakeoff.measures._catalogue import find

    return MeasureScorer(measure.name if find(measure.name) is measure else measure)


class MeasureScorer:
    """A scorer that holds its measure by name where it can, so that it can be sent to worker processes."""

    def __init__(self, measure: str | Measure) -> None:
        self.measure = measure

    def __call__(self, estimator: Any, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Score a fitted estimator on X and y."""
        from bakeoff.measures._catalogue import get

        measure = get(self.measure)
        classes = getattr(estimator, "classes_", None)
        labels = None if classes is None or measure.needs == "values" else list(classes)
        output = _response(estimator, X, measure)
        value = measure(y, output, labels=labels, pos_label=_positive(labels), sample_weight=sample_weight)
        return value if measure.greater_is_better else -value

    def __repr__(self) -> str:
        return f"MeasureScorer({self.measure!r})"


def _positive(labels: list[Any] | None) -> Any:
    """scikit-learn's convention: the second of two sorted classes is the positive one."""
    return labels[1] if labels is not None and len(labels) == 2 else None


def _response(estimator: Any, X: Any, measure: Measure) -> Any:
    if measure.needs in ("labels", "values"):
        return estimator.predict(X)
    if hasattr(estimator, "predict_proba"):
        table = estimator.predict_proba(X)
        return table[:, 1] if table.shape[1] == 2 and measure.needs == "scores" else table
    if measure.needs == "scores" and hasattr(estimator, "decision_function"):
        return estimator.decision_function(X)
    raise ParameterError(f"{measure.name} needs {measure.needs}, which {type(estimator).__name__} does not give.")
