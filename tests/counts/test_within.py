"""Many parts at once give what each part gives by itself."""

from __future__ import annotations

import numpy as np
import pytest

from bakeoff import measures
from bakeoff.counts import Cells, Counted, Sums, Tally, area_within, within
from bakeoff.evidence import Units

N, PARTS = 240, 4
RNG = np.random.default_rng(11)
PART = RNG.permutation(np.arange(N) % PARTS)
FOLD = RNG.integers(0, 3, N)
POSITIVE = RNG.random(N) < 0.4
SCORES = np.round(RNG.random((N, 2)) + 0.3 * POSITIVE[:, None], 1)  # with ties
CODE = 2 * POSITIVE[:, None] + (SCORES > 0.6)
UNITS = {
    "rows": Units.of(N),
    "weights": Units.of(N, weight=RNG.uniform(0.2, 3, N)),
    "copies": Units.of(N, frequency=RNG.integers(1, 4, N)),
    "groups": Units.of(N, groups=np.arange(N) // 5),
}
FORMS = {
    "f1": Cells(CODE.astype(np.int64), 2, 1),
    "average_precision": Tally(SCORES, POSITIVE),
    "brier": Sums((SCORES - POSITIVE[:, None])[..., None] ** 2),
}


@pytest.mark.parametrize("units", UNITS)
@pytest.mark.parametrize("name", FORMS)
def test_parts_at_once_equal_each_by_itself(name: str, units: str) -> None:
    whole, measure = Counted(FORMS[name], UNITS[units]), measures.get(name)
    found = within(whole, measure, PART)
    once, weight = UNITS[units].as_they_are(), UNITS[units].weight
    for at in range(PARTS):
        rows = np.flatnonzero(at == PART)
        part, psi = whole.form.take(rows), FORMS[name].take(rows).slope(measure, once[:, rows])
        psi = psi if weight is None else psi * weight[rows, None]
        np.testing.assert_allclose(found.value[at], part.values(measure, part.totals(once[:, rows]))[0], rtol=1e-12)
        np.testing.assert_allclose(found.psi[rows], psi, atol=1e-12)


@pytest.mark.parametrize("name", ["auc", "gini"])
@pytest.mark.parametrize("units", UNITS)
def test_an_area_over_pairs_of_one_fold(name: str, units: str) -> None:
    whole, measure = Counted(Tally(SCORES, POSITIVE), UNITS[units]), measures.get(name)
    found, once = area_within(whole, measure.area, PART, FOLD), UNITS[units].as_they_are()[0]
    for at in range(PARTS):
        folds = [np.flatnonzero((at == PART) & (fold == FOLD)) for fold in range(3)]
        pairs = [once[f] @ POSITIVE[f] * (once[f] @ ~POSITIVE[f]) for f in folds]
        tallies = [whole.form.take(f) for f in folds]
        values = np.stack([t.values(measure, t.totals(once[None, f]))[0] for t, f in zip(tallies, folds, strict=True)])
        np.testing.assert_allclose(found.value[at], np.average(values, axis=0, weights=pairs), rtol=1e-12)
        # moving one row's weight a little moves the value by its influence
        row, step = np.flatnonzero(at == PART)[7], 1e-6
        moved = once.copy()
        moved[row] += step * (1 if UNITS[units].weight is None else UNITS[units].weight[row])
        heavier = area_within(Counted(whole.form, Units.of(N, weight=moved)), measure.area, PART, FOLD)
        np.testing.assert_allclose(heavier.value[at] - found.value[at], found.psi[row] * step, rtol=1e-3, atol=1e-12)


def test_a_part_whose_folds_have_one_class_each_has_no_area() -> None:
    tally = Tally(np.arange(4.0)[:, None], np.array([True, False, True, False]))
    found = area_within(Counted(tally, Units.of(4)), (1.0, 0.0), np.array([0, 0, 1, 1]), np.array([0, 1, 0, 0]))
    assert np.isnan(found.value[0]).all()
    assert np.isnan(found.psi[:2]).all()
    assert found.value[1] == 0
