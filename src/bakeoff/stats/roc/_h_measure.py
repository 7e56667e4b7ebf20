"""H-measure: expected minimum cost under one distribution of costs for all models."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bakeoff._core.errors import ParameterError, unknown_choice
from bakeoff._core.validation import FloatArray, check_number, dot
from bakeoff.stats.roc._hull import hull_of_tally
from bakeoff.stats.roc._tally import Tally, as_binary_scores, tally_scores

PRIORS = ("beta22", "severity", "priors")


def h_measure(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    prior: str | tuple[float, float] = "beta22",
    pos_label: object = None,
    sample_weight: ArrayLike | None = None,
) -> float:
    """How much of the trivial classifiers' cost does the score save, over the costs one might meet?

    The cost of a false positive is c and that of a false negative 1 − c. For each c the best threshold is used, and
    the expected cost is averaged over a Beta distribution of c that is the same for all models (AUC averages over a
    distribution that depends on the model). 1 is perfect, 0 no better than ignoring the score.

    Parameters
    ----------
    y_true, y_score, pos_label, sample_weight
        As in `roc_curve`.
    prior
        Distribution of c. ``"beta22"``: Beta(2, 2) (Hand 2009). ``"severity"``: Beta(2, 1 + π₀/π₁), the default of
        the R package hmeasure, whose mode is the class ratio. ``"priors"``: Beta(1 + π₁, 1 + π₀) (Hand and
        Anagnostopoulos 2014). Or the two parameters, such as ``(2, 5)``. The values differ: always name the prior.

    References
    ----------
    D. Hand (2009), "Measuring classifier performance: a coherent alternative to the area under the ROC curve",
    Machine Learning 77, https://doi.org/10.1007/s10994-009-5119-5

    D. Hand, C. Anagnostopoulos (2014), "A better Beta for the H measure of classification performance", Pattern
    Recognition Letters 40, https://doi.org/10.1016/j.patrec.2013.12.011

    Examples
    --------
    >>> round(h_measure([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]), 4)
    0.5
    """
    positive, score, weight = as_binary_scores(y_true, y_score, pos_label=pos_label, sample_weight=sample_weight)
    return h_from_tally(tally_scores(positive, score, weight), prior=prior)


def h_from_tally(tally: Tally, *, prior: str | tuple[float, float] = "beta22") -> float:
    """Return the H-measure of counted scores; see `h_measure`."""
    false_positives, true_positives, _ = hull_of_tally(tally)
    return h_of_hull(false_positives, true_positives, prior=prior)


def h_of_hull(
    false_positives: NDArray[Any], true_positives: NDArray[Any], *, prior: str | tuple[float, float] = "beta22"
) -> float:
    """Return the H-measure from the counts at the vertices of the hull; see `h_measure`."""
    n_negative, n_positive = float(false_positives[-1]), float(true_positives[-1])
    share = n_positive / (n_positive + n_negative)
    parameters = _beta(prior, share)
    loss = _expected_loss(false_positives / n_negative, true_positives / n_positive, share, parameters)
    worst = _expected_loss(np.array([0.0, 1.0]), np.array([0.0, 1.0]), share, parameters)
    return 1.0 - loss / worst


def _beta(prior: str | tuple[float, float], share: float) -> tuple[float, float]:
    if isinstance(prior, str):
        if prior not in PRIORS:
            raise unknown_choice("prior", prior, PRIORS)
        # π₁ is the share of positives. "severity" and "priors" move with it, so H then compares on one test set only.
        return {
            "beta22": (2.0, 2.0),
            "severity": (2.0, 1.0 + (1.0 - share) / share),
            "priors": (1.0 + share, 2.0 - share),
        }[prior]
    if not isinstance(prior, (tuple, list)) or len(prior) != 2:
        raise ParameterError(f"prior must be one of {', '.join(PRIORS)} or two Beta parameters. Got {prior!r} instead.")
    first, second = (check_number("prior", value, low=0.0, closed="none") for value in prior)
    return first, second


def _expected_loss(fpr: FloatArray, tpr: FloatArray, share: float, parameters: tuple[float, float]) -> float:
    """Integrate min over hull vertices of ``c π₀ FPR + (1 − c) π₁ FNR`` against the Beta density, in closed form.

    Moving along the hull from (1, 1) to (0, 0) as c grows, each vertex is best between the two c at which its edges
    break even: ``c = π₁ dTPR / (π₁ dTPR + π₀ dFPR)``.
    """
    with_c, with_rest = _costs_where_best(fpr, tpr, share, parameters)
    return float((1.0 - share) * (fpr * with_c).sum() + share * ((1.0 - tpr) * with_rest).sum())


def _costs_where_best(
    fpr: FloatArray, tpr: FloatArray, share: float, parameters: tuple[float, float]
) -> tuple[FloatArray, FloatArray]:
    """∫ c and ∫ 1 − c against the Beta density over the c for which each vertex is best."""
    from scipy.special import betainc

    a, b = parameters
    gain, price = share * np.diff(tpr), (1.0 - share) * np.diff(fpr)
    edges = np.concatenate(([1.0], gain / (gain + price), [0.0]))
    # ∫ c·Beta(a, b) = a/(a+b) · Beta(a+1, b)-probability, and the same for 1 − c with b.
    with_c = a / (a + b) * -np.diff(betainc(a + 1.0, b, edges))
    with_rest = b / (a + b) * -np.diff(betainc(a, b + 1.0, edges))
    return with_c, with_rest


class PricesOfRows(NamedTuple):
    """What the rows at each place of a ranking cost by its best thresholds, and by the better trivial rule.

    With the thresholds fixed, both losses are sums over rows: H = 1 − Σ cost / Σ trivial cost.

    Attributes
    ----------
    positive, negative
        Cost of a positive and of a negative at each place from the top, ``[m]``.
    trivial_positive, trivial_negative
        The same by the better of "all" and "none", which does not look at the place.
    """

    positive: FloatArray
    negative: FloatArray
    trivial_positive: float
    trivial_negative: float

    def h_of(self, up: FloatArray, down: FloatArray) -> float:
        """H of positives and negatives by place, with these thresholds."""
        worst = float(up.sum()) * self.trivial_positive + float(down.sum()) * self.trivial_negative
        return 1.0 - float(dot(up, self.positive) + dot(down, self.negative)) / worst

    def gradient(self, up: FloatArray, down: FloatArray) -> tuple[FloatArray, FloatArray]:
        """What one more positive or negative at each place moves in H."""
        worst = float(up.sum()) * self.trivial_positive + float(down.sum()) * self.trivial_negative
        left = 1.0 - self.h_of(up, down)
        of_up = (left * self.trivial_positive - self.positive) / worst
        return of_up, (left * self.trivial_negative - self.negative) / worst


def prices_of_rows(up: FloatArray, down: FloatArray) -> PricesOfRows:
    """Prices of positives and negatives by place from the top, by the thresholds best for these, with Beta(2, 2)."""
    false_positives, true_positives, vertices = hull_of_tally(Tally(-np.arange(up.size, dtype=np.float64), up, down))
    share = float(up.sum() / (up.sum() + down.sum()))
    fpr, tpr = false_positives / false_positives[-1], true_positives / true_positives[-1]
    with_c, with_rest = _costs_where_best(fpr, tpr, share, (2.0, 2.0))
    # The vertices from the end of a place's segment on call it positive; those before it do not.
    segment = np.searchsorted(vertices, np.arange(1, up.size + 1), side="left") - 1
    called = np.append(np.cumsum(with_c[::-1])[::-1], 0.0)[segment + 1]
    ends = np.array([0.0, 1.0])
    of_all, of_none = _costs_where_best(ends, ends, share, (2.0, 2.0))
    return PricesOfRows(np.cumsum(with_rest)[segment], called, float(of_none[0]), float(of_all[1]))
