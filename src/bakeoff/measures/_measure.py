"""Measure: what is worth knowing about a model's answers, as one entry that knows itself."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import KW_ONLY, dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from bakeoff._core.errors import EvidenceError, ParameterError
from bakeoff._core.language import Text
from bakeoff._core.language import label as label_text
from bakeoff._core.result import Note
from bakeoff._core.validation import BoolArray, FloatArray
from bakeoff.counts import ANSWERS, CELLS, TALLY, Counted, Draws, FormKind, Sample
from bakeoff.evidence import Predictions, Rows

if TYPE_CHECKING:
    from bakeoff.stats.resample import RankedDraws

NEEDS = ("labels", "scores", "probabilities", "values", "outcomes", "times", "sums", "attempts")

Link = Literal["identity", "logit", "log", "fisher", "square", "square_share"]
Share = Callable[[FloatArray, "int | None"], tuple[FloatArray, FloatArray]]  # cells, positive → successes, trials


_NAMED = label_text("name")  # stands for: the name in words


class Trait(StrEnum):
    """What intervals and tests may ask of a measure, instead of its name."""

    RIGHT_OR_WRONG = "right or wrong"  # the share of rows answered right, or wrong
    MEAN = "mean"  # the plain mean of one term per row, ``terms[:, 0]``
    OF_ITEMS = "of items"  # the mean over items of an item's mean over its attempts
    PREDICTIVE = "predictive"  # the share of right ones among the rows that a model calls
    BIASED = "biased"  # noise counts as error, so that few rows give too large a value
    AREA = "area"  # the area under the ROC curve, or a linear function of it
    UNEVEN = "uneven"  # items of unequal size are added up before it is formed
    QUOTIENT = "quotient"  # a quotient of two models' values means something: twice the errors per word


def _no_caution(rows: Rows, model: str) -> Note | None:
    return None


def _no_share(cells: FloatArray, positive: int | None) -> tuple[FloatArray, FloatArray]:
    raise TypeError("the measure is no share of the cells of a confusion matrix")


def _no_gradient(*counted: FloatArray) -> FloatArray:
    raise TypeError("no derivative in closed form is known for the measure")


def _no_pass(draws: RankedDraws) -> FloatArray:
    raise TypeError("no pass over sorted rows is known for the measure")


def _not_debiased(counted: Counted, draws: Draws) -> float:
    raise TypeError("no value without bias is known for the measure")


def _unchanged(loss: FloatArray) -> FloatArray:
    return loss


@dataclass(frozen=True, eq=False)
class Measure:
    """A quality measure: its direction, bounds, needs, meaning, how rows are counted for it, and its formula.

    Attributes
    ----------
    name
        The name it is called by, such as ``"balanced_accuracy"``.
    greater_is_better
        Direction.
    bounds
        Least and greatest possible value.
    needs
        ``"labels"``, ``"scores"``, ``"probabilities"``, ``"values"``, ``"outcomes"``, ``"times"``, ``"sums"`` or
        ``"attempts"``.
    meaning
        One line in the user's words.
    undefined_when
        When the value does not exist, in words that follow "undefined:".
    tasks
        The tasks it is for: ``"binary"``, ``"multiclass"``, ``"regression"``, ``"outcomes"``, ``"sums"``.
    form
        How rows are counted: ``bakeoff.counts.CELLS``, ``TALLY``, ``SumsKind(terms)`` or ``ANSWERS``.
    value
        The formula on what was counted, for any number of replicates at once: of cells ``[..., K, K]`` and the positive
        class; of scores, positives and negatives ``[..., m]``; of means of terms ``[..., t]``; of a `Sample` and
        weights ``[b, n]``. It must not depend on the scale of the counts.
    label
        Its printed name: AUC, F1, balanced accuracy.
    link
        The scale on which it is nearly normal.
    smooth
        Whether it changes smoothly with the counts; maxima, medians and hulls do not.
    gradient
        Where it is known in closed form: of a tally, its derivative in positives and negatives at each score; of sums,
        in the mean of each term.
    drawn
        For a tally: its values on draws of sorted rows, where a pass over the counts gives them.
    traits
        What intervals and tests may ask for.
    share
        For a proportion: cells, positive → (successes, trials).
    within
        For a share of right (or, where less is better, wrong) answers: among ``"all"`` rows, the ``"positive"`` or the
        ``"negative"`` ones.
    area
        Of a linear function of the area under the ROC curve (``Trait.AREA``): its factor and constant. Areas have a
        variance and kernels of their own.
    debiased
        For a value that few rows make too good or too large: what was counted, and how to draw → the value without
        that bias, which the limit on the other side is measured from.
    unseen
        Share of the largest move of a row not seen yet that the interval rule allows for.
    limits
        The closed forms of intervals that serve it, best first; where none does, rows are resampled.
    caution
        Rows, model → what to say about its value on these rows, if anything.
    needs_positive
        Whether a positive class must be known.
    outcomes
        The same measure of 0/1 outcomes, where it has one: accuracy is their mean.
    loss
        The mean loss it is a function of, by name, and that function (rising or falling): error for accuracy, mse for
        rmse; no name where there is none.
    columns
        Of sums: the sets of columns any of which suffices.
    usable
        Rows, model → the rows it is defined on (pass@k: items with k attempts); by default all.

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
    _: KW_ONLY
    form: FormKind
    value: Callable[..., FloatArray]
    label: Text = _NAMED
    link: Link = "identity"
    smooth: bool = True
    gradient: Callable[..., FloatArray | tuple[FloatArray, FloatArray]] = _no_gradient
    drawn: Callable[[RankedDraws], FloatArray] = _no_pass
    traits: frozenset[Trait] = frozenset()
    share: Share = _no_share
    within: Literal["all", "positive", "negative"] | None = None
    area: tuple[float, float] = (1.0, 0.0)
    debiased: Callable[[Counted, Draws], float] = _not_debiased
    unseen: float = 1.0
    limits: tuple[str, ...] = ()
    caution: Callable[[Rows, str], Note | None] = _no_caution
    needs_positive: bool = False
    outcomes: Measure | None = None
    loss: tuple[str, Callable[[FloatArray], FloatArray]] = ("", _unchanged)
    columns: tuple[tuple[str, ...], ...] = ()
    usable: Callable[[Rows, str], BoolArray] | None = None

    def __post_init__(self) -> None:
        if self.needs not in NEEDS:
            raise ParameterError(f"a measure's needs must be one of {', '.join(NEEDS)}. Got {self.needs!r}.")
        if self.label is _NAMED:
            object.__setattr__(self, "label", label_text(self.name.replace("_", " ")))

    def __repr__(self) -> str:
        direction = "greater is better" if self.greater_is_better else "less is better"
        return f"Measure({self.name!r}, needs {self.needs}, {direction})"

    def has(self, trait: Trait) -> bool:
        """Tell whether the measure has a trait."""
        return trait in self.traits

    @property
    def of_cells(self) -> bool:
        """Whether it is a function of the confusion matrix."""
        return self.form is CELLS

    @property
    def of_tally(self) -> bool:
        """Whether it is a function of the positives and negatives at each score."""
        return self.form is TALLY

    @property
    def has_share(self) -> bool:
        """Whether `share` counts its successes and trials."""
        return self.share is not _no_share

    @property
    def has_gradient(self) -> bool:
        """Whether `gradient` knows its derivative; else it is taken numerically."""
        return self.gradient is not _no_gradient

    @property
    def has_pass(self) -> bool:
        """Whether `drawn` gives its values on draws of sorted rows in one pass."""
        return self.drawn is not _no_pass

    @property
    def has_bias(self) -> bool:
        """Whether few rows make it too good or too large, and `debiased` gives it without that bias."""
        return self.debiased is not _not_debiased

    @property
    def has_slope(self) -> bool:
        """Whether influence values describe it, at a price that does not grow with the square of the rows."""
        return self.smooth and (self.form is not ANSWERS or self.has_gradient) and self.needs != "times"

    @property
    def of_ranks(self) -> bool:
        """Whether a row counts by its place among others: that of a score, or of a chance among several classes."""
        return self.of_tally or (self.form is ANSWERS and self.has_gradient)

    @property
    def is_area(self) -> bool:
        """Whether it is the area under the ROC curve, or a linear function of it."""
        return self.has(Trait.AREA)

    @property
    def partial(self) -> bool:
        """Whether it is defined on some rows only."""
        return self.usable is not None

    @property
    def plain(self) -> bool:
        """Whether nothing but its formula is to be known: all rows serve, no closed form, no caution."""
        return not self.limits and not self.partial and self.caution is _no_caution

    def usable_rows(self, rows: Rows, models: Sequence[str]) -> Rows:
        """The rows on which it is defined for all these models."""
        if self.usable is None:
            return rows
        kept = np.logical_and.reduce([self.usable(rows, m) for m in models])
        return rows if kept.all() else rows.take(kept)

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
            What the measure needs: labels ``[n]``, scores ``[n]``, probabilities ``[n]`` or ``[n, K]``, values ``[n]``;
            of sums {column → ``[n]``}, of attempts outcomes ``[n, attempts]``.
        labels
            All classes, in order.
        pos_label
            The positive class.
        sample_weight
            Weights ``[n]``.
        """
        if self.needs == "times":
            raise EvidenceError(f"{self.name} is recorded by `bakeoff.run`, it cannot be computed from predictions.")
        if self.needs in _WITHOUT_TRUTH:
            rows = _WITHOUT_TRUTH[self.needs](output, sample_weight)
        else:
            kind = {"labels": "y_pred", "values": "y_value"}.get(self.needs, "y_score")
            given: dict[str, Any] = {kind: {"model": output}, "pos_label": pos_label, "sample_weight": sample_weight}
            rows = Predictions.from_arrays(y_true, classes=labels, **given).table()
        if self.needs_positive and rows.positive is None:
            rows.positives()  # raises, naming the classes
        return self.form.value(self, self.usable_rows(rows, ("model",)), "model")

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

        def of_rows(sample: Sample, weight: FloatArray) -> float:
            truth, output = natural_arrays(sample, needs)
            if takes_weight:
                return float(function(truth, output, sample_weight=weight))
            if not (weight == weight[0]).all():
                # Whole weights are copies; a function that knows no weights can only be given repeated rows.
                if not np.array_equal(weight, np.rint(weight)):
                    raise ParameterError(
                        f"measure {name!r} takes no weights, but the rows have weights that are not whole numbers.",
                        hint="write the function with a sample_weight argument and give takes_weight=True",
                    )
                times = weight.astype(np.int64)
                truth, output = np.repeat(truth, times, axis=0), np.repeat(output, times, axis=0)
            return float(function(truth, output))

        tasks = ("regression",) if needs == "values" else ("binary", "multiclass")
        return cls(
            name, greater_is_better, bounds, needs, meaning, tasks=tasks, form=ANSWERS, value=one_by_one(of_rows),
            smooth=False,
        )  # fmt: skip


def _outcome_rows(output: Any, sample_weight: Any) -> Rows:
    """Outcomes of items, ``[n]`` or ``[n, attempts]``."""
    table = np.asarray(output, dtype=np.float64)
    if table.ndim < 2:
        return Predictions.from_outcomes({"model": output}, sample_weight=sample_weight).table()
    item, attempt = (index.ravel() for index in np.indices(table.shape))
    weight = None if sample_weight is None else np.asarray(sample_weight)[item]
    return Predictions.from_outcomes(
        {"model": table.ravel()}, item=item, attempt=attempt, sample_weight=weight
    ).table()  # fmt: skip


def _sum_rows(output: Any, sample_weight: Any) -> Rows:
    return Predictions.from_sums({"model": output}, sample_weight=sample_weight).table()


_WITHOUT_TRUTH = {"sums": _sum_rows, "outcomes": _outcome_rows, "attempts": _outcome_rows}


def one_by_one(function: Callable[[Sample, FloatArray], float]) -> Callable[[Sample, FloatArray], FloatArray]:
    """Make a function of one weighting ``[n]`` work on many, ``[b, n]`` → ``[b]``."""
    return lambda sample, weights: np.array([function(sample, weight) for weight in weights])


def natural_arrays(sample: Sample, needs: str) -> tuple[NDArray[Any], NDArray[Any]]:
    """Undo the encoding: labels as the user wrote them."""
    if not sample.classes:
        return sample.truth, sample.output
    names = np.asarray(sample.classes, dtype=None if _same_kind(sample.classes) else object)
    if needs == "scores":
        return np.asarray(sample.truth, dtype=np.int64), sample.output
    truth = names[np.asarray(sample.truth, dtype=np.int64)]
    return truth, names[np.asarray(sample.output, np.int64)] if needs == "labels" else sample.output


def _same_kind(classes: Sequence[Hashable]) -> bool:
    return len({type(c) for c in classes}) == 1


def first_mean(means: FloatArray) -> FloatArray:
    """The measure is the mean of its one term."""
    return means[..., 0]


def first_slope(means: FloatArray) -> FloatArray:
    """Derivative of `first_mean` in each mean."""
    slope = np.zeros_like(means)
    slope[..., 0] = 1.0
    return slope
