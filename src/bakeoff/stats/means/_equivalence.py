"""Equivalence and non-inferiority: showing that two models are close, which a large p-value never does."""

from __future__ import annotations

import math
from dataclasses import dataclass

from numpy.typing import ArrayLike

from bakeoff._core.errors import ParameterError
from bakeoff._core.note_catalogue import note
from bakeoff._core.result import Note
from bakeoff._core.validation import check_number
from bakeoff.stats._differences import Differences, paired_differences
from bakeoff.stats.distributions import Null
from bakeoff.stats.means._corrected_t import CORRECTED_T, overlap_ratio
from bakeoff.stats.means._paired_t import PAIRED_T, TTested, t_pvalue


@dataclass(frozen=True, repr=False)
class EquivalenceResult(TTested):
    """Answer of the two one-sided t-tests.

    Attributes
    ----------
    statistic, pvalue
        Of the weaker of the two one-sided tests: equivalence is shown when `pvalue` is below the level.
    df
        Degrees of freedom of both.
    estimate, standard_error
        Mean difference a − b and its standard error.
    margin
        Largest difference that still counts as equal.
    statistic_lower, pvalue_lower
        Test of a − b ≤ −margin (small p: a is not worse by the margin).
    statistic_upper, pvalue_upper
        Test of a − b ≥ +margin (small p: a is not better by the margin).
    method
        Name of the t-test behind it: that of `paired_t`, or of `corrected_t` where sizes of folds were given.

    Equivalence at α is shown when the 1 − 2α `confidence_interval` lies inside ± margin.
    """

    statistic: float
    pvalue: float
    df: float
    estimate: float
    standard_error: float
    margin: float
    statistic_lower: float
    pvalue_lower: float
    statistic_upper: float
    pvalue_upper: float
    method: str = PAIRED_T
    notes: tuple[Note, ...] = ()

    @property
    def null_distribution(self) -> Null:
        """Return the distribution of the statistic under the null hypothesis."""
        return Null("t", (self.df,), "greater" if self.statistic == self.statistic_lower else "less")


@dataclass(frozen=True, repr=False)
class NonInferiorityResult(TTested):
    """Answer of the one-sided t-test against a margin.

    Attributes
    ----------
    statistic, df, pvalue
        Non-inferiority of a to b is shown when `pvalue` is below the level.
    estimate, standard_error
        Mean difference a − b and its standard error.
    margin
        Largest loss of a against b that is still acceptable.
    greater_is_better
        Direction of the measure.
    method
        Name of the t-test behind it: that of `paired_t`, or of `corrected_t` where sizes of folds were given.

    Non-inferiority at α is shown when the 1 − 2α `confidence_interval` is above −margin.
    """

    statistic: float
    df: float
    pvalue: float
    estimate: float
    standard_error: float
    margin: float
    greater_is_better: bool = True
    method: str = PAIRED_T
    notes: tuple[Note, ...] = ()

    @property
    def null_distribution(self) -> Null:
        """Return the distribution of the statistic under the null hypothesis."""
        return Null("t", (self.df,), "greater" if self.greater_is_better else "less")


def tost(
    a: ArrayLike,
    b: ArrayLike | None = None,
    *,
    margin: float,
    n_train: ArrayLike | None = None,
    n_test: ArrayLike | None = None,
) -> EquivalenceResult:
    r"""Test whether two models are practically equal: is the mean difference inside ± margin?

    Two one-sided tests (TOST), of :math:`a - b \le -m` and of :math:`a - b \ge +m`. Both must reject:

    .. math:: t_{lower} = (\bar d + m)/se, \qquad t_{upper} = (\bar d - m)/se, \qquad p = \max(p_{lower}, p_{upper})

    Parameters
    ----------
    a, b : array_like, shape (J,)
        Paired scores of two models; with ``b=None``, `a` holds the differences a − b.
    margin : float
        Positive: the largest difference, in the measure's own units, that still counts as equal. Fix it before seeing
        the data.
    n_train, n_test : int or array_like, optional
        Sizes of the training and test parts when the pairs are folds or hold-outs of one data set. The standard error
        is then Nadeau & Bengio's (`corrected_t`); without them the pairs are taken as independent (`paired_t`).

    Returns
    -------
    EquivalenceResult
        `pvalue` below α shows equivalence at level α. A large `pvalue` shows nothing: it is inconclusive.

    References
    ----------
    Schuirmann (1987). A comparison of the two one-sided tests procedure and the power approach for assessing the
    equivalence of average bioavailability. *Journal of Pharmacokinetics and Biopharmaceutics* 15, 657–680.
    https://doi.org/10.1007/BF01068419

    Examples
    --------
    >>> from bakeoff.stats import tost
    >>> d = [0.004, -0.002, 0.001, 0.003, -0.001, 0.002, 0.000, -0.003]
    >>> print(f"{tost(d, margin=0.01).pvalue:.1e}; {tost(d, margin=0.001).pvalue:.2f}")
    5.8e-06; 0.29
    """
    margin = _check_margin(margin)
    differences, error, method, notes, overlap = _standard_error(a, b, n_train, n_test)
    df, mean = differences.values.size - 1, differences.mean
    if error == 0:
        nan = math.nan
        return EquivalenceResult(nan, nan, df, mean, 0.0, margin, nan, nan, nan, nan, method, notes)
    lower, upper = (mean + margin) / error, (mean - margin) / error
    p_lower, p_upper = t_pvalue(lower, df, "greater"), t_pvalue(upper, df, "less")
    # Both one-sided hypotheses must fall (intersection–union test): no adjustment for two tests is due.
    statistic, pvalue = (lower, p_lower) if p_lower >= p_upper else (upper, p_upper)
    made = EquivalenceResult(statistic, pvalue, df, mean, error, margin, lower, p_lower, upper, p_upper, method, notes)
    return made._keeping(differences=differences, **overlap)


