"""The Bayesian correlated t-test: probabilities of worse, practically equal and better, from folds of one data set."""

from __future__ import annotations

import math
from dataclasses import dataclass

from numpy.typing import ArrayLike

from bakeoff._core.note_catalogue import note
from bakeoff._core.result import Interval, Note, Result
from bakeoff._core.validation import check_level, check_number
from bakeoff.stats._differences import constant_note, paired_differences
from bakeoff.stats.means import t_interval


@dataclass(frozen=True, repr=False)
class BayesCorrelatedTResult(Result):
    """Posterior of the mean difference a − b.

    Attributes
    ----------
    p_a_better, p_equivalent, p_b_better
        Posterior probabilities that the mean difference is above, inside and below the region of practical equivalence.
    rope
        Half-width of that region.
    mean, scale, df
        The posterior is Student's t with this location, scale and degrees of freedom.
    """

    p_a_better: float
    p_equivalent: float
    p_b_better: float
    rope: float
    mean: float
    scale: float
    df: float
    notes: tuple[Note, ...] = ()

    def credible_interval(self, level: float = 0.95) -> Interval:
        """Return the central (and highest-density) interval of the posterior."""
        return t_interval(self.mean, self.scale, self.df, check_level(level, "level"), "posterior-t", self.notes)


def bayes_correlated_t(differences: ArrayLike, *, rho: float, rope: float = 0.0) -> BayesCorrelatedTResult:
    r"""Return how probable it is that a is better, that both are practically equal, and that b is better.

    From the J score differences of (repeated) cross-validation or hold-out on one data set. The posterior of the mean
    difference under a flat prior is

    .. math:: \mu \sim t_{J-1}\Big(\bar d,\; \big(\tfrac1J + \tfrac{\rho}{1-\rho}\big) S^2\Big)

    Parameters
    ----------
    differences : array_like, shape (J,)
        Score of a minus score of b on each train/test split; positive means that a is better.
    rho : float
        Correlation of the differences induced by overlapping training sets: n_test / (n_train + n_test), so 1/k for
        (repeated) k-fold cross-validation. With ``rho=0`` the splits are taken as independent.
    rope : float
        Half-width of the region of practical equivalence: differences up to this size do not matter to you.

    Returns
    -------
    BayesCorrelatedTResult
        `p_a_better`, `p_equivalent`, `p_b_better`, the posterior's `mean`, `scale`, `df`, and
        ``credible_interval(level)``.

    Notes
    -----
    With ``rope=0``, `p_b_better` equals the one-sided p-value of `corrected_t` with ``alternative="greater"``.
    Models equal on every split are practically equal with probability 1; a constant nonzero difference gives no
    posterior (zero spread) and a note.

    References
    ----------
    Corani & Benavoli (2015). A Bayesian approach for comparing cross-validated algorithms on multiple data sets.
    *Machine Learning* 100, 285–304. https://doi.org/10.1007/s10994-015-5486-z

    Benavoli, Corani, Demšar & Zaffalon (2017). Time for a change: a tutorial for comparing multiple classifiers through
    Bayesian analysis. *JMLR* 18(77), 1–36. https://jmlr.org/papers/v18/16-305.html

    Examples
    --------
    >>> from bakeoff.stats import bayes_correlated_t
    >>> d = [0.01, 0.02, 0.01, 0.05, 0.01, 0.00, 0.01, 0.01, 0.02, 0.00]
    >>> result = bayes_correlated_t(d, rho=0.1, rope=0.005)
    >>> print(f"{result.p_a_better:.2f} {result.p_equivalent:.2f} {result.p_b_better:.2f}")
    0.90 0.09 0.01
    """
    from scipy.special import stdtr

    rho = check_number("rho", rho, low=0, high=1, closed="left")
    rope = check_number("rope", rope, low=0)
    checked = paired_differences(differences)
    n, mean = checked.values.size, checked.mean
    # ρ/(1 − ρ) = n_test/n_train: the posterior's scale is the standard error of the corrected t-test.
    scale = math.sqrt(1 / n + rho / (1 - rho)) * checked.spread
    if checked.all_zero:
        return BayesCorrelatedTResult(0.0, 1.0, 0.0, rope, 0.0, 0.0, n - 1, (_IDENTICAL,))
    if scale == 0:
        nan = math.nan
        return BayesCorrelatedTResult(nan, nan, nan, rope, mean, 0.0, n - 1, (constant_note(mean, n),))
    below = float(stdtr(n - 1, (-rope - mean) / scale))
    above = float(stdtr(n - 1, (mean - rope) / scale))
    inside = max(0.0, 1 - below - above) if rope else 0.0
    made = BayesCorrelatedTResult(above, inside, below, rope, mean, scale, n - 1)
    return made._keeping(differences=checked, rho=rho)


_IDENTICAL = note("identical-models:splits")
