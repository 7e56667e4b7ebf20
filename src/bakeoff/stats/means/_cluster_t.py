"""The cluster-robust t-test: two models on rows that come in clusters (patients, users, documents)."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from bakeoff._core.errors import EvidenceError
from bakeoff._core.note_catalogue import note
from bakeoff._core.validation import FloatArray, IntArray, as_groups, check_alternative
from bakeoff.stats._differences import paired_differences
from bakeoff.stats.means._paired_t import TTestResult, t_test

FEW_CLUSTERS = 20  # below this the linearised variance may be too small, and a warning is given


def cluster_t(
    a: ArrayLike, b: ArrayLike | None = None, *, groups: ArrayLike, alternative: str = "two-sided"
) -> TTestResult:
    r"""Test whether two models differ on average over rows that are not independent within clusters.

    .. math:: t = \bar d \,/\, \sqrt{\sum_g e_g^2 / n^2}, \qquad
              e_g = \sum_{i \in g} (d_i - \bar d) \,/\, \sqrt{1 - n_g/n}

    with Satterthwaite's degrees of freedom (CR2), well below clusters less one where clusters are of uneven size.

    The mean is over rows, so a large cluster weighs more than a small one; only clusters are taken as independent.

    Parameters
    ----------
    a, b : array_like, shape (n,)
        Values of the two models on the same rows (losses, graded scores, or 0/1 for wrong and right). With ``b=None``,
        `a` holds the differences a − b.
    groups : array_like, shape (n,)
        Cluster of each row.
    alternative : {"two-sided", "less", "greater"}
        ``"greater"``: a is larger than b on average.

    Returns
    -------
    TTestResult
        `statistic`, `df` (Satterthwaite's), `pvalue`, `estimate` (mean of a − b), ``confidence_interval(level)``.

    Notes
    -----
    With one row in each cluster it is `paired_t`. Below 20 clusters a warning is given.

    References
    ----------
    Bell & McCaffrey (2002). Bias reduction in standard errors for linear regression with multi-stage samples. *Survey
    Methodology* 28(2), 169–181.

    Liang & Zeger (1986). Longitudinal data analysis using generalized linear models. *Biometrika* 73(1), 13–22.
    https://doi.org/10.1093/biomet/73.1.13

    Miller (2024). Adding error bars to evals: a statistical approach to language model evaluations.
    https://doi.org/10.48550/arXiv.2411.00640

    Examples
    --------
    Copying every row three times adds no information, and the cluster-robust test sees none:

    >>> from bakeoff.stats import cluster_t, paired_t
    >>> d = [0.2, -0.1, 0.4, 0.3, 0.1, -0.2, 0.5, 0.2] * 3
    >>> once = paired_t(d[:8]).pvalue
    >>> with_clusters = cluster_t(d, groups=list(range(8)) * 3).pvalue
    >>> bool(abs(once - with_clusters) < 1e-12), bool(paired_t(d).pvalue < once / 10)
    (True, True)
    """
    check_alternative(alternative)
    differences = paired_differences(a, b)
    values = differences.values
    code, n_clusters = _cluster_codes(groups, values.size)
    notes = (note("few-clusters", n_clusters=n_clusters),) if n_clusters < FEW_CLUSTERS else ()
    share = np.bincount(code, minlength=n_clusters) / values.size
    sums = np.bincount(code, values - differences.mean, minlength=n_clusters)
    # Sums of centred differences by cluster stand for single rows, enlarged by what the mean took of each (CR2).
    error = math.sqrt(float((sums**2 / (1 - share)).sum())) / values.size
    made = t_test(differences, error, _satterthwaite(share), alternative, "cluster-t", notes)
    return made._keeping(sums=sums, share=share, n=values.size) if made.standard_error > 0 else made


def _satterthwaite(share: FloatArray) -> float:
    """Degrees of freedom of the CR2 variance of a mean: (tr M)²/Σ M², M the covariance of the clusters' parts.

    M has the shares h on its diagonal and −h_g h_k/√((1 − h_g)(1 − h_k)) elsewhere; its trace is 1.
    """
    u = share**2 / (1 - share)
    return float(1 / (share @ share + u.sum() ** 2 - u @ u))


def _cluster_codes(groups: ArrayLike, n: int) -> tuple[IntArray, int]:
    code, n_clusters = as_groups(groups, n)
    if n_clusters < 2:
        raise EvidenceError(
            f"groups must name at least 2 clusters. Got {n_clusters}.",
            hint="with all rows in one cluster nothing is independent of anything",
        )
    return code, n_clusters
