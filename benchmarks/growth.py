"""How time and memory grow: ``python -m benchmarks.growth [verb …] [--again] [--write]`` measures what is not known.

Rows from a thousand to ten million (two models), and models from 2 to 200 (ten thousand rows). Each point is a process
of its own with a limit of processor time and of memory, and is written to docs/data/growth.csv when it ends, so an
interrupted run goes on where it stopped; ``--again`` forgets the points of the named verbs first. A line ends where a
point meets a limit. The exponent is the slope of log time against log size over the upper half of the sizes; 1 is
linear. ``--write`` puts the tables into docs/performance.md.
"""

from __future__ import annotations

import csv
import json
import os
import subprocess
import sys
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from benchmarks._timing import forget_peak, peak, write_between

if TYPE_CHECKING:
    import bakeoff

SECONDS = 150  # of processor time, of one process with its data
MEGABYTES = 10_000  # resident, of one process with its data
ROWS = (10**3, 10**4, 10**5, 10**6, 10**7)
MODELS = (2, 10, 50, 200)
USUAL_ROWS, USUAL_MODELS = 10**4, 2
QUICK = 1.0  # a call that takes fewer seconds is made again and the least counts
DOCS = Path(__file__).parent.parent / "docs"
FOUND = DOCS / "data" / "growth.csv"
TOO_LONG, TOO_LARGE = "too long", "too large"


def calls() -> dict[str, Callable[[bakeoff.Predictions], object]]:
    import bakeoff

    context = bakeoff.OperatingContext(prevalence=0.1, cost_fp=1, cost_fn=20)
    return {
        "evaluate": lambda p: bakeoff.evaluate(p, rng=0),
        "compare": lambda p: bakeoff.compare(p, "auc", rng=0),
        "compare, average precision": lambda p: bakeoff.compare(p, "average_precision", rng=0),
        "decide": lambda p: bakeoff.decide(p, context, rng=0),
        "gate": lambda p: bakeoff.gate(p, baseline="m0", candidate="m1", measure="auc", margin=0.01, rng=0),
        "plan": lambda p: bakeoff.plan(p, measure="auc"),
        "report": lambda p: bakeoff.report(p, context),
    }


class Point(NamedTuple):
    """One call; seconds of processor time and megabytes above the data where the outcome is ``done``."""

    verb: str
    rows: int
    models: int
    outcome: str = ""
    seconds: float = float("nan")
    megabytes: float = float("nan")

    @property
    def place(self) -> tuple[str, int, int]:
        return self.verb, self.rows, self.models

    @property
    def done(self) -> bool:
        return self.outcome == "done"

    def cell(self) -> str:
        return f"{self.seconds:.3g} s, {self.megabytes:,.0f} MB" if self.done else self.outcome or "–"


def call_once(verb: str, rows: int, models: int) -> tuple[float, float]:
    """Measure one point in this process."""
    from benchmarks.bench_verbs import data

    def made(rows: int, models: int) -> bakeoff.Predictions:
        import bakeoff

        y, scores = data(rows, models)
        return bakeoff.Predictions.from_arrays(y, y_score=scores, pos_label=1)

    warnings.simplefilter("ignore")
    call = calls()[verb]
    call(made(500, 2))  # imports are not what is measured
    took, added = [], []
    while len(took) < 3 and sum(took) < QUICK:
        evidence = made(rows, models)
        forget_peak()
        before = peak()
        start = time.process_time()
        call(evidence)
        took.append(time.process_time() - start)
        added.append(peak() - before)
    return min(took), max(added)


