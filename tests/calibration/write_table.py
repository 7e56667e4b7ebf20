"""Write docs/calibration.md: simulated levels of tests and coverage of intervals, ours and the peers'.

``python tests/calibration/write_table.py [RUNS]``; 400 runs take some minutes, 4000 give the table two digits.
"""

from __future__ import annotations

import sys
import time
import warnings
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parent)]

Row = dict[str, Any]


def rank_rows(runs: int) -> list[Row]:
    from test_rank_levels import calibration_rows, peer_rows

    return [*calibration_rows(runs), *({**r, "procedure": f"peer: {r['procedure']}"} for r in peer_rows(runs))]


def fold_rows(runs: int) -> list[Row]:
    from test_t_levels import coverage_rows, type_one_rows

    rows: list[Row] = []
    for protocol in ("30 hold-outs of 1/3", "10-fold", "10 x 10-fold", "5 x 2-fold"):
        rows += type_one_rows("nearest centroid", protocol, "digits", runs)
    return rows + coverage_rows("nearest centroid", "30 hold-outs of 1/3", "digits", runs)


def compare_rows(runs: int) -> list[Row]:
    from test_compare_levels import DESIGNS, simulate

    return [simulate(name, max(runs // 4, 50)) for name in DESIGNS]


def interval_rows(runs: int) -> list[Row]:
    from test_interval_coverage import all_rows

    return all_rows(runs)


def bootstrap_rows(runs: int) -> list[Row]:
    from test_bootstrap_coverage import CASES, coverage

    return [row for case, (truth, draw) in CASES.items() for row in coverage(case, truth, draw, max(runs, 100))]


def package_rows(runs: int) -> list[Row]:
    from peers import interval_peers, level_peers

    return [*level_peers(runs), *interval_peers(runs)]


SECTIONS: dict[str, tuple[Callable[[int], list[Row]], str]] = {
    "Tests over data sets": (
        rank_rows,
        "Share of tables without any difference on which the procedure rejects, at 1 %, 5 % and 10 %. For post hocs "
        "and adjustments: share of tables with any false find (family-wise). Rows marked *peer* are other packages.",
    ),
    "Tests over folds": (
        fold_rows,
        "Two learners that are equal in expectation, on real data, resampled for real. The plain t-test over folds "
        "does not hold its level: that is known, it carries a note, and `compare` never chooses it.",
    ),
    "`compare`, end to end": (
        compare_rows,
        "Share of runs with any false find, and share of intervals that hold zero.",
    ),
    "Intervals of `evaluate`": (interval_rows, "Share of intervals that hold the true value, by nominal level."),
    "Other packages on the same question": (
        package_rows,
        "Two equal models: how often a difference is declared at 5 %; and how often a nominal 95 % interval holds the "
        "truth. Packages that are not installed are left out.",
    ),
    "Bootstrap intervals": (bootstrap_rows, "Coverage of nominal 95 % intervals by method."),
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
    return f"{value:.4f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value).replace("|", "/")


def main(runs: int) -> None:
    warnings.simplefilter("ignore")
    out = [
        "# Calibration",
        "",
        f"Written by `make calibrate` ({runs} simulated runs a row, fewer where a run is dear). The Monte-Carlo error "
        f"of a 5 % level at {runs} runs is about {100 * (0.05 * 0.95 / runs) ** 0.5:.1f} points.",
    ]
    for title, (make, text) in SECTIONS.items():
        start = time.perf_counter()
        rows = make(runs)
        print(f"{title}: {len(rows)} rows, {time.perf_counter() - start:.0f} s", flush=True)
        out += ["", f"## {title}", "", text, "", table(rows)]
    (HERE.parents[1] / "docs" / "calibration.md").write_text("\n".join(out) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 400)
