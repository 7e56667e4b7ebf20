"""Timing shared by the benchmarks: ours and the peers interleaved, medians; slow loops extrapolated, and said so."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

Row = dict[str, Any]


@dataclass(frozen=True)
class Peer:
    """Another way to do the job: `run(replicates)`, timed on `few` of them when all would take too long."""

    name: str
    run: Callable[[int], object]
    few: int | None = None


@dataclass(frozen=True)
class Ours:
    """One of our ways to do the whole job; `few` replicates stand for all where even ours takes many seconds."""

    name: str
    run: Callable[[int], object]
    few: int | None = None
    goal: float | None = None


def seconds(job: Callable[[], object]) -> float:
    """Time a job: the wall clock, or (``BENCH_CLOCK=cpu``) the processor time, for machines that others load too."""
    clock = time.process_time if os.environ.get("BENCH_CLOCK") == "cpu" else time.perf_counter
    start = clock()
    job()
    return clock() - start


def race(job: str, replicates: int, ours: Sequence[Ours], peers: Sequence[Peer], *, rounds: int = 3) -> list[Row]:
    """Run everybody in turn, `rounds` times; one row per way of ours and peer.

    The first peer is the one goals are stated against; the other peers are compared with our first way only.
    """
    times: dict[str, list[float]] = {runner.name: [] for runner in (*ours, *peers)}
    for runner in ours:
        runner.run(2)  # imports and first-use checks are not what is measured
    for _ in range(rounds):
        for runner in (*ours, *peers):
            some = min(runner.few or replicates, replicates)
            times[runner.name].append(seconds(lambda r=runner, s=some: r.run(s)) * replicates / some)
    took = {name: median(measured) for name, measured in times.items()}
    pairs = [(way, peers[0]) for way in ours] + [(ours[0], peer) for peer in peers[1:]]
    rows = [_row(job, way, peer, took, replicates) for way, peer in pairs]
    for row, (way, _) in zip(rows, pairs[: len(ours)], strict=False):
        row["goal"] = f"≥ {way.goal:,.0f}" if way.goal else ""
    return rows


def _row(job: str, way: Ours, peer: Peer, took: Mapping[str, float], replicates: int) -> Row:
    extrapolated = [
        f"{who} timed on {runner.few} of {replicates:,}"
        for who, runner in (("ours", way), ("peer", peer))
        if runner.few is not None and runner.few < replicates
    ]
    return {
        "job": f"{job}, {way.name}",
        "ours_s": took[way.name],
        "peer": peer.name,
        "peer_s": took[peer.name],
        "ratio": took[peer.name] / took[way.name],
        "note": "; ".join(extrapolated),
    }


@contextmanager
def kernels(path: str) -> Iterator[None]:
    """Run the C or the NumPy kernels inside the block."""
    before = os.environ.get("BAKEOFF_KERNELS")
    os.environ["BAKEOFF_KERNELS"] = "numpy" if path == "NumPy" else ""
    try:
        yield
    finally:
        if before is None:
            del os.environ["BAKEOFF_KERNELS"]
        else:
            os.environ["BAKEOFF_KERNELS"] = before


def paths() -> list[str]:
    """Return the kernel paths there are on this machine, the fastest first."""
    from bakeoff.stats import _kernels

    with kernels("C"):
        return ["C", "NumPy"] if _kernels.active_path() == "C" else ["NumPy"]


def ways(job: Callable[[int, int], object], goals: Mapping[str, float], few: int | None = None) -> list[Ours]:
    """Return our ways: C on one and two threads, NumPy on one; `job(replicates, threads)` does the work.

    `goals` are by path and hold for every number of threads.
    """

    def way(path: str, threads: int) -> Ours:
        def run(replicates: int) -> None:
            with kernels(path):
                job(replicates, threads)

        name = f"{path}, {threads} thread{'s' * (threads > 1)}"
        return Ours(name, run, few if path == "NumPy" else None, goals.get(path))

    return [way(path, threads) for path in paths() for threads in ((1, 2) if path == "C" else (1,))]


def forget_peak() -> None:
    """Let `peak` begin again (Linux; elsewhere it stays that of the whole process)."""
    with suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5", encoding="ascii")


def peak() -> float:
    """Most memory that this process held at once, MB."""
    try:
        lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
        return int(next(line for line in lines if line.startswith("VmHWM")).split()[1]) / 1024
    except OSError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


_PEAK = """
from benchmarks._timing import forget_peak, peak
data = prepare()
forget_peak()
before = peak()
work(data)
print(peak() - before)
"""


def write_between(mark: str, told: str) -> None:
    """Put text between the marks ``<!-- mark -->`` and ``<!-- /mark -->`` of docs/performance.md."""
    page = Path(__file__).parent.parent / "docs" / "performance.md"
    before, rest = page.read_text(encoding="utf-8").split(f"<!-- {mark} -->")
    after = rest.split(f"<!-- /{mark} -->")[1]
    page.write_text(f"{before}<!-- {mark} -->\n{told}\n<!-- /{mark} -->{after}", encoding="utf-8")


def peak_megabytes(script: str, environment: Mapping[str, str]) -> float:
    """Run `script` in a fresh process; it must define `prepare()` and `work(data)`. Return the peak `work` added."""
    whole = [sys.executable, "-c", script + _PEAK]
    done = subprocess.run(whole, env={**os.environ, **environment}, capture_output=True, text=True, check=True)
    return float(done.stdout)
