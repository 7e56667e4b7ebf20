"""The course tab: a small table is typed, and the working of what is computed from it changes with every key."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import numpy as np

from bakeoff import stats
from bakeoff._core.errors import EvidenceError, ParameterError, unknown_choice
from bakeoff._core.language import current_language
from bakeoff.decision import RocHull
from bakeoff.figures import figure_of
from bakeoff.steps import steps_of

Rows = list[list[str]]
MOST_CELLS = 2000

# AUC of C4.5 with and without two options on 14 data sets: Demšar (2006), table 6.
_FOUR = """C4.5 C4.5+m C4.5+cf C4.5+m+cf
.763 .768 .771 .798
.599 .591 .590 .569
.954 .971 .968 .967
.628 .661 .654 .657
.882 .888 .886 .898
.936 .931 .916 .931
.661 .668 .609 .685
.583 .583 .563 .625
.775 .838 .866 .875
1 1 1 1
.940 .962 .965 .962
.619 .666 .614 .669
.972 .981 .975 .975
.957 .978 .946 .970"""
_PAIR = "\n".join(f"{row.split()[1]} {row.split()[0]}" for row in _FOUR.splitlines())
_CASES = """p .9
p .8
n .7
p .6
p .55
p .54
n .53
n .52
p .51
n .505
p .4
n .37
p .38
n .36
n .35
n .35
p .34
n .33
p .30
n .1"""

_NAMED = ("signed-ranks", "t", "ranks", "variance")  # of which a column is a model

EXAMPLES = {
    "signed-ranks": _PAIR,
    "t": _PAIR,
    "ranks": _FOUR,
    "variance": _FOUR,
    "counts": "145 10\n25 20",
    "agreement": "50 0 0\n0 48 2\n0 4 46",
    "proportion": "85 100",
    "roc": _CASES,
    "hull": "C1 0.3 0.4\nC2 0.5 0.7\nC3 0.2 0.6",
}
"""What is computed → the lecture's numbers."""


def lessons() -> list[dict[str, str]]:
    """Every lesson: its code, its title, the table it starts with."""
    found = []
    for code, table in EXAMPLES.items():
        title = _result(code, table).steps(current_language()).title
        found.append({"code": code, "title": str(title), "table": table})
    return found


def lesson(code: str, table: str) -> dict[str, Any]:
    """The working of a typed table, and its figure."""
    result = _result(code, table)
    steps = steps_of(result, current_language(), models=_names(code, table))
    found: dict[str, Any] = {"html": steps._repr_html_(), "figure": None}
    with suppress(ParameterError):  # an interval has no picture
        found["figure"] = figure_of(result).to_dict()
    return found


def _result(code: str, table: str) -> Any:
    if code not in _COMPUTES:
        raise unknown_choice("lesson", code, tuple(_COMPUTES))
    rows = _rows(table)
    if not rows or sum(map(len, rows)) > MOST_CELLS:
        raise EvidenceError("a small table is wanted: some rows of a few values each.")
    return _COMPUTES[code](rows)


def _rows(table: str) -> Rows:
    return [re.split(r"[;\s]+", line.strip(" ;\t")) for line in table.splitlines() if line.strip(" ;\t")]


def _names(code: str, table: str) -> list[str]:
    """The models of a table that begins with a row of names."""
    first = _rows(table)[0]
    return first if code in _NAMED and not all(map(_is_number, first)) else []


def _number(cell: str) -> float:
    try:
        return float(cell.replace(",", ".").replace("−", "-"))
    except ValueError:
        raise EvidenceError(f"{cell!r} is no number.", hint="values stand apart by spaces or semicolons") from None


def _is_number(cell: str) -> bool:
    return re.fullmatch(r"[-+−]?[\d.,]+(?:e-?\d+)?", cell) is not None


def _array(rows: Rows, columns: int | None = None) -> Any:
    body = rows if all(map(_is_number, rows[0])) else rows[1:]  # a first row of names
    widths = {len(row) for row in body}
    if len(widths) != 1 or (columns is not None and widths != {columns}):
        wanted = "as many" if columns is None else str(columns)
        raise EvidenceError(f"every row needs {wanted} values.", hint="values stand apart by spaces or semicolons")
    return np.array([[_number(cell) for cell in row] for row in body])


def _mcnemar(rows: Rows) -> Any:
    return stats.mcnemar_from_table(_array(rows, 2), method="chi2_corrected")


def _proportion(rows: Rows) -> Any:
    right, n = _array(rows[:1], 2)[0]
    return stats.binomial_interval(int(right), int(n), method="wald")


def _roc(rows: Rows) -> Any:
    if any(len(row) != 2 for row in rows):
        raise EvidenceError("every row needs 2 values.", hint="the class (p or n) and the score")
    labels = [row[0].lower() in ("p", "1", "+") for row in rows]
    return stats.roc_curve(labels, [_number(row[1]) for row in rows])


def _hull(rows: Rows) -> Any:
    if any(len(row) != 3 for row in rows):
        raise EvidenceError("every row needs 3 values.", hint="name, false positive rate, true positive rate")
    return RocHull.from_points({row[0]: (_number(row[1]), _number(row[2])) for row in rows})


_COMPUTES: dict[str, Callable[[Rows], Any]] = {
    "signed-ranks": lambda rows: stats.wilcoxon(*_array(rows, 2).T),
    "t": lambda rows: stats.paired_t(*_array(rows, 2).T),
    "ranks": lambda rows: stats.friedman(_array(rows)),
    "variance": lambda rows: stats.repeated_measures_anova(_array(rows)),
    "counts": _mcnemar,
    "agreement": lambda rows: stats.cohen_kappa_from_table(_array(rows)),
    "proportion": _proportion,
    "roc": _roc,
    "hull": _hull,
}