def measured(point: Point) -> Point:
    """Make the call in a process of its own, and end it when it takes too long or too much."""
    command = [sys.executable, "-m", "benchmarks.growth", "--one", *map(str, point.place)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        outcome = ""
        while process.poll() is None and not outcome:
            seconds, megabytes = used_by(process.pid)
            outcome = TOO_LARGE if megabytes > MEGABYTES else TOO_LONG if seconds > SECONDS else ""
            time.sleep(0.1)
        if outcome:
            process.kill()
        told, wrong = process.communicate()
    if outcome:
        return point._replace(outcome=outcome)
    if process.returncode:
        print(wrong, file=sys.stderr)
        return point._replace(outcome="failed")
    seconds, megabytes = json.loads(told.splitlines()[-1])
    return point._replace(outcome="done", seconds=round(seconds, 4), megabytes=round(megabytes, 1))


def used_by(process: int) -> tuple[float, float]:
    """Processor time that a process took and memory that it holds, s and MB; nothing where the system does not tell."""
    try:
        spent = Path(f"/proc/{process}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
        held = Path(f"/proc/{process}/statm").read_text(encoding="ascii").split()
    except OSError:
        return 0.0, 0.0
    return sum(map(int, spent[11:13])) / os.sysconf("SC_CLK_TCK"), int(held[1]) * os.sysconf("SC_PAGESIZE") / 2**20


def known() -> dict[tuple[str, int, int], Point]:
    if not FOUND.exists():
        return {}
    with FOUND.open(encoding="utf-8", newline="") as file:
        points = [
            Point(r["verb"], int(r["rows"]), int(r["models"]), r["outcome"], float(r["seconds"]), float(r["megabytes"]))
            for r in csv.DictReader(file)
        ]
    return {point.place: point for point in points}


def keep(points: dict[tuple[str, int, int], Point]) -> None:
    order = list(calls())
    with FOUND.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(Point._fields)
        writer.writerows(sorted(points.values(), key=lambda p: (order.index(p.verb), p.models, p.rows)))


def places(verbs: list[str]) -> list[tuple[str, int, int]]:
    """What there is to measure, the smallest first, so that an interrupted run has the most lines."""
    sizes = {(rows, USUAL_MODELS) for rows in ROWS} | {(USUAL_ROWS, models) for models in MODELS}
    return [(verb, *size) for size in sorted(sizes, key=lambda size: size[0] * size[1]) for verb in verbs]


def exponent(sizes: list[int], values: list[float]) -> float:
    """Slope of log value against log size over the upper half of the sizes."""
    half = slice(max(len(sizes) // 2 - 1, 0), None)
    x, y = np.log(sizes[half]), np.log(np.maximum(values[half], 1e-3))
    return float(np.polyfit(x, y, 1)[0]) if len(x) > 1 else float("nan")


def table(points: dict[tuple[str, int, int], Point], along: str, sizes: tuple[int, ...], unit: str) -> str:
    """One line for each verb with its cells and exponents."""
    told = [f"| {unit} | {' | '.join(f'{s:,}' for s in sizes)} | exponent of time | of memory |"]
    told.append("|" + "---|" * (len(sizes) + 3))
    for verb in calls():
        at = [Point(verb, size, USUAL_MODELS) if along == "rows" else Point(verb, USUAL_ROWS, size) for size in sizes]
        found = [points.get(point.place, point) for point in at]
        done = [point for point in found if point.done]
        reached = [getattr(point, along) for point in done]
        slopes = [exponent(reached, [getattr(point, what) for point in done]) for what in ("seconds", "megabytes")]
        told.append(f"| `{verb}` | {' | '.join(point.cell() for point in found)} | {slopes[0]:.2f} | {slopes[1]:.2f} |")
    return "\n".join(told)


def main(arguments: list[str]) -> int:
    if arguments[:1] == ["--one"]:
        print(json.dumps(call_once(arguments[1], int(arguments[2]), int(arguments[3]))))
        return 0
    verbs = [name for name in arguments if not name.startswith("--")] or list(calls())
    points: dict[tuple[str, int, int], Point] = known()
    if "--again" in arguments:
        points = {place: point for place, point in points.items() if point.verb not in verbs}
    for verb, rows, models in places(verbs):
        smaller = [p for p in points.values() if p.verb == verb and p.rows <= rows and p.models <= models]
        if (verb, rows, models) not in points and all(point.done for point in smaller):
            points[verb, rows, models] = found = measured(Point(verb, rows, models))
            keep(points)
            print(*found.place, found.cell(), sep=", ", file=sys.stderr, flush=True)
    written: list[Any] = [
        table(points, "rows", ROWS, f"rows × {USUAL_MODELS} models"),
        table(points, "models", MODELS, f"models × {USUAL_ROWS:,} rows"),
    ]
    print("\n\n".join(written))
    if "--write" in arguments:
        write_between("growth", "\n\n".join(written))
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
