"""Tables of critical values, as at the end of a textbook; computed, for any level."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from bakeoff._core.errors import ParameterError
from bakeoff._core.result import Result
from bakeoff._core.text import Figure, plain_number
from bakeoff._core.validation import FloatArray, check_choice, check_count
from bakeoff.stats.distributions import Null
from bakeoff.stats.ranks import wilcoxon


@dataclass(frozen=True, repr=False)
class CriticalValues(Result):
    """A table of critical values.

    Attributes
    ----------
    test
        What the table is of.
    n
        The number of each row: of observations, degrees of freedom, or models.
    alpha
        The level of each column.
    values
        ``[n, alpha]``; NaN where no value of so small a sample rejects.

    Examples
    --------
    >>> from bakeoff import stats
    >>> print(stats.critical_values("t", n=[5, 29], alpha=[0.10, 0.05]))
     n     0.1    0.05
     5  2.0150  2.5706
    29  1.6991  2.0452
    """

    test: str
    n: tuple[int, ...]
    alpha: tuple[float, ...]
    values: FloatArray

    def _columns(self) -> dict[str, Any]:
        columns = {plain_number(level): self.values[:, j].tolist() for j, level in enumerate(self.alpha)}
        return {"n": list(self.n), **columns} if self.n else columns

    def _shown(self) -> dict[Any, Any]:
        found = self._columns()
        columns = {Figure(level): found[plain_number(level)] for level in self.alpha}
        return {"n": list(self.n), **columns} if self.n else columns


def critical_values(
    test: str, *, n: Iterable[int] = (), df: int | None = None, alpha: Sequence[float] = (0.10, 0.05, 0.01)
) -> CriticalValues:
    """Tabulate critical values of a test; two-sided where it has two sides.

    Parameters
    ----------
    test
        ``"z"`` (no `n`), ``"t"`` and ``"chi2"`` (`n`: degrees of freedom), ``"F"`` (`n`: of the numerator, `df`: of the
        denominator), ``wilcoxon`` and ``sign`` (`n`: pairs; reject at or below), ``"nemenyi"`` (`n`: models; q/√2, to
        be multiplied by √(k(k + 1)/(6N))) and ``"bonferroni-dunn"`` (`n`: models, control included; the same).
    n
        Rows of the table.
    df
        Degrees of freedom of the denominator of F.
    alpha
        Columns of the table.

    Examples
    --------
    >>> from bakeoff import stats
    >>> stats.critical_values("z").values.round(3).tolist()
    [[1.645, 1.96, 2.576]]
    >>> stats.critical_values("t", n=[29], alpha=[0.05]).values.round(5).tolist()
    [[2.04523]]
    >>> stats.critical_values("nemenyi", n=[4], alpha=[0.05]).values.round(3).tolist()
    [[2.569]]
    """
    check_choice("test", test, _TABLES)
    rows = tuple(check_count("n", each) for each in n)
    if test == "z":
        return CriticalValues(test, (), tuple(alpha), np.array([[Null("normal").critical(a) for a in alpha]]))
    if not rows:
        raise ParameterError(f"critical_values({test!r}) needs n, the rows of the table.", hint="n=range(5, 26)")
    if test == "F" and df is None:
        raise ParameterError("critical_values('F') needs df, the degrees of freedom of the denominator.")
    values = np.array([[_critical(test, each, df, level) for level in alpha] for each in rows])
    return CriticalValues(test, rows, tuple(alpha), values)


_TABLES = ("z", "t", "chi2", "F", wilcoxon.__name__, "sign", "nemenyi", "bonferroni-dunn")


def _critical(test: str, n: int, df: int | None, alpha: float) -> float:
    if test == "nemenyi":
        return Null("range", (n, np.inf), "upper").critical(alpha) / float(np.sqrt(2))
    if test == "bonferroni-dunn":
        return Null("normal").critical(alpha / (n - 1)) if n > 1 else float("nan")
    if test == "t":
        return Null("t", (n,)).critical(alpha)
    if test == "chi2":
        return Null("chi2", (n,), "upper").critical(alpha)
    if test == "F":
        return Null("F", (n, float(df or 1)), "upper").critical(alpha)
    return Null("binomial" if test == "sign" else "signed-rank", (n,), "lower").critical(alpha)
