"""Evidence that adds up: coverage of ratios, of attempts at items in groups, and of slices; levels of gap and Q.

``python tests/calibration/test_item_levels.py RUNS`` writes ``docs/data/calibration_items.csv``.
"""

from __future__ import annotations

import csv
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parent))
from simulated import coverage_row, level_row

from bakeoff import BakeoffWarning, Predictions, compare, evaluate

Row = dict[str, Any]
LEVEL = 0.95


def _held(low: float, value: float, high: float) -> bool:
    return bool(low - 1e-12 <= value <= high + 1e-12)


# -- ratios with skewed denominators ----------------------------------------------------------------------------------


def utterances(rng: np.random.Generator, n: int, skew: float, rate: float) -> dict[str, dict[str, Any]]:
    """Two systems of equal rate on utterances of lognormal length; hard utterances are hard for both."""
    length = np.maximum(1, np.round(rng.lognormal(2, skew, n))).astype(int)
    hard = rng.normal(0, 0.5, n)
    logit = np.log(rate / (1 - rate))
    chance = {m: 1 / (1 + np.exp(-(logit + hard + rng.normal(0, 0.5, n)))) for m in "ab"}
    return {m: {"edits": rng.binomial(length, p), "ref_length": length} for m, p in chance.items()}


def ratio_rows(runs: int, designs: Any = None) -> Iterator[Row]:
    for skew, rate, n in designs or [(s, r, n) for s in (0.5, 1.2) for r in (0.05, 0.2) for n in (10, 20, 50)]:
        big = utterances(np.random.default_rng(1), 1_000_000, skew, rate)["a"]
        truth, rng = big["edits"].sum() / big["ref_length"].sum(), np.random.default_rng(2)
        held = dict.fromkeys(("auto", "linearized", "auto, difference", "linearized, difference", "quotient"), 0)
        for _ in range(runs):
            p = Predictions.from_sums(utterances(rng, n, skew, rate))
            for method in ("auto", "linearized"):
                one = evaluate(p.select(models=["a"]), "wer", interval=method)["a", "wer"]
                held[method] += _held(one.low, truth, one.high)
                pair = compare(p, "wer", test=method).pairs[0]
                held[f"{method}, difference"] += _held(pair.low, 0.0, pair.high)
                if method == "auto":
                    held["quotient"] += bool(not pair.quotient_low > 1 and not pair.quotient_high < 1)
        design = f"WER {rate:g}, {n} utterances, length lognormal({skew:g})"
        for name, count in held.items():
            yield {"section": "ratios", **coverage_row(name, design, {LEVEL: count}, runs)}


def images(rng: np.random.Generator, n: int) -> dict[str, dict[str, Any]]:
    """Two segmentations of equal quality; five classes, the rarest in every seventh image."""
    size = np.stack([rng.lognormal(4, 1, n) * (rng.random(n) < p) for p in (1, 0.9, 0.7, 0.3, 0.15)], axis=1).round()
    hard, found = rng.normal(0, 0.5, n)[:, None], {}
    for m in "ab":
        share = 1 / (1 + np.exp(-(0.8 + hard + rng.normal(0, 0.5, size.shape))))
        inside = rng.binomial(size.astype(int), share)
        both = size + np.round(size * rng.random(size.shape) * 0.3)
        found[m] = {
            f"{what}_{c}": of[:, c] for c in range(5) for what, of in (("intersection", inside), ("union", both))
        }
    return found


def image_rows(runs: int, designs: Any = None) -> Iterator[Row]:
    big = images(np.random.default_rng(1), 500_000)["a"]
    truth = np.mean([big[f"intersection_{c}"].sum() / big[f"union_{c}"].sum() for c in range(5)])
    for n in designs or (15, 30, 60):
        rng, held = np.random.default_rng(3), {"auto": 0, "auto, difference": 0}
        for _ in range(runs):
            p = Predictions.from_sums(images(rng, n))
            one = evaluate(p.select(models=["a"]), "mean_iou")["a", "mean_iou"]
            pair = compare(p, "mean_iou").pairs[0]
            held["auto"] += _held(one.low, truth, one.high)
            held["auto, difference"] += _held(pair.low, 0.0, pair.high)
        for name, count in held.items():
            design = f"mean IoU, {n} images, five classes, the rarest in one of 7"
            yield {"section": "ratios", **coverage_row(name, design, {LEVEL: count}, runs)}


# -- attempts ---------------------------------------------------------------------------------------------------------


