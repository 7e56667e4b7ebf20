"""The laws of counts, over measures and units: what must hold whatever the data."""

from __future__ import annotations

import numpy as np
import pytest

from bakeoff import measures
from bakeoff.counts import (
    CELLS,
    Counted,
    Draws,
    leave_out,
    multipliers,
    resample,
    swap,
)

SMOOTH = [
    *("accuracy", "recall", "precision", "npv", "f1", "balanced_accuracy", "kappa", "mcc", "f1_macro"),
    *("auc", "average_precision", "partial_auc", "brier", "log_loss"),
    *("mae", "mse", "rmse", "r2", "relative_squared_error"),
]
UNITS = ["rows", "instances", "groups"]

grid = pytest.mark.parametrize(("name", "kind"), [(m, u) for m in SMOOTH for u in UNITS])


def resample_by_apply(counted, measure, draws):
    """The definition that kernels are held to: draw the units, apply, take the value."""
    written = counted.written_out()
    return np.concatenate([written.values(measure, m) for m in multipliers(written.units, draws)])


def close(a, b, rel=1e-9):
    return np.testing.assert_allclose(a, b, rtol=rel, atol=rel * 1e-3)


@grid
def test_the_scale_of_importance_changes_nothing(data, name, kind):
    measure, units = measures.get(name), data.units(kind)
    one, scaled = (data.counted(name, weight=f * data.weight, **units).influence(measure) for f in (1.0, 7.3))
    close(one.value, scaled.value)
    close(one.standard_error(), scaled.standard_error(), 1e-7)


@grid
def test_influences_sum_to_nothing_and_equal_models_have_equal_ones(data, name, kind):
    measure = measures.get(name)
    influence = data.counted(name, weight=data.weight, **data.units(kind)).influence(measure)
    total = influence.units.once @ influence.by_unit()
    assert np.abs(total).max() < 1e-6 * np.abs(influence.by_unit()).sum()
    assert np.array_equal(influence.psi[:, 0], influence.psi[:, 2])


@grid
def test_order_of_rows(data, name, kind):
    measure, units = measures.get(name), data.units(kind)
    order = data.rng.permutation(data.n)
    here = data.counted(name, weight=data.weight, **units).influence(measure)
    moved = data.counted(name, order, weight=data.weight[order], **data.units(kind, order)).influence(measure)
    close(here.value, moved.value)
    close(here.standard_error(), moved.standard_error(), 1e-7)


@grid
def test_whole_copies_are_written_rows(data, name, kind):
    measure = measures.get(name)
    copies = data.copies if kind != "instances" else data.copies[data.instance]
    take = np.repeat(np.arange(data.n), copies)
    units = data.units(kind, take)
    if kind == "instances":  # copies of an instance are other instances
        nth = np.concatenate([np.arange(c) for c in copies])
        units = {"instance": data.instance[take] * 10 + nth}
    packed = data.counted(name, frequency=copies, weight=data.weight, **data.units(kind))
    written = data.counted(name, take, weight=data.weight[take], **units)
    a, b = packed.influence(measure), written.influence(measure)
    close(a.value, b.value)
    close(a.standard_error(), b.standard_error(), 1e-7)
    assert packed.units.n == written.units.n
    draws = Draws(400, 1, ("copies",))
    spread = resample(packed, measure, draws).std(axis=0), resample(written, measure, draws).std(axis=0)
    np.testing.assert_allclose(*spread, rtol=0.25)


@pytest.mark.parametrize("n", [40, 300])
@pytest.mark.parametrize("name", ["f1", "rmse", "brier", "ks", "calibration_error", "median_absolute_error"])
@pytest.mark.parametrize("kind", ["rows", "instances"])
def test_one_copy_is_left_out_not_the_record(data, name, kind, n):
    data = type(data)(n=n)
    measure = measures.get(name)
    copies = data.copies if kind == "rows" else data.copies[data.instance]
    take = np.repeat(np.arange(data.n), copies)
    units = data.units(kind, take)
    if kind == "instances":
        units = {"instance": data.instance[take] * 10 + np.concatenate([np.arange(c) for c in copies])}
    left, times = leave_out(data.counted(name, frequency=copies, **data.units(kind)), measure)
    other, each = leave_out(data.counted(name, take, **units), measure)
    assert times.sum() == each.sum()
    close(np.sort(np.repeat(left[:, 0], times.astype(int))), np.sort(np.repeat(other[:, 0], each.astype(int))))


