"""How time and memory grow: ``python -m benchmarks.growth [verb …]`` prints a table for each verb.

Rows from a thousand to ten million (two models), and models from 2 to 200 (ten thousand rows), each in a process of
its own: processor time of the call and the peak it adds to memory. The exponent is the slope of log time against log
size over the upper half of the sizes; 1 is linear. A size that takes more than `LIMIT` seconds ends its line.
"""

from __future__ import annotations

import json
import subprocess
import sys

import numpy as np

LIMIT = 120.0
ROWS = (10**3, 10**4, 10**5, 10**6, 10**7)
MODELS = (2, 10, 50, 200)
VERBS = ("evaluate", "compare", "decide", "report")

_CALL = """
import json, resource, sys, time, warnings
from benchmarks.bench_verbs import data
import bakeoff
warnings.simplefilter("ignore")
verb, rows, models = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
context = bakeoff.OperatingContext(prevalence=0.1, cost_fp=1, cost_fn=20)
calls = {
    "evaluate": lambda p: bakeoff.evaluate(p, rng=0),
    "compare": lambda p: bakeoff.compare(p, "average_precision", rng=0),
    "decide": lambda p: bakeoff.decide(p, context, rng=0),
    "report": lambda p: bakeoff.report(p, context),
}
def made(n, k):
    y, scores = data(n, k)
    return bakeoff.Predictions.from_arrays(y, y_score=scores, pos_label=1)
calls[verb](made(500, 2))  # imports are not what is measured
p = made(rows, models)
before, start = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, time.process_time()
calls[verb](p)
took, after = time.process_time() - start, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
print(json.dumps([took, (after - before) / 1024]))
"""


def measure(verb: str, rows: int, models: int) -> tuple[float, float] | None:
    """Processor time (s) and added peak memory (MB) of one call; None where it takes too long or too much."""
    command = [sys.executable, "-c", _CALL, verb, str(rows), str(models)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=8 * LIMIT)
    except (subprocess.TimeoutExpired, subprocess.CalledProcessError):
        return None
    took, megabytes = json.loads(done.stdout.splitlines()[-1])
    return took, megabytes


def exponent(sizes: list[int], values: list[float]) -> float:
    """Slope of log value against log size over the upper half of the sizes."""
    half = slice(max(len(sizes) // 2 - 1, 0), None)
    x, y = np.log(sizes[half]), np.log(np.maximum(values[half], 1e-3))
    return float(np.polyfit(x, y, 1)[0]) if len(x) > 1 else float("nan")


def line(verb: str, along: str) -> str:
    sizes, found = (ROWS, [(n, 2) for n in ROWS]) if along == "rows" else (MODELS, [(10**4, k) for k in MODELS])
    cells, done = [], []
    for size, (rows, models) in zip(sizes, found, strict=True):
        got = measure(verb, rows, models)
        if got is None:
            break
        cells.append(f"{got[0]:.2f} s, {got[1]:.0f} MB")
        done.append((size, *got))
        if got[0] > LIMIT:
            break
    sizes_done = [size for size, _, _ in done]
    slopes = [exponent(sizes_done, [row[i] for row in done]) for i in (1, 2)]
    cells += ["–"] * (len(sizes) - len(cells))
    return f"| `{verb}` | {' | '.join(cells)} | {slopes[0]:.2f} | {slopes[1]:.2f} |"


def main(wanted: list[str]) -> int:
    for along, sizes, unit in (("rows", ROWS, "rows × 2 models"), ("models", MODELS, "models × 10,000 rows")):
        print(f"| {unit} | {' | '.join(f'{s:,}' for s in sizes)} | exponent of time | of memory |")
        print("|" + "---|" * (len(sizes) + 3))
        for verb in wanted or VERBS:
            print(line(verb, along), flush=True)
        print()
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
