"""Which interval methods there are, what each can serve, and which `auto` picks."""

from __future__ import annotations

from bakeoff._core.errors import ParameterError
from bakeoff.evidence import Rows
from bakeoff.measures import Measure

BINOMIAL = ("wilson", "wald", "clopper-pearson", "agresti-coull", "jeffreys")
DELONG = ("delong", "delong-wald")
BOOTSTRAP = ("bootstrap", "bca", "percentile", "basic", "normal")
FOLDS = ("t", "corrected-t")
METHODS = ("auto", *BINOMIAL, *DELONG, "delta", *BOOTSTRAP, *FOLDS)

_KAPPAS = ("kappa", "kappa_linear", "kappa_quadratic")
_DELTA_BY_DEFAULT = (*_KAPPAS, "f1_macro", "f1_micro")


def auto_method(measure: Measure, rows: Rows, *, folds: bool) -> str:
    """Pick the interval for a measure of this evidence.

    Folds of resampled data overlap in their training sets: corrected t. Grouped rows: cluster bootstrap. Weighted
    rows: bootstrap of the weighted rows. Otherwise the closed form where one is known to cover well, else BCa.

    Examples
    --------
    >>> import bakeoff
    >>> from bakeoff.intervals import auto_method
    >>> rows = bakeoff.Predictions.from_arrays([0, 1] * 50, y_score={"a": [0.2, 0.7] * 50}).table()
    >>> [auto_method(bakeoff.measures.get(m), rows, folds=False) for m in ("accuracy", "auc", "kappa", "log_loss")]
    ['wilson', 'delong', 'delta', 'bca']
    """
    if folds:
        return "corrected-t"
    if measure.needs == "times":
        return "t"
    if rows.groups is not None or not rows.integer_weights:
        return "bca"
    if measure.proportion is not None or _binary_outcomes(measure, rows):
        return "wilson"
    if measure.name == "auc" and rows.weight is None:
        return "delong"
    if measure.name in _DELTA_BY_DEFAULT and measure.from_confusion is not None:
        return "delta"
    if measure.needs == "values" and measure.is_loss:
        return "t"
    return "bca"


def check_method(method: str, measure: Measure, rows: Rows, *, folds: bool) -> str:
    """Return the method to use for a measure; one that cannot serve it is an error that says what can."""
    if method == "auto":
        return auto_method(measure, rows, folds=folds)
    can = (
        (method in BINOMIAL and (measure.proportion is not None or _binary_outcomes(measure, rows)))
        or (method in DELONG and measure.name == "auc")
        or (method == "delta" and measure.from_confusion is not None)
        or (method in BOOTSTRAP and measure.needs != "times")
        or (method == "t" and (folds or measure.is_loss or measure.needs in ("times", "outcomes")))
        or (method == "corrected-t" and folds)
    )
    if can:
        return "bca" if method == "bootstrap" else method
    raise ParameterError(f"interval {method!r} does not apply to {measure.name}: {_REASONS[_family(method)]}.",
                         hint="leave interval='auto', which picks a fitting one for each measure")  # fmt: skip


def _binary_outcomes(measure: Measure, rows: Rows) -> bool:
    return rows.task == "outcomes" and measure.bounds == (0.0, 1.0)


def _family(method: str) -> str:
    for family in (BINOMIAL, DELONG, FOLDS):
        if method in family:
            return family[0]
    return method


_REASONS = {
    "wilson": "it is for proportions such as accuracy, precision or recall",
    "delong": "it is for auc",
    "delta": "it is for measures of the confusion matrix",
    "t": "it needs several folds, or a plain mean of per-instance losses",
    "bca": "there is nothing to resample",
}
