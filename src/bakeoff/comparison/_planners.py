"""How each test plans: power at a size, size for a difference, smallest difference at a size."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from bakeoff.stats import (
    detectable_corrected_t,
    detectable_delong,
    detectable_friedman,
    detectable_mcnemar,
    detectable_paired_t,
    detectable_wilcoxon,
    power_corrected_t,
    power_delong,
    power_friedman,
    power_mcnemar,
    power_paired_t,
    power_wilcoxon,
    sample_size_corrected_t,
    sample_size_delong,
    sample_size_friedman,
    sample_size_mcnemar,
    sample_size_paired_t,
    sample_size_wilcoxon,
)

_DRAWS = 3000  # simulated tables of Friedman's test: a Monte-Carlo error of 0.009 in the power


@dataclass(frozen=True)
class Planner(ABC):
    """A test with what is assumed about the models; sizes count instances, splits or data sets."""

    test: ClassVar[str]
    unit: ClassVar[str]
    minimum: ClassVar[int] = 2
    curve_points: ClassVar[int] = 25

    @abstractmethod
    def power_at(self, difference: float, n: int, alpha: float) -> float:
        """Chance that a true difference is shown with n units."""

    @abstractmethod
    def needed(self, difference: float, alpha: float, power: float) -> int:
        """Units needed to show a difference with the power asked for."""

    @abstractmethod
    def detectable(self, n: int, alpha: float, power: float) -> float:
        """Smallest difference that n units show with the power asked for."""

    def assumptions(self) -> dict[str, float]:
        """What was assumed, by name."""
        return dict(vars(self))


@dataclass(frozen=True)
class AccuracyPlanner(Planner):
    """McNemar's test; what matters is how often exactly one of two models is right."""

    discordant: float

    test: ClassVar[str] = "mcnemar"
    unit: ClassVar[str] = "instances"
    minimum: ClassVar[int] = 1

    def _rates(self, difference: float) -> tuple[float, float]:
        # A difference cannot exceed the share of discordant instances: a larger one widens that share.
        total = max(self.discordant, difference)
        return (total + difference) / 2, (total - difference) / 2

    def power_at(self, difference: float, n: int, alpha: float) -> float:
        """See `power_mcnemar`."""
        return power_mcnemar(*self._rates(difference), n, alpha=alpha)

    def needed(self, difference: float, alpha: float, power: float) -> int:
        """See `sample_size_mcnemar`."""
        return sample_size_mcnemar(*self._rates(difference), alpha=alpha, power=power)

    def detectable(self, n: int, alpha: float, power: float) -> float:
        """See `detectable_mcnemar`."""
        return detectable_mcnemar(self.discordant, n, alpha=alpha, power=power)


@dataclass(frozen=True)
class AucPlanner(Planner):
    """DeLong's test for an AUC above a baseline."""

    baseline: float
    prevalence: float
    correlation: float

    test: ClassVar[str] = "delong"
    unit: ClassVar[str] = "instances"
    minimum: ClassVar[int] = 4

    def _classes(self, n: int) -> tuple[int, int]:
        positives = min(max(round(n * self.prevalence), 2), n - 2)
        return positives, n - positives

    def power_at(self, difference: float, n: int, alpha: float) -> float:
        """See `power_delong`."""
        better = self.baseline + difference
        return power_delong(better, self.baseline, *self._classes(n), correlation=self.correlation, alpha=alpha)

    def needed(self, difference: float, alpha: float, power: float) -> int:
        """See `sample_size_delong`."""
        return sample_size_delong(
            self.baseline + difference, self.baseline, prevalence=self.prevalence, correlation=self.correlation,
            alpha=alpha, power=power,
        )  # fmt: skip

    def detectable(self, n: int, alpha: float, power: float) -> float:
        """See `detectable_delong`."""
        return detectable_delong(
            self.baseline, *self._classes(n), correlation=self.correlation, alpha=alpha, power=power
        )


