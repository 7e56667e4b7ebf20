"""Repeated-measures analysis of variance: do mean scores differ, if normality and sphericity may be assumed?"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from bakeoff._core.note_catalogue import note
from bakeoff._core.result import Note
from bakeoff._core.validation import FloatArray
from bakeoff._core.view import Table, View, word
from bakeoff.stats._blocks import check_blocks
from bakeoff.stats._tested import Tested
from bakeoff.stats.distributions import f_pvalue
from bakeoff.stats.means._two_way import IDENTICAL_MODELS, NO_ERROR, TwoWay, two_way


@dataclass(frozen=True, repr=False)
class AnovaResult(Tested, law="F"):
    """Answer of `repeated_measures_anova`.

    Attributes
    ----------
    statistic, df, pvalue
        F, its degrees of freedom (k − 1, (k − 1)(N − 1)), and its p-value under sphericity.
    mauchly_w, mauchly_pvalue
        Mauchly's test of sphericity (a small p-value is evidence against it); NaN with fewer data sets than models.
    epsilon_gg, pvalue_gg
        Greenhouse and Geisser's ε, and the p-value with both degrees of freedom multiplied by it.
    epsilon_hf, pvalue_hf
        The same of Huynh and Feldt; an ε above 1 counts as 1 in the p-value.
    partial_eta_squared
        Share of the variation within data sets that the models explain.
    ss_models, ss_error
        Sums of squares.
    notes
        Choices made and weaknesses seen.
    """

    statistic: float
    df: tuple[int, int]
    pvalue: float
    mauchly_w: float
    mauchly_pvalue: float
    epsilon_gg: float
    pvalue_gg: float
    epsilon_hf: float
    pvalue_hf: float
    partial_eta_squared: float
    ss_models: float
    ss_error: float
    notes: tuple[Note, ...] = ()

    @property
    def ss_datasets(self) -> float:
        """Sum of squares of the data sets, which the test leaves out; NaN where the scores were not kept."""
        if "table" not in self._inputs:
            return float("nan")
        scores = self._inputs["table"]
        return int(scores.shape[1]) * float(((scores.mean(axis=1) - scores.mean()) ** 2).sum())

    def table(self) -> dict[str, list[Any]]:
        """Source, sum of squares, degrees of freedom, mean square, F and p, as textbooks print them.

        >>> repeated_measures_anova([[0.8, 0.7, 0.7], [0.9, 0.7, 0.8], [0.6, 0.5, 0.6]]).table()["df"]
        [2, 2, 4]
        """
        models, error = self.df
        datasets = error // models if models else 0
        sums, degrees = [self.ss_datasets, self.ss_models, self.ss_error], [datasets, models, error]
        return {
            "source": ["data sets", "models", "error"],
            "sum of squares": sums,
            "df": degrees,
            "mean square": [ss / df if df else float("nan") for ss, df in zip(sums, degrees, strict=True)],
            "F": [None, self.statistic, None],
            "p": [None, self.pvalue, None],
        }

    def _columns(self) -> dict[str, Any]:
        names = [f.name for f in fields(self) if f.name not in ("statistic", "df", "notes")]
        row = {"statistic": self.statistic, "df_models": self.df[0], "df_error": self.df[1]}
        return {name: [value] for name, value in (row | {n: getattr(self, n) for n in names}).items()}

    def _view(self) -> View:
        shown = self.table()
        first = {word(name): cells for name, cells in shown.items()}
        first[word("source")] = [word(name) for name in shown["source"]]
        told = ("statistic", "df_models", "df_error", "pvalue")
        rest = {n: v for n, v in self._shown().items() if getattr(n, "template", n) not in told}
        return View((), (Table(first), Table(rest)), (), self._notes())


def repeated_measures_anova(scores: ArrayLike) -> AnovaResult:
    """Do the mean scores of several models differ over data sets? Repeated-measures analysis of variance.

    Parameters
    ----------
    scores
        Shape [N, k]: rows are data sets, columns are models.

    Returns
    -------
    AnovaResult
        With `statistic`, `df`, `pvalue`, `mauchly_w`, `mauchly_pvalue`, `epsilon_gg`, `pvalue_gg`, `epsilon_hf`,
        `pvalue_hf` and `partial_eta_squared`.

    Notes
    -----
    F = (SS_models/(k−1)) / (SS_error/((N−1)(k−1))), the error being what neither the data set nor the model explains.
    It assumes normal residuals, and that all differences between two models vary alike (sphericity); where they do not,
    `pvalue_gg` is the safe answer. Mauchly's p-value has the second-order term, as in R.

    References
    ----------
    Greenhouse, S. W. & Geisser, S. (1959). On methods in the analysis of profile data. Psychometrika 24, 95–112.
    doi:10.1007/BF02289823

    Huynh, H. & Feldt, L. S. (1976). Estimation of the Box correction for degrees of freedom from sample data in
    randomized block and split-plot designs. Journal of Educational Statistics 1, 69–82. doi:10.3102/10769986001001069

    Examples
    --------
    >>> from bakeoff.stats import repeated_measures_anova
    >>> result = repeated_measures_anova([[.80, .77, .76], [.62, .59, .60], [.97, .96, .95], [.66, .65, .60]])
    >>> round(result.statistic, 3), result.df, round(result.pvalue, 4), round(result.pvalue_gg, 4)
    (6.529, (2, 6), 0.0312, 0.0641)
    """
    table = check_blocks(scores)
    layout = two_way(table)
    df = (layout.k - 1, layout.df_error)
    statistic, notes = _f_statistic(layout)
    shape = _sphericity(table, layout)
    explained = layout.ss_models + layout.ss_error
    return AnovaResult(
        statistic=statistic,
        df=df,
        pvalue=_pvalue(statistic, df, 1.0),
        mauchly_w=shape.mauchly_w,
        mauchly_pvalue=shape.mauchly_pvalue,
        epsilon_gg=shape.epsilon_gg,
        pvalue_gg=_pvalue(statistic, df, shape.epsilon_gg),
        epsilon_hf=shape.epsilon_hf,
        pvalue_hf=_pvalue(statistic, df, min(1.0, shape.epsilon_hf)),
        partial_eta_squared=layout.ss_models / explained if explained else np.nan,
        ss_models=layout.ss_models,
        ss_error=layout.ss_error,
        notes=notes + shape.notes,
    )._keeping(layout=layout, table=table)


class _Sphericity(NamedTuple):
    mauchly_w: float
    mauchly_pvalue: float
    epsilon_gg: float
    epsilon_hf: float
    notes: tuple[Note, ...]


def _f_statistic(layout: TwoWay) -> tuple[float, tuple[Note, ...]]:
    if layout.ss_error > 0:
        return (layout.ss_models / (layout.k - 1)) / (layout.ss_error / layout.df_error), ()
    if layout.ss_models > 0:
        return np.inf, (NO_ERROR,)
    return np.nan, (IDENTICAL_MODELS,)


def _pvalue(statistic: float, df: tuple[int, int], epsilon: float) -> float:
    """Return the F tail with shrunken degrees of freedom; 1 for identical models, NaN where there is no error."""
    if np.isinf(statistic):
        return np.nan
    return f_pvalue(statistic, epsilon * df[0], epsilon * df[1])


def _sphericity(table: FloatArray, layout: TwoWay) -> _Sphericity:
    """Compare the eigenvalues of the covariance of k − 1 orthonormal contrasts: equal under sphericity."""
    from scipy.linalg import helmert

    n, p = layout.n, layout.k - 1
    if p == 1 or layout.ss_error == 0:
        return _Sphericity(1.0, 1.0, 1.0, 1.0, ())  # two models have one difference; no error has no shape
    contrasts = table @ helmert(layout.k).T
    covariance = np.atleast_2d(np.cov(contrasts, rowvar=False))
    trace = float(np.trace(covariance))
    # Box's ε = (Σλ)² / (p Σλ²) of the eigenvalues λ; Huynh and Feldt's corrects its downward bias. Lecoutre's (1991)
    # correction of the latter concerns designs with several groups and changes nothing here.
    gg = trace**2 / (p * float((covariance**2).sum()))
    denominator = p * (n - 1 - p * gg)
    hf = (n * p * gg - 2) / denominator if denominator > 0 else np.inf
    if n - 1 < p:
        return _Sphericity(np.nan, np.nan, gg, hf, (note("mauchly-undefined", n=n, k=layout.k),))
    w = max(float(np.linalg.det(covariance / (trace / p))), 0.0)
    return _Sphericity(w, _mauchly_pvalue(w, n - 1, p), gg, hf, ())


def _mauchly_pvalue(w: float, df: int, p: int) -> float:
    """Return the p-value of Mauchly's W with Box's second-order term, in the form R, car and pingouin use.

    Their term has 3k where Anderson's has 3(k − 1), k the number of models: a matter of the sixth decimal.
    """
    from scipy.special import chdtrc

    if w <= 0:
        return 0.0
    rho = 1 - (2 * p**2 + p + 2) / (6 * p * df)
    second = (p + 2) * (p - 1) * (p - 2) * (2 * p**3 + 6 * p**2 + 3 * (p + 1) + 2) / (288 * (df * p * rho) ** 2)
    chi2, f = -df * rho * np.log(w), p * (p + 1) / 2 - 1
    first = float(chdtrc(f, max(chi2, 0.0)))
    return float(np.clip(first + second * (float(chdtrc(f + 4, max(chi2, 0.0))) - first), 0.0, 1.0))