def attempts(rng: np.random.Generator, groups: int, size: int, each: int) -> Predictions:
    """Two models of equal ability; items of a group are alike, attempts at an item are independent given its ease."""
    group = np.repeat(np.arange(groups), size)
    z = rng.normal(0, 1, groups)[group] * np.sqrt(0.5) + rng.normal(0, 1, group.size) * np.sqrt(0.5)
    ease = 1 / (1 + np.exp(-1.5 * z))
    item = np.repeat(np.arange(group.size), each)
    line = {"item": item, "attempt": np.tile(np.arange(each), group.size), "group": group[item]}
    columns: dict[str, list[Any]] = {name: [] for name in (*line, "model", "right")}
    for m in "ab":
        for name, values in line.items():
            columns[name] += values.tolist()
        columns["model"] += [m] * item.size
        columns["right"] += (rng.random(item.size) < ease[item]).tolist()
    return Predictions.from_outcomes(
        columns, item="item", attempt="attempt", model="model", outcome="right", groups="group" if size > 1 else None
    )


def _attempt_truths() -> dict[str, float]:
    ease = 1 / (1 + np.exp(-1.5 * np.random.default_rng(1).normal(size=2_000_000)))
    return {"mean_outcome": float(ease.mean()), "pass@2": float((1 - (1 - ease) ** 2).mean()),
            "pass^2": float((ease**2).mean())}  # fmt: skip


def attempt_rows(runs: int, designs: Any = None) -> Iterator[Row]:
    truths = _attempt_truths()
    for groups, size, each in designs or [(20, 1, 4), (50, 1, 4), (10, 5, 4), (20, 5, 4)]:
        rng = np.random.default_rng(3)
        held = {(name, what): 0 for name in truths for what in ("one model", "difference")}
        for _ in range(runs):
            p = attempts(rng, groups, size, each)
            for name, truth in truths.items():
                one = evaluate(p.select(models=["a"]), name)["a", name]
                held[name, "one model"] += _held(one.low, truth, one.high)
                pair = compare(p, name).pairs[0]
                held[name, "difference"] += _held(pair.low, 0.0, pair.high)
        design = (
            f"{groups} groups of {size} items × {each} attempts" if size > 1 else f"{groups} items × {each} attempts"
        )
        for (name, what), count in held.items():
            yield {"section": "attempts", **coverage_row(f"{name}, {what}", design, {LEVEL: count}, runs)}


# -- slices -----------------------------------------------------------------------------------------------------------


def slice_rows(runs: int, designs: Any = None) -> Iterator[Row]:
    every = [(s, n, kind) for kind in ("graded", "0/1") for s in (2, 10, 50) for n in (12, 40)]
    for slices, n, kind in designs or every:
        rng, code = np.random.default_rng(4), np.repeat(np.arange(slices), n)
        held = {"values": 0, "differences": 0}
        found: dict[str, list[float]] = {name: [] for name in ("gap", "heterogeneity", "heterogeneity of differences")}
        for _ in range(runs):
            base = rng.normal(size=code.size)
            values = {m: (base + rng.normal(size=code.size)) / np.sqrt(2) for m in "ab"}
            if kind == "0/1":
                values = {m: (v > -0.5).astype(float) for m, v in values.items()}
            truth = 0.0 if kind == "graded" else 0.6914624612740131
            p = Predictions.from_outcomes(values, slices={"s": code})
            one = evaluate(p.select(models=["a"]), "mean_outcome", by="s").slices
            held["values"] += all(_held(e.low, truth, e.high) for e in one.entries)
            two = compare(p, "mean_outcome", test="linearized", by="s").slices
            held["differences"] += all(_held(e.low, 0.0, e.high) for e in two.entries)
            found["gap"].append(one.gap.pvalue)
            found["heterogeneity"].append(one.heterogeneity.pvalue)
            found["heterogeneity of differences"].append(two.heterogeneity.pvalue)
        design = f"{slices} slices of {n} items, {kind}"
        for name, count in held.items():
            yield {"section": "slices: all limits hold", **coverage_row(name, design, {LEVEL: count}, runs)}
        for name, pvalues in found.items():
            yield {"section": "slices: level", **level_row(name, design, pvalues)}


@pytest.mark.filterwarnings("ignore::bakeoff.BakeoffWarning")
def test_a_few_runs_hold_their_level() -> None:
    rows = [
        *ratio_rows(60, [(1.2, 0.2, 50)]), *image_rows(40, [15]), *attempt_rows(40, [(50, 1, 4)]),
        *slice_rows(40, [(5, 30, "graded")]),
    ]  # fmt: skip
    assert not [row for row in rows if row["reads"] == "liberal"]


def main(runs: int) -> None:
    """Write all rows, design by design."""
    warnings.simplefilter("ignore", BakeoffWarning)
    file = Path(__file__).parents[2] / "docs" / "data" / "calibration_items.csv"
    names = ("section", "procedure", "design", "runs", "95 %", "1 %", "5 %", "10 %", "reads")
    with file.open("w", newline="") as out:
        writer = csv.DictWriter(out, names, restval="")
        writer.writeheader()
        for rows in (ratio_rows, image_rows, attempt_rows, slice_rows):
            for row in rows(runs):
                writer.writerow(row)
                out.flush()


if __name__ == "__main__":
    main(int(sys.argv[1]))
