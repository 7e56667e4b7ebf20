"""Bootstrap runs: errors by the leave-one-out bootstrap, .632 and .632+, from the stored units, with intervals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from bakeoff._core.language import Text
from bakeoff._core.result import Interval, Note, warning_note
from bakeoff._core.validation import FloatArray, IntArray
from bakeoff.counts import Sample, sample_of
from bakeoff.evidence import Predictions, Rows
from bakeoff.intervals import Evaluation, evaluate
from bakeoff.measures import Measure, Trait, as_loss, from_loss, get, losses_of
from bakeoff.protocols import Bootstrap
from bakeoff.runner._pairing import Paired, by_dataset, rows_of
from bakeoff.stats import BootstrapErrorResult, bootstrap_error, no_information_loss, no_information_rate

if TYPE_CHECKING:
    from bakeoff.runner._results import Results


@dataclass(frozen=True)
class BootstrapDraws:
    """One data set's bootstrap: who was drawn how often, and the evidence inside and outside the bag.

    Attributes
    ----------
    counts
        How often each row is in each resample, ``[B, n]``.
    outside
        Out-of-bag predictions of all models.
    apparent
        Predictions of the models fitted on all rows, for the same rows; None for the plain estimate.
    estimator
        ``"plain"``, ``"632"`` or ``"632+"``.
    """

    counts: IntArray
    outside: Rows
    apparent: Rows | None
    estimator: str

    def losses(self, measure: Measure, model: str) -> FloatArray:
        """Loss of each row under each resample's model, ``[B, n]``; NaN inside the bag."""
        table = np.full(self.counts.shape, np.nan)
        table[_places(self.outside)] = losses_of(measure, self.outside, [model])[:, 0]
        return table

    def error(self, measure: Measure, model: str) -> BootstrapErrorResult:
        """Estimate the mean loss of one model."""
        losses = self.losses(measure, model)
        if self.apparent is None:
            return bootstrap_error(losses, self.counts, estimator="plain")
        sample = sample_of(self.apparent, model, measure.needs)
        gamma = no_information(measure, sample) if self.estimator == "632+" else None
        training = measure.form.losses(sample)
        return bootstrap_error(losses, self.counts, training, no_information_rate=gamma, estimator=self.estimator)


def no_information(measure: Measure, sample: Sample) -> float:
    """Mean loss if truths and outputs were paired at random: γ of .632+."""
    if measure.has(Trait.RIGHT_OR_WRONG):
        return no_information_rate(sample.truth, sample.output)

    def loss(truth: NDArray[Any], output: NDArray[Any]) -> NDArray[Any]:
        return measure.form.losses(replace(sample, truth=truth, output=output, weight=None))

    return no_information_loss(sample.truth, sample.output, loss)


def evaluate_bootstrap(results: Results, paired: Paired, measures: Any, **options: Any) -> Evaluation:
    """Evaluate a bootstrap run: mean losses by the protocol's estimator, everything else averaged out of the bag."""
    evidence = results._evidence(paired)
    plain = evaluate(evidence, measures, **options)
    draws = {rows.name: _draws(results, rows, paired) for rows in evidence}
    entries, untouched = [], []
    for entry in plain.entries:
        loss = as_loss(get(entry.measure))
        drawn = draws[entry.dataset]
        if loss is None or drawn is None or entry.model not in drawn.outside.outputs or entry.interval.method == "":
            untouched.append(entry.measure)
            entries.append(entry)
        else:
            interval = _interval(get(entry.measure), drawn.error(loss, entry.model), plain.confidence_level)
            entries.append(replace(entry, interval=interval, n=drawn.counts.shape[1]))
    notes = (*plain.notes, *_notes(results, evidence, untouched, draws))
    return replace(plain, entries=tuple(entries), notes=notes)


def _interval(measure: Measure, error: BootstrapErrorResult, level: float) -> Interval:
    """Turn the interval of a loss into that of the measure asked for."""
    one = error.confidence_interval(level)
    low, middle, high = from_loss(measure, (max(one.low, 0.0), one.estimate, one.high))
    return replace(one, estimate=middle, low=low, high=high, method=f"bootstrap {error.estimator}")


def _draws(results: Results, outside: Rows, paired: Paired) -> BootstrapDraws | None:
    """Draw the resamples again from the seed; None if they are not those that were stored."""
    protocol = results.protocol
    estimator = str(protocol["estimator"])
    apparent = None if estimator == "plain" else _apparent(results, outside.name, paired)
    places = [s.repeat for s in outside.splits] or [0]
    n = results.manifest.datasets[outside.name].n_rows
    whole = apparent if apparent is not None else outside
    truth, groups = _by_instance(whole, n)
    bootstrap = Bootstrap(max(places) + 1, estimator="plain", grouped=protocol["grouped"])
    labels = None if outside.task == "regression" else truth
    splits = bootstrap.splits(np.zeros(n), labels, groups, seed=results.manifest.seed)
    counts = np.stack([np.bincount(s.train, minlength=n) for s in splits if s.repeat in set(places)])
    return BootstrapDraws(counts, outside, apparent, estimator) if _same_rows(counts, outside) else None


def _apparent(results: Results, dataset: str, paired: Paired) -> Rows | None:
    table = by_dataset(results.store.records("apparent")).get(dataset, {})
    models = [m for m in paired.tables[dataset] if m in table]
    if len(models) < len(paired.tables[dataset]):
        return None
    rows = rows_of(results.store, dataset, {m: table[m] for m in models})
    return rows if isinstance(rows, Rows) else None


def _by_instance(rows: Rows, n: int) -> tuple[NDArray[Any], NDArray[Any] | None]:
    truth = np.zeros(n, dtype=rows.truth.dtype)
    truth[rows.instance] = rows.truth
    if rows.groups is None:
        return truth, None
    groups = np.zeros(n, dtype=np.int64)
    groups[rows.instance] = rows.groups
    return truth, groups


def _places(outside: Rows) -> tuple[NDArray[Any], NDArray[Any]]:
    """Resample and row of the data set of each row out of the bag."""
    assert outside.instance is not None
    return np.zeros(outside.n, np.int64) if outside.split_index is None else outside.split_index, outside.instance


def _same_rows(counts: IntArray, outside: Rows) -> bool:
    """Tell whether the rows drawn again leave out exactly the rows that were tested."""
    seen = np.zeros(counts.shape, dtype=bool)
    seen[_places(outside)] = True
    return bool(np.array_equal(seen, counts == 0))


def _notes(
    results: Results, evidence: Predictions, untouched: Sequence[str], draws: dict[str, BootstrapDraws | None]
) -> list[Note]:
    estimator = results.protocol["estimator"]
    notes = []
    measures = [m for m in dict.fromkeys(untouched) if as_loss(get(m)) is None]
    if measures:
        text = Text(
            "{measures}: not a mean loss over rows, so the {estimator} estimate does not apply; shown is the mean "
            "over out-of-bag rows, which is pessimistic.",
            measures=", ".join(measures),
            estimator=estimator,
        )
        notes.append(Note("out-of-bag", text))
    for rows in evidence:
        if draws[rows.name] is None:
            text = Text(
                "the resamples of {name!r} could not be drawn again; shown are means over out-of-bag rows.",
                name=rows.name,
            )
            notes.append(warning_note("out-of-bag-only", text))
        if rows.groups is not None:
            text = Text(
                "the intervals on {name!r} take rows as independent, but they come in groups: they are too short.",
                name=rows.name,
            )
            notes.append(warning_note("grouped-bootstrap", text))
    return notes
