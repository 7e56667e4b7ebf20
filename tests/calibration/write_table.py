"""Write docs/calibration.md: simulated levels of tests and coverage of intervals, ours and the peers'.

``python tests/calibration/write_table.py [RUNS] [SECTION ...]``; 200 runs take some minutes, 2000 give the table two
digits. ``docs/data/calibration.csv`` holds the rows, for the guide to read and to go on from: it is written after every
part (a design, or a section), and a part is made again only where the code or the number of runs has changed. With
sections named, only these are made, and all other rows stay as they are.
"""

from __future__ import annotations

import csv
import hashlib
import sys
import time
import warnings
from collections.abc import Callable, Iterable
from functools import cache, partial
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
DOCS = HERE.parents[1] / "docs"
sys.path[:0] = [str(HERE), str(HERE.parent)]

Row = dict[str, Any]
Make = Callable[[int], list[Row]]
KEPT = DOCS / "data" / "calibration.csv"
# How a row was made: its part of a section, runs asked for, digest of the code, and seconds of the whole part.
MADE = ("section", "part", "asked", "code", "seconds")
WHOLE = "whole section"


def _of_rates(rows: Iterable[Row]) -> list[Row]:
    """Rows of `test_rank_levels` in the form of the table."""
    from simulated import ALPHAS, rejection_row

    return [
        rejection_row(
            r["procedure"],
            f"{r['null']}, {r['n']} data sets × {r['k']} models",
            {a: round(r[f"rate_{a:g}"] * r["runs"]) for a in ALPHAS},
            r["runs"],
        )
        for r in rows
    ]


def _of_shares(rows: Iterable[Row]) -> list[Row]:
    """Rows of `test_t_levels` (one per nominal rate) in the form of the table (one per design)."""
    from simulated import coverage_row, rejection_row

    grouped: dict[tuple[str, str, str], dict[float, int]] = {}
    runs: dict[tuple[str, str, str], int] = {}
    for r in rows:
        key = (r["kind"], r["procedure"], r["design"])
        runs[key] = r["n_simulations"]
        grouped.setdefault(key, {})[r["nominal"]] = round(r["observed"] * r["n_simulations"])
    make = {"type-I error": rejection_row, "coverage": coverage_row}
    return [
        make[kind](name, design, counts, runs[kind, name, design]) for (kind, name, design), counts in grouped.items()
    ]


def instance_rows(runs: int) -> list[Row]:
    from test_instance_levels import all_levels

    return all_levels(runs)


@cache
def _ranked(runs: int) -> tuple[Row, ...]:
    from test_rank_levels import calibration_rows

    return tuple(_of_rates(calibration_rows(runs)))


def _of_families(row: Row) -> bool:
    return " + " in row["procedure"] or row["procedure"] in SIMULTANEOUS


def rank_rows(runs: int) -> list[Row]:
    return [row for row in _ranked(runs) if not _of_families(row)]


def family_rows(runs: int) -> list[Row]:
    return [row for row in _ranked(runs) if _of_families(row)]


SIMULTANEOUS = ("nemenyi", "bonferroni-dunn", "tukey", "dunnett")