def noninferiority(
    a: ArrayLike,
    b: ArrayLike | None = None,
    *,
    margin: float,
    n_train: ArrayLike | None = None,
    n_test: ArrayLike | None = None,
    greater_is_better: bool = True,
) -> NonInferiorityResult:
    r"""Test whether model a is at most `margin` worse than model b (a candidate against a baseline).

    The hypothesis to reject is "a is worse than b by the margin or more": :math:`a - b \le -m` for a measure where
    greater is better, :math:`a - b \ge +m` for an error or a cost.

    Parameters
    ----------
    a, b : array_like, shape (J,)
        Paired scores of the candidate and of the baseline; with ``b=None``, `a` holds the differences a − b.
    margin : float
        Largest acceptable loss, in the measure's own units, 0 or more. With 0 this is the test of superiority.
    n_train, n_test : int or array_like, optional
        As in `tost`.
    greater_is_better : bool
        False for errors, losses and costs.

    Returns
    -------
    NonInferiorityResult
        `pvalue` below α shows that the candidate is not worse by the margin, at one-sided level α.

    References
    ----------
    Walker & Nowacki (2011). Understanding equivalence and noninferiority testing. *Journal of General Internal
    Medicine* 26, 192–196. https://doi.org/10.1007/s11606-010-1513-8

    Examples
    --------
    >>> from bakeoff.stats import noninferiority
    >>> candidate = [0.81, 0.80, 0.82, 0.79, 0.83, 0.81]
    >>> baseline = [0.81, 0.81, 0.82, 0.80, 0.82, 0.82]
    >>> print(f"{noninferiority(candidate, baseline, margin=0.02).pvalue:.4f}")
    0.0021
    """
    margin = _check_margin(margin, zero_allowed=True)
    differences, error, method, notes, overlap = _standard_error(a, b, n_train, n_test)
    df, mean = differences.values.size - 1, differences.mean
    if error == 0:
        return NonInferiorityResult(math.nan, df, math.nan, mean, 0.0, margin, greater_is_better, method, notes)
    statistic = (mean + margin) / error if greater_is_better else (mean - margin) / error
    pvalue = t_pvalue(statistic, df, "greater" if greater_is_better else "less")
    made = NonInferiorityResult(statistic, df, pvalue, mean, error, margin, greater_is_better, method, notes)
    return made._keeping(differences=differences, **overlap)


def _check_margin(margin: float, *, zero_allowed: bool = False) -> float:
    number = check_number("margin", margin)
    if number > 0 or (zero_allowed and number == 0):
        return number
    raise ParameterError(
        f"margin must be positive: the size of a difference that does not matter. Got {margin!r} instead.",
        hint="give its size without a sign; the direction follows from the test",
    )


def _standard_error(
    a: ArrayLike, b: ArrayLike | None, n_train: ArrayLike | None, n_test: ArrayLike | None
) -> tuple[Differences, float, str, tuple[Note, ...], dict[str, float]]:
    """Differences, the standard error of their mean, the name of the method, the notes on them, and the overlap."""
    differences = paired_differences(a, b)
    if (n_train is None) != (n_test is None):
        raise ParameterError("n_train and n_test must be given together, or neither.")
    factor, method = 1 / differences.values.size, PAIRED_T
    notes: tuple[Note, ...] = ()
    overlap: dict[str, float] = {}
    if n_train is not None and n_test is not None:
        overlap["ratio"], notes = overlap_ratio(n_train, n_test, differences.values.size)
        factor, method = factor + overlap["ratio"], CORRECTED_T
    if differences.constant:
        # Equal models get no p of 1: with no spread seen, closeness is as little shown as a difference would be.
        size, mean, same = differences.values.size, differences.mean, differences.all_zero
        equal = note("identical-models:margin", size=size, mean=mean)
        notes = (*notes, equal if same else note("constant-difference:margin", size=size, mean=mean))
    return differences, math.sqrt(factor) * differences.spread, method, notes, overlap
