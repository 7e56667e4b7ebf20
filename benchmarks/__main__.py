"""``python -m benchmarks [names]``: run all benchmarks, or those named, and print one table of ratios."""

from __future__ import annotations

import argparse
import importlib
import os
import platform
import sys
import time
from pathlib import Path
from typing import Any

Row = dict[str, Any]
FIRST = ("verbs", "rankings", "losses", "roc", "auc", "permutation", "cells", "memory")  # what a user waits for first
SMALLER = {"runner": {"rounds": 1}}  # so that the whole takes about ten minutes on two idle cores
COLUMNS = ("job", "ours", "peer", "peer time", "ratio", "goal", "note")


def available() -> list[str]:
    """Names of the benchmarks with a `run()`; other files of that name are scripts of their own."""
    files = Path(__file__).parent.glob("bench_*.py")
    names = {file.stem.removeprefix("bench_") for file in files if "\ndef run(" in file.read_text()}
    return [name for name in FIRST if name in names] + sorted(names - set(FIRST))


def normalised(row: Row) -> Row:
    """Return the row with the common keys; `ours`, `peer` and `against` are other names some benchmarks use."""
    named = "against" in row
    ours = row.get("ours_s", row.get("ours"))
    theirs = row["peer"] if named else row.get("peer_s")
    ratio = row.get("ratio")
    if ratio is None and ours and theirs:
        ratio = theirs / ours
    return {
        "job": row["job"],
        "ours": row.get("ours_text") or _seconds(ours),
        "peer": row["against"] if named else row.get("peer", ""),
        "peer time": row.get("peer_text") or _seconds(theirs),
        "ratio": "" if ratio is None else _ratio(ratio),
        "goal": row.get("goal", ""),
        "note": row.get("note", ""),
        "met": _met(ratio, str(row.get("goal", ""))),
    }


def _seconds(value: float | None) -> str:
    if value is None:
        return ""
    if value < 1e-3:
        return f"{1e6 * value:.0f} µs"
    return f"{1e3 * value:.1f} ms" if value < 1 else f"{value:,.1f} s"


def _ratio(ratio: float) -> str:
    return f"{ratio:,.0f}" if ratio >= 100 else f"{ratio:.3g}"


def _met(ratio: float | None, goal: str) -> str:
    sign, _, number = goal.partition(" ")
    if ratio is None or sign not in ("≥", "≤"):
        return ""
    limit = float(number.replace(",", ""))
    return "met" if (ratio >= limit if sign == "≥" else ratio <= limit) else "MISSED"


def text(rows: list[Row]) -> str:
    table = [[row[c] for c in COLUMNS] for row in rows]
    for line, row in zip(table, rows, strict=True):
        line[5] = " ".join(filter(None, [row["goal"], row["met"]]))
    widths = [max(len(str(line[i])) for line in [list(COLUMNS), *table]) for i in range(len(COLUMNS))]
    lines = [
        "  ".join(str(cell).ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()
        for line in [list(COLUMNS), *table]
    ]
    return "\n".join(lines)


def markdown(rows: list[Row]) -> str:
    lines = ["| " + " | ".join(COLUMNS) + " |", "|" + "---|" * len(COLUMNS)]
    for row in rows:
        judged = {**row, "goal": " ".join(filter(None, [row["goal"], row["met"]]))}
        lines.append("| " + " | ".join(str(judged[c]) for c in COLUMNS) + " |")
    return "\n".join(lines)


def write(told: str, table: str) -> None:
    """Put a table between the marks of docs/performance.md; jobs that were not measured now stay below it."""
    page = Path(__file__).parent.parent / "docs" / "performance.md"
    before, rest = page.read_text(encoding="utf-8").split("<!-- table -->")
    old, after = rest.split("<!-- /table -->")
    measured = {line.split(" | ")[0] for line in table.splitlines()}
    kept = [line for line in old.splitlines() if line.startswith("| ") and line.split(" | ")[0] not in measured]
    earlier = ["", "Of earlier runs:", "", *table.splitlines()[:2], *kept] if kept else []
    whole = "\n".join(["", told, "", table, *earlier, ""])
    page.write_text(f"{before}<!-- table -->{whole}<!-- /table -->{after}", encoding="utf-8")


def header() -> str:
    from bakeoff.stats import _kernels

    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    clock = "processor time" if os.environ.get("BENCH_CLOCK") == "cpu" else "seconds"
    return (
        f"bakeoff against its peers on {platform.machine()}, {cores} cores, Python {platform.python_version()}, "
        f"{_kernels.active_path()} kernels. {clock.capitalize()} for the whole job; ratio = peer / ours, medians."
    )


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks", description="Run all benchmarks, or those named, and print one table of ratios."
    )
    parser.add_argument("names", nargs="*", help=f"of {', '.join(available())}; all by default")
    parser.add_argument("--markdown", action="store_true", help="print the table as Markdown")
    parser.add_argument("--write", action="store_true", help="put it between the marks of docs/performance.md")
    asked = parser.parse_args(arguments)
    if unknown := sorted(set(asked.names) - set(available())):
        parser.error(f"unknown benchmark: {', '.join(unknown)}; there are {', '.join(available())}")
    print(header(), flush=True)
    rows: list[Row] = []
    failed = []
    for name in asked.names or available():
        start = time.perf_counter()
        try:
            module = importlib.import_module(f"benchmarks.bench_{name}")
            rows += [normalised(row) for row in module.run(**SMALLER.get(name, {}))]
        except Exception as problem:  # a missing peer must not cost the rest of the table
            failed.append(f"{name}: {type(problem).__name__}: {problem}")
        print(f"  {name}: {time.perf_counter() - start:.0f} s", file=sys.stderr, flush=True)
        if asked.write:  # as far as it is, so that an interrupted run leaves what it measured
            write(header(), markdown(rows))
    print(markdown(rows) if asked.markdown else text(rows))
    for line in failed:
        print(f"not measured: {line}")
    return 1 if failed else 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