@dataclass(frozen=True)
class LossPlanner(Planner):
    """Paired t-test over instances, for a mean of values per instance."""

    sd: float

    test: ClassVar[str] = "paired-t"
    unit: ClassVar[str] = "instances"

    def power_at(self, difference: float, n: int, alpha: float) -> float:
        """See `power_paired_t`."""
        return power_paired_t(difference, self.sd, n, alpha=alpha)

    def needed(self, difference: float, alpha: float, power: float) -> int:
        """See `sample_size_paired_t`."""
        return sample_size_paired_t(difference, self.sd, alpha=alpha, power=power)

    def detectable(self, n: int, alpha: float, power: float) -> float:
        """See `detectable_paired_t`."""
        return detectable_paired_t(self.sd, n, alpha=alpha, power=power)


@dataclass(frozen=True)
class SplitPlanner(Planner):
    """Corrected resampled t-test over the splits of one data set."""

    sd: float
    n_train: float
    n_test: float

    test: ClassVar[str] = "corrected-t"
    unit: ClassVar[str] = "splits"

    def _sizes(self) -> dict[str, Any]:
        return {"n_train": self.n_train, "n_test": self.n_test}

    def power_at(self, difference: float, n: int, alpha: float) -> float:
        """See `power_corrected_t`."""
        return power_corrected_t(difference, self.sd, n_splits=n, alpha=alpha, **self._sizes())

    def needed(self, difference: float, alpha: float, power: float) -> int:
        """See `sample_size_corrected_t`; raises when no number of repeats is enough."""
        return sample_size_corrected_t(difference, self.sd, alpha=alpha, power=power, **self._sizes())

    def detectable(self, n: int, alpha: float, power: float) -> float:
        """See `detectable_corrected_t`."""
        return detectable_corrected_t(self.sd, n_splits=n, alpha=alpha, power=power, **self._sizes())


@dataclass(frozen=True)
class DatasetPlanner(Planner):
    """Wilcoxon's signed-rank test over data sets."""

    sd: float

    test: ClassVar[str] = "wilcoxon"
    unit: ClassVar[str] = "data sets"
    curve_points: ClassVar[int] = 8  # every point is a simulation

    def power_at(self, difference: float, n: int, alpha: float) -> float:
        """See `power_wilcoxon`."""
        return power_wilcoxon(difference, self.sd, n, alpha=alpha)

    def needed(self, difference: float, alpha: float, power: float) -> int:
        """See `sample_size_wilcoxon`."""
        return sample_size_wilcoxon(difference, self.sd, alpha=alpha, power=power)

    def detectable(self, n: int, alpha: float, power: float) -> float:
        """See `detectable_wilcoxon`."""
        return detectable_wilcoxon(self.sd, n, alpha=alpha, power=power)


@dataclass(frozen=True)
class FriedmanPlanner(Planner):
    """Friedman's test of one model ahead of equal others, over data sets."""

    sd: float
    n_models: int

    test: ClassVar[str] = "friedman"
    unit: ClassVar[str] = "data sets"
    curve_points: ClassVar[int] = 8  # every point is a simulation

    @property
    def _sd(self) -> float:
        # `sd` is of the difference of two models; each model's own scatter is smaller by the root of two.
        return float(self.sd / np.sqrt(2))

    def _means(self, difference: float) -> list[float]:
        return [difference, *[0.0] * (self.n_models - 1)]

    def power_at(self, difference: float, n: int, alpha: float) -> float:
        """See `power_friedman`."""
        return power_friedman(self._means(difference), self._sd, n, alpha=alpha, n_resamples=_DRAWS)

    def needed(self, difference: float, alpha: float, power: float) -> int:
        """See `sample_size_friedman`."""
        return sample_size_friedman(self._means(difference), self._sd, alpha=alpha, power=power, n_resamples=_DRAWS)

    def detectable(self, n: int, alpha: float, power: float) -> float:
        """See `detectable_friedman`."""
        return detectable_friedman(self.n_models, self._sd, n, alpha=alpha, power=power, n_resamples=_DRAWS)