@pytest.mark.parametrize("name", SMOOTH)
@pytest.mark.parametrize("kind", ["instances", "groups"])
def test_rows_again_inside_their_unit_are_no_news(data, name, kind):
    measure = measures.get(name)
    twice = np.concatenate([np.arange(data.n)] * 2)
    once = data.counted(name, **data.units(kind)).influence(measure)
    again = data.counted(name, twice, **data.units(kind, twice)).influence(measure)
    close(once.value, again.value)
    close(once.standard_error(), again.standard_error(), 1e-7)


@grid
def test_the_standard_error_is_that_of_draws(data, name, kind):
    measure = measures.get(name)
    counted = data.counted(name, **data.units(kind))
    error = counted.influence(measure).standard_error()
    drawn = resample(counted, measure, Draws(2000, 3, ("error",))).std(axis=0)
    # Twenty groups of uneven size leave a second-order difference; the Monte-Carlo error is 1.6 %.
    np.testing.assert_allclose(error, drawn, rtol=0.12 if kind == "groups" else 0.08)


@grid
def test_kernels_give_what_the_definition_gives(data, name, kind):
    """Draw by draw where both draw units; a multinomial over patterns is another stream, compared in spread."""
    measure = measures.get(name)
    for weight in (None, data.weight):
        counted = data.counted(name, weight=weight, **data.units(kind))
        draws = Draws(128, 5, ("kernels",))
        fast, plain = resample(counted, measure, draws), resample_by_apply(counted, measure, draws)
        if measure.form is CELLS and counted.units.plain:
            np.testing.assert_allclose(fast.std(axis=0), plain.std(axis=0), rtol=0.35)
        elif kind == "rows" and measure.is_area and weight is None:
            np.testing.assert_allclose(fast.std(axis=0), plain.std(axis=0), rtol=0.35)  # units in the order of scores
        else:
            close(fast, plain, 1e-9)


@pytest.mark.parametrize("kind", UNITS)
def test_draws_are_whole_and_as_many_as_there_are(data, kind):
    counted = data.counted("f1", **data.units(kind))
    drawn = np.concatenate(list(multipliers(counted.units, Draws(3000, 2, ("whole",)))))
    n = counted.units.n
    assert (drawn.sum(axis=1) == n).all()
    assert np.array_equal(drawn, np.rint(drawn))
    assert drawn.mean() == pytest.approx(1.0)
    assert drawn.var() == pytest.approx(1 - 1 / n, rel=0.02)


@pytest.mark.parametrize(
    "name", ["accuracy", "f1", "auc", "average_precision", "brier", "rmse", "median_absolute_error"]
)
@pytest.mark.parametrize("kind", UNITS)
def test_swaps_are_those_of_exchanged_answers(data, name, kind):
    """A swap of everything turns the difference round; equal models never differ."""
    measure = measures.get(name)
    rows = data.rows(name)
    units = data.counted(name, **data.units(kind)).units
    pair = Counted(measure.form.of(rows, ("a", "b"), measure.needs), units)
    swapped = swap(pair, measure, Draws(4000, 7, ("swap",)))
    # The swaps are symmetric about nothing, whatever the observed difference is.
    assert abs(np.mean(swapped)) < 5 * swapped.std() / np.sqrt(swapped.size) + 1e-3
    same = Counted(measure.form.of(rows, ("a", "copy"), measure.needs), units)
    assert np.abs(swap(same, measure, Draws(50, 7, ("swap",)))).max() < 1e-12
