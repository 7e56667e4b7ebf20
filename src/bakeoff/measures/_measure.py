"""Measure: what is worth knowing about a model's answers, as an object that knows itself."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bakeoff._core.errors import EvidenceError, ParameterError
from bakeoff._core.validation import FloatArray
from bakeoff.evidence import Predictions
from bakeoff.measures._sample import Sample, sample_of

# How a measure is computed. The letters of the arrays: B replicates, K classes, m distinct scores or row terms.
FromConfusion = Callable[[FloatArray, "int | None"], FloatArray]  # cells [..., K, K], positive class → [...]
FromTally = Callable[[FloatArray, NDArray[Any], NDArray[Any]], Any]  # scores [m], positives and negatives [..., m]
RowTerms = Callable[[Sample], FloatArray]  # per-row terms [n, m]; the measure is a function of their means
Combine = Callable[[FloatArray], FloatArray]  # means [..., m] → [...]
FromRows = Callable[[Sample], float]
OverWeights = Callable[[Sample, FloatArray], FloatArray]  # weights of the rows [B, n], their own included → [B]

NEEDS = ("labels", "scores", "probabilities", "values", "outcomes", "times")


@dataclass(frozen=True, eq=False)
class Measure:
    """A quality measure: its direction, bounds, needs, meaning, and how to compute it from counts or rows.

    Attributes
    ----------
    name
        The name it is called by, such as ``"balanced_accuracy"``.
    greater_is_better
        Direction.
    bounds
        Least and greatest possible value.
    needs
        ``"labels"``, ``"scores"``, ``"probabilities"``, ``"values"``, ``"outcomes"`` or ``"times"``.
    meaning
        One line in the user's words.
    undefined_when
        When the value does not exist, in words that follow "undefined:".
    tasks
        The tasks it is for: ``"binary"``, ``"multiclass"``, ``"regression"``, ``"outcomes"``.
    from_confusion, from_tally, terms, combine, from_rows, over_weights
        The ways it can be computed; at least one is given. `terms` and `combine` go together: the measure is
        ``combine(mean of terms over rows)``, which is what makes its bootstrap fast. `over_weights` computes many
        weightings of the same rows in one call, for measures that are none of these.
    proportion
        For a plain proportion, the function cells, positive → (successes, trials), for binomial intervals.
    is_loss
        Whether the measure is the plain mean of one non-negative per-instance loss, ``terms[:, 0]``.

    Examples
    --------
    >>> import bakeoff
    >>> recall = bakeoff.measures.get("recall")
    >>> recall([1, 1, 0, 0], [1, 0, 0, 1])
    0.5
    >>> recall.needs, recall.greater_is_better, recall.bounds
    ('labels', True, (0.0, 1.0))
    """

    name: str
    greater_is_better: bool
    bounds: tuple[float, float]
    needs: str
    meaning: str = ""
    undefined_when: str = "it cannot be computed from these rows"
    tasks: tuple[str, ...] = ("binary", "multiclass")
    from_confusion: FromConfusion | None = field(default=None, repr=False)
    from_tally: FromTally | None = field(default=None, repr=False)
    terms: RowTerms | None = field(default=None, repr=False)
    combine: Combine | None = field(default=None, repr=False)
    from_rows: FromRows | None = field(default=None, repr=False)
    over_weights: OverWeights | None = field(default=None, repr=False)
    proportion: Callable[[FloatArray, int | None], tuple[FloatArray, FloatArray]] | None = field(
        default=None, repr=False
    )
    is_loss: bool = False
    needs_positive: bool = False

    def __post_init__(self) -> None:
        if self.needs not in NEEDS:
            raise ParameterError(f"a measure's needs must be one of {', '.join(NEEDS)}. Got {self.needs!r}.")
        if self.needs != "times" and not any(
            (self.from_confusion, self.from_tally, self.terms, self.from_rows, self.over_weights)
        ):
            raise ParameterError(f"measure {self.name!r} has no way of being computed.", hint="give from_rows=")

    def __repr__(self) -> str:
        direction = "greater is better" if self.greater_is_better else "less is better"
        return f"Measure({self.name!r}, needs {self.needs}, {direction})"

    def __call__(
        self,
        y_true: Any,
        output: Any,
        *,
        labels: Sequence[Hashable] | None = None,
        pos_label: Hashable | None = None,
        sample_weight: Any = None,
    ) -> float:
        """Compute the measure from arrays; NaN where it is undefined.

        Parameters
        ----------
        y_true
            True labels or values ``[n]``.
        output
            What the measure needs: labels ``[n]``, scores ``[n]``, probabilities ``[n]`` or ``[n, K]``, values ``[n]``.
        labels
            All classes, in order.
        pos_label
            The positive class.
        sample_weight
            Weights ``[n]``.
        """
        kind = {"labels": "y_pred", "values": "y_value"}.get(self.needs, "y_score")
        if self.needs == "outcomes":
            rows = Predictions.from_outcomes({"model": output}).table()
        elif self.needs == "times":
            raise EvidenceError(f"{self.name} is recorded by `bakeoff.run`, it cannot be computed from predictions.")
        else:
            given: dict[str, Any] = {kind: {"model": output}, "pos_label": pos_label, "sample_weight": sample_weight}
            rows = Predictions.from_arrays(y_true, classes=labels, **given).table()
        if self.needs_positive and rows.positive is None:
            rows.positives()  # raises, naming the classes
        return self.of_sample(sample_of(rows, "model", self.needs))

    def of_sample(self, sample: Sample) -> float:
        """Compute the measure from one model's arrays; NaN where it is undefined."""
        if self.from_confusion is not None:
            return float(self.from_confusion(confusion_cells(sample), sample.positive))
        if self.terms is not None and self.combine is not None:
            weight = sample.weights()
            total = float(weight.sum())
            means = (weight @ self.terms(sample)) / total if total > 0 else np.full(1, np.nan)
            return float(self.combine(means))
        if self.from_tally is not None:
            from bakeoff.stats import tally_scores

            positive = np.asarray(sample.truth, dtype=bool)
            return float(self.from_tally(*tally_scores(positive, np.asarray(sample.output, float), sample.weight)))
        if self.from_rows is not None:
            return float(self.from_rows(sample))
        return float(self.of_weights(sample, sample.weights()[None, :])[0])

    def of_weights(self, sample: Sample, weights: FloatArray) -> FloatArray:
        """Compute the measure with the rows weighted in B ways, ``[B, n]`` → ``[B]``."""
        if self.over_weights is not None:
            return np.asarray(self.over_weights(sample, weights), dtype=np.float64)
        return np.array([self.of_sample(sample.with_weight(weight)) for weight in weights])

    def better(self, a: float, b: float) -> bool:
        """Tell whether value `a` is better than value `b`."""
        return a > b if self.greater_is_better else a < b

    # -- scikit-learn -----------------------------------------------------------------------------------------------

    @classmethod
    def from_scorer(cls, scorer: Any, *, name: str | None = None, needs: str | None = None) -> Measure:
        """Wrap a scikit-learn scorer (``make_scorer(...)`` or its name) as a measure on arrays.

        Examples
        --------
        >>> import bakeoff
        >>> measure = bakeoff.Measure.from_scorer("neg_log_loss")
        >>> measure.name, measure.greater_is_better, measure.needs
        ('log_loss', False, 'probabilities')
        """
        from bakeoff.measures._scorers import measure_from_scorer

        return measure_from_scorer(scorer, name=name, needs=needs)

    def as_scorer(self) -> Any:
        """Return a scikit-learn scorer (greater is better, so losses are negated) for `cross_validate` or a search.

        Examples
        --------
        >>> import bakeoff
        >>> from sklearn.datasets import load_iris
        >>> from sklearn.model_selection import cross_val_score
        >>> from sklearn.naive_bayes import GaussianNB
        >>> scorer = bakeoff.measures.get("kappa").as_scorer()
        >>> cross_val_score(GaussianNB(), *load_iris(return_X_y=True), scoring=scorer, cv=5).round(2).tolist()
        [0.9, 0.95, 0.9, 0.9, 1.0]
        """
        from bakeoff.measures._scorers import scorer_from_measure

        return scorer_from_measure(self)

    @classmethod
    def from_function(
        cls,
        name: str,
        function: Callable[..., float],
        *,
        needs: str,
        greater_is_better: bool = True,
        bounds: tuple[float, float] = (-np.inf, np.inf),
        meaning: str = "",
        takes_weight: bool = False,
    ) -> Measure:
        """Make a measure of your own from ``function(y_true, output)``.

        Parameters
        ----------
        function
            Called with labels as they are written in the data (or values), and the output the measure needs. With
            `takes_weight`, it is also given ``sample_weight=``, which makes its bootstrap vectorised over weights.

        Examples
        --------
        >>> import bakeoff
        >>> def hits(truth, value):
        ...     return float((abs(value - truth) < 1).mean())
        ...
        >>> within_one = bakeoff.Measure.from_function("within_one", hits, needs="values", bounds=(0, 1))
        >>> within_one([1.0, 2.0], [1.5, 9.0])
        0.5
        """

        def from_rows(sample: Sample) -> float:
            truth, output = natural_arrays(sample, needs)
            if takes_weight:
                return float(function(truth, output, sample_weight=sample.weights()))
            if sample.weight is not None:
                # Whole weights are replication; a function that knows no weights can only be given repeated rows.
                if not np.array_equal(sample.weight, np.rint(sample.weight)):
                    raise ParameterError(
                        f"measure {name!r} takes no weights, but the rows have weights that are not whole numbers.",
                        hint="write the function with a sample_weight argument and give takes_weight=True",
                    )
                repeat = sample.weight.astype(np.int64)
                truth, output = np.repeat(truth, repeat, axis=0), np.repeat(output, repeat, axis=0)
            return float(function(truth, output))

        tasks = ("regression",) if needs == "values" else ("binary", "multiclass")
        return cls(name, greater_is_better, bounds, needs, meaning, tasks=tasks, from_rows=from_rows)