def fold_rows(runs: int) -> list[Row]:
    from test_t_levels import LEARNERS, PROTOCOLS, independent_rows, margin_rows, type_one_rows

    rows: list[Row] = []
    for data in ("breast_cancer", "digits"):
        for learner in LEARNERS:
            for protocol in PROTOCOLS:
                slow = learner == "decision tree"
                rows += type_one_rows(learner, protocol, data, max(runs // (20 if slow else 2), 20))
    rows += margin_rows("nearest centroid", "30 hold-outs of 1/3", "digits", runs // 2)
    for shape in ("normal", "t3", "rounded", "exponential"):
        for n in (5, 10, 30, 100):
            rows += [r for r in independent_rows(n, shape, runs) if r["kind"] == "type-I error"]
    return _of_shares(rows)


def belief_rows(runs: int) -> list[Row]:
    from test_belief_levels import all_rows

    return all_rows(runs)


def compare_parts() -> dict[str, Make]:
    from test_compare_levels import DESIGNS, simulate

    return {name: lambda runs, name=name: [simulate(name, max(runs // 4, 50))] for name in DESIGNS}


def one_model_parts() -> dict[str, Make]:
    from test_default_routes import DESIGNS, one_model

    return {name: partial(one_model, name) for name in DESIGNS}


def two_models_parts() -> dict[str, Make]:
    from test_default_routes import DESIGNS, two_models

    return {name: partial(two_models, name) for name in DESIGNS}


def gate_parts() -> dict[str, Make]:
    from test_default_routes import GATES, gate

    return {f"{name}: {m}": lambda runs, name=name, m=m: [gate(name, m, runs)] for name, m in GATES}


def refit_parts() -> dict[str, Make]:
    from test_default_routes import REFITS, over_folds

    return {name: lambda runs, name=name: over_folds(name, max(runs // 4, 50)) for name in REFITS}


def decision_parts() -> dict[str, Make]:
    from test_decide_coverage import BIASED, DESIGNS, cost_of_the_choice, without_bias

    parts: dict[str, Make] = {
        name: lambda runs, name=name: cost_of_the_choice(name, max(runs // 5, 50)) for name in DESIGNS
    }
    return parts | {name: lambda runs, name=name: without_bias(name, max(runs // 5, 50)) for name in BIASED}


def interval_rows(runs: int) -> list[Row]:
    from test_interval_coverage import all_rows

    return all_rows(runs)


def difference_interval_rows(runs: int) -> list[Row]:
    from simulated import coverage_row
    from test_instance_levels import all_coverage
    from test_rank_levels import interval_coverage
    from test_t_levels import coverage_rows, independent_rows

    rows = all_coverage(runs // 2)
    for n, decimals in ((6, None), (12, None), (12, 0), (40, None)):
        found = interval_coverage(n, runs // 2, 0, decimals)
        held = {r["level"]: round(r["coverage"] * r["runs"]) for r in found}
        rows.append(
            coverage_row(
                "wilcoxon interval", f"{n} data sets{'' if decimals is None else ', many ties'}", held, runs // 2
            )
        )
    shares: list[Row] = []
    for protocol in ("30 hold-outs of 1/3", "10-fold", "10 x 10-fold"):
        shares += coverage_rows("nearest centroid", protocol, "digits", runs // 2)
    for shape in ("normal", "exponential"):
        for n in (5, 30):
            shares += [r for r in independent_rows(n, shape, runs // 2) if r["kind"] == "coverage"]
    return rows + _of_shares(shares)


def method_rows(runs: int) -> list[Row]:
    from simulated import coverage_row
    from test_bootstrap_coverage import CASES, coverage
    from test_interval_coverage import method_rows as by_name

    rows = by_name(runs)
    for case, (truth, draw) in CASES.items():
        for r in coverage(case, truth, draw, max(runs // 2, 50)):
            found = max(runs // 2, 50)
            rows.append(coverage_row(f"bootstrap, {r['method']}", case, {0.95: round(r["coverage"] * found)}, found))
    return rows


def band_rows(runs: int) -> list[Row]:
    from simulated import coverage_row
    from test_band_coverage import cost_coverage, roc_coverage

    rows, few = [], max(runs // 5, 20)
    for shape in ((50, 50, 1.0), (30, 100, 1.5), (40, 40, 2.5)):
        design = f"{shape[0]} positives, {shape[1]} negatives, separation {shape[2]:g}"
        middle = slice(10, 91)
        point, _ = roc_coverage(few, *shape, "pointwise")
        _, simultaneous = roc_coverage(few, *shape, "simultaneous")
        _, fixed = roc_coverage(few, *shape, "ks")
        cost, whole = cost_coverage(few, *shape)
        for name, share in (
            ("ROC band, pointwise (mean over FPR 0.1 to 0.9)", point[middle].mean()),
            ("ROC band, simultaneous", simultaneous),
            ("ROC band, Kolmogorov–Smirnov", fixed),
            ("cost-curve band, pointwise (mean over PC 0.1 to 0.9)", cost[middle].mean()),
            ("cost-curve band, simultaneous", whole),
        ):
            rows.append(coverage_row(name, design, {0.95: round(float(share) * few)}, few))
    return rows


def power_rows(runs: int) -> list[Row]:
    from test_power_promises import all_rows

    return all_rows(runs)


def package_rows(runs: int) -> list[Row]:
    from test_rank_levels import peer_rows

    from peers import fold_peers, interval_peers, level_peers

    return [
        *level_peers(runs),
        *_of_rates(peer_rows(max(runs // 8, 20))),
        *fold_peers(max(runs // 20, 20)),
        *interval_peers(runs),
    ]


LEVEL_TEXT = "Share of runs in which equal models are called different, at a nominal 1 %, 5 % and 10 %."
LEARNED_TEXT = (
    "Two learners of scikit-learn, trained once; a population of 120,000 rows carries their answers, so that every "
    "value is known (`tests/calibration/learned.py`)."
)
SECTIONS: dict[str, tuple[Make | Callable[[], dict[str, Make]], str]] = {
    "Default intervals, one model": (
        one_model_parts,
        f"Share of 95 % intervals of `evaluate` that hold the value in the population. {LEARNED_TEXT}",
    ),
    "Default intervals, difference of two models": (
        two_models_parts,
        f"Share of 95 % intervals of `compare` that hold the difference in the population. {LEARNED_TEXT}",
    ),
    "Gates at their margin": (
        gate_parts,
        "Share of runs in which the worse of the two passes a margin that is exactly its true deficit (nominal 5 %).",
    ),
    "Learners refitted over folds": (
        refit_parts,
        "The same learner on two noisy copies of the features, equal in expectation, trained again in every fold. "
        "`evaluate`: share of 95 % intervals that hold what such a learner reaches on new rows, on average. `compare`: "
        "share of runs in which the two are called different at 5 %.",
    ),
    "Decisions, and values that a choice makes too good": (
        decision_parts,
        "Share of 95 % intervals that hold the true cost of the model and threshold that `decide` chose on the same "
        "rows; and, of a calibrated model, the true KS, hull AUC, calibration error, Gini and gain of the top tenth.",
    ),
    "Tests on one test set": (
        instance_rows,
        f"{LEVEL_TEXT} The models answer the same rows and are correlated by 0.5 through how hard a row is.",
    ),
    "Tests over folds": (
        fold_rows,
        f"{LEVEL_TEXT} Two learners that are equal in expectation, on real data, resampled for real: the same learner "
        "on two noisy copies of the features of 120 rows drawn from breast_cancer or digits. Rows on independent pairs "
        "show what the t-test does where it belongs. For `tost` and `noninferiority` the true difference lies exactly "
        "on the margin.",
    ),
    "Tests over data sets": (rank_rows, LEVEL_TEXT),
    "Post hocs and adjustments": (
        family_rows,
        "Share of tables with any false find (family-wise). Where some models are better, only pairs of equal models "
        "count. For `bh` and `by` the mean share of false finds among the finds.",
    ),
    "Bayesian tests": (
        belief_rows,
        "Share of runs in which twice the posterior probability of the losing side (with that of equivalence) falls to "
        "1 %, 5 % or 10 %, for equal models and without a region of equivalence. A posterior promises no such rate; "
        "this says what it would be for who decides by it.",
    ),
    "`compare`, end to end": (
        compare_parts,
        "Share of runs with any false find at 5 %, and of 95 % intervals that hold zero.",
    ),
    "Intervals of `evaluate`": (
        interval_rows,
        'Share of intervals that hold the true value, as `interval="auto"` gives them.',
    ),
    "Intervals of a difference": (difference_interval_rows, "Share of intervals that hold the true difference."),
    "Interval methods by name": (
        method_rows,
        "Share of intervals that hold the true value. For binomial intervals the probability is exact, not simulated.",
    ),
    "Bands": (band_rows, "Share of 95 % bands that hold the true curve."),
    "Power": (
        power_rows,
        "The power promised by a plan, and the share of simulated studies that found the difference.",
    ),
    "Other packages on the same question": (
        package_rows,
        "The same simulations put to other packages, and to ours. Packages not installed are left out.",
    ),
}


def table(rows: Iterable[Row]) -> str:
    rows = list(rows)
    parts = []
    shapes = list(dict.fromkeys(tuple(r) for r in rows))
    for shape in shapes:
        mine = [r for r in rows if tuple(r) == shape]
        lines = ["| " + " | ".join(shape) + " |", "|" + "---|" * len(shape)]
        lines += ["| " + " | ".join(_cell(r[c]) for c in shape) + " |" for r in mine]
        parts.append("\n".join(lines))
    return "\n\n".join(parts)


def _cell(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:.4f}".rstrip("0").rstrip(".")
    text = str(value).replace("|", "/")
    return f"**{text}**" if text == "liberal" else text


def page(found: dict[str, list[Row]]) -> str:
    liberal = sum(r.get("reads") == "liberal" for rows in found.values() for r in rows)
    out = [
        "# Calibration",
        "",
        f"Written by `make calibrate`: {sum(map(len, found.values()))} rows from up to 2000 simulated runs each "
        "(column *runs*; fewer where a run is slow). The Monte-Carlo error of a 5 % level is 0.5 points at 2000 runs, "
        "1.3 at 300. In the column *reads*: **liberal** is more errors than chance (three errors) allows at some "
        f"level, *safe* fewer, *nominal* neither; {liberal} rows are liberal. "
        "[Statistical validity](statistical-validity.md) explains them.",
        "",
        f"{_time_taken(found)} `make calibrate` goes on where it was stopped: a part is made again only where the code "
        "or the number of runs has changed.",
    ]
    for title, rows in found.items():
        out += ["", f"## {title}", "", SECTIONS[title][1], "", table([_shown(r) for r in rows])]
    return "\n".join(out) + "\n"


def _time_taken(found: dict[str, list[Row]]) -> str:
    parts = {(title, r["part"]): (r["seconds"], r["code"]) for title, rows in found.items() for r in rows}
    known = [float(seconds) for seconds, _ in parts.values() if seconds]
    old = sum(code != code_digest() for _, code in parts.values())
    return (
        f"{len(known)} of {len(parts)} parts state their time: {sum(known) / 60:.0f} minutes of one core together. "
        f"{old} parts were made with other code than that of this page."
    )


def _shown(row: Row) -> Row:
    """A row as the page prints it: numbers as numbers, no empty cells, nothing about how it was made."""
    return {c: _number(v) for c, v in row.items() if c not in MADE and v != ""}


def _number(text: str) -> str | float:
    try:
        return float(text) if not text.isdigit() else text
    except ValueError:
        return text


def read_kept() -> dict[str, list[Row]]:
    """Rows of an earlier run, section by section."""
    found: dict[str, list[Row]] = {title: [] for title in SECTIONS}
    if KEPT.exists():
        with KEPT.open(newline="", encoding="utf-8") as file:
            for r in csv.DictReader(file):
                found.setdefault(r["section"], []).append({"part": WHOLE, "asked": "", "code": "", "seconds": "", **r})
    return {title: rows for title, rows in found.items() if title in SECTIONS}


def write_kept(found: dict[str, list[Row]]) -> None:
    columns = list(dict.fromkeys([*MADE, *(c for rows in found.values() for r in rows for c in r)]))
    with KEPT.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, columns, lineterminator="\n")
        writer.writeheader()
        writer.writerows(r for rows in found.values() for r in rows)


def as_kept(title: str, part: str, rows: Iterable[Row], asked: int, seconds: float) -> list[Row]:
    """Rows as text, with how they were made."""
    made = {"section": title, "part": part, "asked": str(asked), "code": code_digest(), "seconds": f"{seconds:.0f}"}
    return [made | {c: f"{v:.5g}" if isinstance(v, float) else str(v) for c, v in r.items()} for r in rows]


@cache
def code_digest() -> str:
    """What rows depend on: the package, and the simulations."""
    root = HERE.parents[1]
    files = sorted([*(root / "src").rglob("*.py"), *(f for f in HERE.glob("*.py") if f.name != Path(__file__).name)])
    return hashlib.sha256(b"".join(f.read_bytes() for f in files)).hexdigest()[:12]


def parts_of(title: str) -> dict[str, Make]:
    make = SECTIONS[title][0]
    return make() if make.__name__.endswith("_parts") else {WHOLE: make}


def remake(title: str, kept: list[Row], runs: int, save: Callable[[list[Row]], None]) -> None:
    """Make the parts of a section that are missing or of other code; `save` after each."""
    parts = parts_of(title)
    by_part = {part: [r for r in kept if r["part"] == part] for part in parts}
    for part, make in parts.items():
        if all(r["asked"] == str(runs) and r["code"] == code_digest() for r in by_part[part]) and by_part[part]:
            continue
        start = time.process_time()
        rows = make(runs)
        by_part[part] = as_kept(title, part, rows, runs, time.process_time() - start)
        print(f"{title}, {part}: {len(rows)} rows, {by_part[part][0]['seconds']} s", flush=True)
        save([r for rows in by_part.values() for r in rows])
    save([r for rows in by_part.values() for r in rows])


def main(runs: int, sections: list[str]) -> None:
    warnings.simplefilter("ignore")
    KEPT.parent.mkdir(exist_ok=True)
    found = read_kept()
    for title in sections or SECTIONS:

        def save(rows: list[Row], title: str = title) -> None:
            found[title] = rows
            write_kept(found)

        remake(title, found[title], runs, save)
    (DOCS / "calibration.md").write_text(page(found), encoding="utf-8")


if __name__ == "__main__":
    numbers = [a for a in sys.argv[1:] if a.isdigit()]
    main(int(numbers[0]) if numbers else 400, [a for a in sys.argv[1:] if not a.isdigit()])
