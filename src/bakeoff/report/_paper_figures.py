"""The figures of a paper: as wide as a column, text as text, without the title that the caption has."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from bakeoff._core.errors import BakeoffError, MissingDependencyError
from bakeoff.figures import (
    FigureData,
    calibration_figure,
    cost_curve_figure,
    critical_difference_figure,
    difference_forest_figure,
    draw,
    forest_figure,
    roc_figure,
)
from bakeoff.report._card import leader_of
from bakeoff.report._latex import tex
from bakeoff.report._material import Material

COLUMN = 3.35  # inches: a column of a two-column page
_MOST_CURVES = 12
_MOST_PAIRS = 10  # of more pairs, those of the leader
_STYLE: dict[Any, Any] = {
    "font.size": 8, "axes.labelsize": 8, "xtick.labelsize": 7, "ytick.labelsize": 7, "legend.fontsize": 7,
    "svg.fonttype": "none", "pdf.fonttype": 42, "ps.fonttype": 42, "axes.linewidth": 0.6, "svg.hashsalt": "bakeoff",
}  # fmt: skip


def figures_of(material: Material) -> Iterator[tuple[str, FigureData]]:
    """Every figure that the material has and a paper would show, by name; one that cannot be made is left out."""
    for name, make in _makers(material):
        try:
            yield name, make()
        except BakeoffError:
            continue


def _makers(material: Material) -> Iterator[tuple[str, Callable[[], FigureData]]]:
    evaluation, comparison, roc, costs = material.evaluation, material.comparison, material.roc, material.costs
    if evaluation is not None and len(evaluation.datasets) == 1:
        first = material.compared
        if first in evaluation.measures:
            yield "measure", lambda: forest_figure(evaluation, first)
    if comparison is not None:
        if comparison.ranks is not None and len(comparison.models) > 2:
            yield "ranks", lambda: critical_difference_figure(comparison)
        leader = (comparison.control or leader_of(comparison)) if len(comparison.pairs) > _MOST_PAIRS else None
        yield "differences", lambda: difference_forest_figure(comparison, against=leader)
    if roc is not None and len(roc.models) <= _MOST_CURVES:
        yield "roc", lambda: roc_figure(roc)
    if costs is not None and len(costs.models) <= _MOST_CURVES:
        yield "costs", lambda: cost_curve_figure(costs)
    predictions = material.predictions
    if predictions is not None and material.binary and len(predictions.models) <= _MOST_CURVES:
        yield "calibration", lambda: calibration_figure(predictions)


def write_figures(folder: Path, material: Material) -> list[Path]:
    """Draw each as PDF and SVG, with its LaTeX environment and caption; return the files."""
    try:
        import matplotlib
    except ImportError:
        raise MissingDependencyError.for_extra("matplotlib", "plot", "report(paper=...)") from None
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    with matplotlib.rc_context(_STYLE), warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph")  # a letter the font lacks is drawn as a box
        for name, data in figures_of(material):
            drawn = draw(data, width=COLUMN)
            if drawn is None:
                continue
            drawn.axes[0].set_title("", loc="left")
            written += [*_saved(folder / name, drawn), _environment(folder / f"{name}.tex", name, data)]
    return written


def _saved(path: Path, drawn: Any) -> Iterator[Path]:
    """The same evidence is the same file: no date in it."""
    for suffix, dated in ((".pdf", "CreationDate"), (".svg", "Date")):
        target = path.with_suffix(suffix)
        drawn.savefig(target, metadata={dated: None})
        yield target


def _environment(path: Path, name: str, data: FigureData) -> Path:
    caption = f"{data.title.rstrip('.')}. {data.caption}"
    lines = [
        r"\begin{figure}[tbp]", r"\centering", rf"\includegraphics{{figures/{name}.pdf}}",
        rf"\caption{{{tex(caption)}}}", rf"\label{{fig:{name}}}", r"\end{figure}", "",
    ]  # fmt: skip
    path.write_text("\n".join(lines), encoding="utf-8")
    return path
