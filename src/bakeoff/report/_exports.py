"""Exports of a report: CSV, Markdown and LaTeX of every table, figures as SVG and PNG, and JSON of everything."""

from __future__ import annotations

import csv
import json
import re
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from bakeoff._core.result import jsonable
from bakeoff._core.text import format_value, markdown_table
from bakeoff.report import _blocks as b
from bakeoff.report._latex import tex

_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def export(folder: Path, title: str, sections: Sequence[b.Section]) -> list[Path]:
    """Write every table and figure below `folder`; return the files."""
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for table in b.tables_of(sections):
        name = safe_name(table.name)
        for suffix, text in ((".csv", csv_text(table)), (".md", markdown(table)), (".tex", latex(table))):
            path = folder / f"{name}{suffix}"
            path.write_text(text, encoding="utf-8", newline="")
            written.append(path)
    written += _draw_figures(folder, sections)
    path = folder / "report.json"
    path.write_text(
        json.dumps(as_dict(title, sections), ensure_ascii=False, indent=1, allow_nan=False), encoding="utf-8"
    )
    return [*written, path]


def safe_name(name: str) -> str:
    """A file name that no system minds."""
    return re.sub(r"[^A-Za-z0-9._-]+", "_", name).strip("._")[:80] or "table"


def as_dict(title: str, sections: Sequence[b.Section]) -> dict[str, Any]:
    """Everything in the report as JSON-able values."""
    return {
        "kind": "Report",
        "schema_version": 1,
        "title": title,
        "tables": {t.name: jsonable(dict(t.columns)) for t in b.tables_of(sections)},
        "figures": [f.to_dict() for f in b.figures_of(sections)],
        "notes": [jsonable(n) for s in sections for block in b.notes_of(s) for n in block.notes],
        "verdict": [t for s in sections for x in s.blocks if isinstance(x, b.Verdict) for t in x.sentences],
        "answer": next((_answer(x) for s in sections for x in s.blocks if isinstance(x, b.Card)), None),
    }


def _answer(card: b.Card) -> dict[str, Any]:
    return {"headline": card.headline, "light": card.light or None, **jsonable(dict(card.answer))}


def csv_text(table: b.Table) -> str:
    """CSV with full precision; text that a spreadsheet would run as a formula gets a leading quote."""
    import io

    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow([_disarmed(n) for n in table.columns])
    for i in range(table.n_rows):
        writer.writerow([_disarmed(c[i]) for c in table.columns.values()])
    return out.getvalue()


def _disarmed(value: Any) -> Any:
    return f"'{value}" if isinstance(value, str) and value.startswith(_FORMULA) else value


def _shown(table: b.Table, name: str, i: int) -> str:
    return table.shown[name][i] if name in table.shown else format_value(table.columns[name][i])


def markdown(table: b.Table) -> str:
    """A Markdown table."""
    return markdown_table({n: [_shown(table, n, i) for i in range(table.n_rows)] for n in table.columns}) + "\n"


def latex(table: b.Table) -> str:
    """A LaTeX tabular with booktabs rules, every name escaped."""
    names = list(table.columns)
    layout = "".join("l" if any(isinstance(v, str) for v in table.columns[n]) else "r" for n in names)
    lines = [rf"\begin{{tabular}}{{{layout}}}", r"\toprule", " & ".join(map(tex, names)) + r" \\", r"\midrule"]
    for i in range(table.n_rows):
        lines.append(" & ".join(tex(_shown(table, n, i)) for n in names) + r" \\")
    return "\n".join([*lines, r"\bottomrule", r"\end{tabular}", ""])


def _draw_figures(folder: Path, sections: Sequence[b.Section]) -> list[Path]:
    """Draw with matplotlib where it is installed; without it the HTML still has every figure."""
    import importlib.util

    if importlib.util.find_spec("matplotlib") is None:
        return []
    from bakeoff.figures import draw

    written = []
    for number, data in enumerate(b.figures_of(sections), start=1):
        drawn = draw(data)
        if drawn is None:
            continue
        for suffix in (".svg", ".png"):
            path = folder / f"{number:02d}-{data.kind}{suffix}"
            with warnings.catch_warnings():
                warnings.filterwarnings("ignore", message="Glyph")  # a letter the font lacks is drawn as a box
                drawn.savefig(path, dpi=150, bbox_inches="tight")
            written.append(path)
    return written
