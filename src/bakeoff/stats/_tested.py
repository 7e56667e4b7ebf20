"""What every test of a hypothesis has: the distribution of its statistic, and with it critical values and a picture."""

from __future__ import annotations

from typing import Any

from bakeoff._core.result import Result
from bakeoff.stats.distributions import Law, Null


class Tested(Result):
    """A result with a statistic that is referred to a distribution.

    Examples
    --------
    >>> from bakeoff import stats
    >>> result = stats.mcnemar_from_table([[145, 10], [25, 20]], method="chi2_corrected")
    >>> round(result.statistic, 3), round(result.critical_value(), 3)
    (5.6, 3.841)
    """

    _law: Law = "chi2"

    def __init_subclass__(cls, law: Law | None = None, **more: Any) -> None:
        """Say which law the statistic follows; its numbers are the field `df`, its tail the field `alternative`."""
        super().__init_subclass__(**more)
        cls._law = law or cls._law

    @property
    def null_distribution(self) -> Null:
        """Distribution of the statistic where the null hypothesis holds, and its rejection region."""
        df: Any = getattr(self, "df", ())
        tail: Any = "upper" if self._law in ("chi2", "F") else getattr(self, "alternative", "two-sided")
        return Null(self._law, df if isinstance(df, tuple) else (df,), tail)

    @property
    def _decisive(self) -> float:
        """What is held against that distribution: the statistic, or with one side the part of it that tells."""
        return float(getattr(self, "statistic", float("nan")))

    def critical_value(self, alpha: float = 0.05) -> float:
        """Return the value from which on the null hypothesis is rejected at level `alpha`.

        With two sides the statistic's size is compared with it; for rank sums and counts, where small values reject,
        it is the largest that does (NaN where even the smallest does not).
        """
        return self.null_distribution.critical(alpha)