def natural_arrays(sample: Sample, needs: str) -> tuple[NDArray[Any], NDArray[Any]]:
    """Undo the encoding: labels as the user wrote them."""
    if needs in ("values", "outcomes"):
        return sample.truth, sample.output
    names = np.asarray(sample.classes, dtype=None if _same_kind(sample.classes) else object)
    if needs == "scores":
        return np.asarray(sample.truth, dtype=np.int64), sample.output
    truth = names[np.asarray(sample.truth, dtype=np.int64)]
    return truth, names[np.asarray(sample.output, np.int64)] if needs == "labels" else sample.output


def _same_kind(classes: Sequence[Hashable]) -> bool:
    return len({type(c) for c in classes}) == 1


def confusion_cells(sample: Sample) -> FloatArray:
    """Confusion cells ``[K, K]``, true classes in rows.

    Examples
    --------
    >>> import numpy as np
    >>> from bakeoff.measures import Sample, confusion_cells
    >>> confusion_cells(Sample(np.array([0, 1, 1]), np.array([0, 1, 0]), classes=("no", "yes"))).tolist()
    [[1.0, 0.0], [1.0, 1.0]]
    """
    k = len(sample.classes)
    key = np.asarray(sample.truth, dtype=np.int64) * k + np.asarray(sample.output, dtype=np.int64)
    return np.bincount(key, weights=sample.weight, minlength=k * k).reshape(k, k).astype(np.float64)
