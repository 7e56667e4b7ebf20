"""Measures that are not about truth and prediction: outcomes per item, over one attempt or several, and time."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from bakeoff._core.language import label
from bakeoff._core.validation import BoolArray, FloatArray, check_count
from bakeoff.counts import Sample, SumsKind, TimesKind
from bakeoff.evidence import Rows
from bakeoff.measures._measure import Measure, Trait, first_mean


def _outcome(sample: Sample) -> FloatArray:
    return np.asarray(sample.output, dtype=np.float64)[:, None]


def _turned(terms: FloatArray) -> FloatArray | None:
    """Outcomes of 0 and 1 that are all alike could have been the other; of graded ones nothing is known."""
    return np.array([[0.0], [1.0]]) if np.isin(terms, (0.0, 1.0)).all() else None


def _missed(sample: Sample) -> FloatArray:
    return 1.0 - _outcome(sample)


def outcome_share(name: str, meaning: str, *, greater: bool) -> Measure:
    """Accuracy or error of 0/1 outcomes: right and wrong answers whose truth is not needed any more."""
    return Measure(
        name, greater, (0.0, 1.0), "outcomes", meaning, "there are no items", tasks=("outcomes",),
        form=SumsKind(_outcome if greater else _missed), value=first_mean, link="logit",
        traits=frozenset({Trait.MEAN, Trait.OF_ITEMS}), limits=("wilson",),
    )  # fmt: skip


# -- attempts ---------------------------------------------------------------------------------------------------------


def _all_of(k: int, attempts: FloatArray, right: FloatArray) -> FloatArray:
    """C(right, k) / C(attempts, k): the chance that k attempts drawn without replacement are all among the right."""
    share = np.ones(attempts.shape)
    for i in range(k):
        share *= np.maximum(right - i, 0.0) / (attempts - i)
    return share


def _has_attempts(k: int) -> Callable[[Rows, str], BoolArray]:
    return lambda rows, model: np.asarray(rows.attempts(model)[:, 0] >= k)


def _of_attempts(name: str, meaning: str, k: int, term: Callable[[FloatArray, FloatArray], FloatArray]) -> Measure:
    def terms(sample: Sample) -> FloatArray:
        attempts, right, _ = np.asarray(sample.output, dtype=np.float64).T
        return term(attempts, right)[:, None]

    def unseen(terms: FloatArray) -> FloatArray:
        return np.array([[0.0], [1.0]])  # an item that is never solved, or always

    return Measure(
        name, True, (0.0, 1.0), "attempts", meaning, "no item has so many attempts", tasks=("outcomes",),
        form=SumsKind(terms, unseen=unseen), value=first_mean, link="logit", traits=frozenset({Trait.MEAN}),
        usable=_has_attempts(k), label=label(name),
    )  # fmt: skip


def pass_at_k(k: int) -> Measure:
    """pass@k: the chance that one of k attempts at an item is right, unbiased from any number of attempts, over items.

    Examples
    --------
    >>> import bakeoff
    >>> bakeoff.measures.pass_at_k(2)(None, [[1, 0, 0], [1, 1, 0]])
    0.8333333333333334
    """
    k = check_count("k", k, minimum=1)
    return _of_attempts(
        f"pass@{k}", "chance that one of k attempts at an item is right", k, lambda m, c: 1 - _all_of(k, m, m - c)
    )


def pass_hat_k(k: int) -> Measure:
    """pass^k: the chance that k attempts at an item are all right, unbiased from any number of attempts, over items.

    Examples
    --------
    >>> import bakeoff
    >>> bakeoff.measures.pass_hat_k(2)(None, [[1, 0, 0], [1, 1, 0]])
    0.16666666666666666
    """
    k = check_count("k", k, minimum=1)
    return _of_attempts(
        f"pass^{k}", "chance that k attempts at an item are all right", k, lambda m, c: _all_of(k, m, c)
    )


_TIMED = ("binary", "multiclass", "regression")


def _no_formula(*counts: object) -> FloatArray:
    raise TypeError("a time is recorded, not computed from counts")


MEASURES: tuple[Measure, ...] = (
    Measure(
        "mean_outcome", True, (-np.inf, np.inf), "outcomes", "mean of the per-item scores (share solved, for 0/1)",
        "there are no items", tasks=("outcomes",), form=SumsKind(_outcome, unseen=_turned), value=first_mean,
        traits=frozenset({Trait.MEAN, Trait.OF_ITEMS}), unseen=0.0,
    ),
    Measure(
        "fit_time", False, (0.0, np.inf), "times", "seconds to train", "it was not recorded",
        tasks=_TIMED, form=TimesKind(0), value=_no_formula,
    ),
    Measure(
        "predict_time", False, (0.0, np.inf), "times", "seconds to predict the test rows", "it was not recorded",
        tasks=_TIMED, form=TimesKind(1), value=_no_formula,
    ),
)  # fmt: skip
