"""Peak memory of the resampling engine: bounded by the rows (times 64 bytes a thread), never rows × replicates."""

from __future__ import annotations

from benchmarks._timing import Row, paths, peak_megabytes

SCRIPT = """
import numpy as np
from bakeoff.stats import resample
def prepare():
    rng = np.random.default_rng(0)
    y = rng.random({n}) < 0.3
    scores = rng.normal(size=({n}, 2)) + y[:, None]
    resample.auc_bootstrap(y[:500], scores[:500], 10, 0)
    return y, scores
def work(data):
    {work}
"""
JOBS = {
    "AUC of 2 models": "resample.auc_bootstrap(*data, {b}, 0, n_jobs={threads})",
    "mean of 2 columns": "resample.mean_bootstrap(data[1], {b}, 0, n_jobs={threads})",
    "100 row weights": "sum(w.sum() for w in resample.row_weights(len(data[0]), 100, 0))",
}


def run() -> list[Row]:
    rows: list[Row] = []
    for job, call in JOBS.items():
        for path in paths():
            for threads in (1, 2) if path == "C" and "weights" not in job else (1,):
                rows.append(_row(job, call, path, threads))
    return rows


def _row(job: str, call: str, path: str, threads: int, n: int = 10**6) -> Row:
    replicates = 256
    script = SCRIPT.format(n=n, work=call.format(b=replicates, threads=threads))
    peak = peak_megabytes(script, {"BAKEOFF_KERNELS": "numpy" if path == "NumPy" else ""})
    return {
        "job": f"peak memory, {job}, n = {n:,}, {path}, {threads} thread{'s' * (threads > 1)}",
        "ours_text": f"{peak:,.0f} MB",
        "peer": "all replicates at once (8-byte row numbers)",
        "peer_text": f"{8 * n * 2000 / 2**20:,.0f} MB",
        "ratio": 8 * n * 2000 / 2**20 / peak,
        "note": f"above the data; the same for any B (measured with {replicates if 'weights' not in job else 100})",
    }
