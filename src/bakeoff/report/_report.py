"""Report: what you send to a colleague."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bakeoff._core.errors import ParameterError
from bakeoff._core.language import current_language, language, translate
from bakeoff.report._blocks import Section, Table, headline_of, workings_of
from bakeoff.report._exports import as_dict, export
from bakeoff.report._html import page
from bakeoff.report._material import gather
from bakeoff.report._paper import write_paper
from bakeoff.report._sections import evidence_line, sections_of


@dataclass(frozen=True, repr=False)
class Report:
    """A finished report.

    Attributes
    ----------
    title
        Title of the page.
    html
        The whole page: one file, nothing fetched from anywhere.

    Examples
    --------
    >>> import bakeoff
    >>> y, a, b = [1, 1, 0, 1, 0, 0] * 20, [0.9, 0.8, 0.7, 0.6, 0.5, 0.4] * 20, [0.6, 0.9, 0.4, 0.2, 0.5, 0.1] * 20
    >>> p = bakeoff.Predictions.from_arrays(y, y_score={"a": a, "b": b})
    >>> report = bakeoff.report(p, title="a or b?", rng=0)
    >>> report
    Report('a or b?', 8 sections, ... KB)
    """

    title: str
    html: str
    _sections: tuple[Section, ...]
    _language: str = field(default_factory=current_language)  # figures are drawn later, in the report's language

    def save(self, path: str | Path) -> Path:
        """Write the one HTML file; return its path.

        Examples
        --------
        >>> import pathlib, tempfile
        >>> import bakeoff
        >>> y, a, b = [1, 1, 0, 0] * 20, [0.9, 0.6, 0.7, 0.4] * 20, [0.6, 0.2, 0.5, 0.1] * 20
        >>> p = bakeoff.Predictions.from_arrays(y, y_score={"a": a, "b": b})
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     print(bakeoff.report(p, rng=0).save(pathlib.Path(folder) / "report.html").name)
        ...
        report.html
        """
        target = Path(path)
        if target.is_dir():
            raise ParameterError(
                f"the report cannot be written to {str(target)!r}: that is a folder.",
                hint=f"give the name of a file, such as {str(target / 'report.html')!r}",
            )
        target.parent.mkdir(parents=True, exist_ok=True)
        part = target.with_name(f".{target.name}.part")
        part.write_text(self.html, encoding="utf-8")
        part.replace(target)  # a report is either whole or not there
        return target

    def export(self, folder: str | Path) -> list[Path]:
        """Write CSV, Markdown and LaTeX of every table, SVG and PNG of every figure, and JSON of everything."""
        with language(self._language):
            return export(Path(folder), self.title, self._sections)

    def to_dict(self) -> dict[str, Any]:
        """Return the tables, figures, notes and verdict as JSON-able values."""
        with language(self._language):
            return as_dict(self.title, self._sections)

    @property
    def workings(self) -> tuple[Any, ...]:
        """The working of the comparison, as `steps` gives it, where the report was asked for it."""
        return tuple(block.steps for block in workings_of(self._sections))

    @property
    def tables(self) -> dict[str, Table]:
        """Tables by name."""
        from bakeoff.report._blocks import tables_of

        return {t.name: t for t in tables_of(self._sections)}

    def __repr__(self) -> str:
        return f"Report({self.title!r}, {len(self._sections)} sections, {len(self.html) / 1024:.0f} KB)"

    def _repr_html_(self) -> str:
        from html import escape

        source = escape(self.html, quote=True)
        style = "width:100%;height:720px;border:1px solid #8884;border-radius:6px"
        box = 'sandbox="allow-scripts allow-downloads" title="bakeoff report"'
        return f'<iframe srcdoc="{source}" style="{style}" {box}></iframe>'


def report(
    *results: object,
    title: str | None = None,
    measure: str | None = None,
    lang: str | None = None,
    rng: int = 0,
    sources: Sequence[str | Path] = (),
    command: str = "",
    paper: str | Path | None = None,
    steps: bool = False,
) -> Report:
    """Tell the whole story of a comparison in one HTML file.

    Parameters
    ----------
    results
        Predictions, Scores or the Results of a run (what is missing is computed from them), and anything that
        `evaluate`, `compare`, `decide`, `roc` or `cost_curves` returned; an `OperatingContext` adds the decision.
    title
        Title of the page.
    measure
        What to compare by; by default AUC, accuracy or RMSE, as the evidence allows.
    lang
        ``"en"``, ``"es"`` or ``"pt"``; by default the active language.
    rng
        Seed of the bootstrap.
    sources, command
        Files the evidence was read from, and the command that made the report: both are written under "How to repeat
        it", the files with their SHA-256.
    paper
        A folder for what a paper needs, in the report's language: tables in LaTeX, figures as wide as a column (PDF and
        SVG, text as text) with captions, a methods paragraph with citations, BibTeX, and ``paper.tex``, which shows
        them all.
    steps
        Fold the working of the comparison into the page, step by step.

    Examples
    --------
    >>> import bakeoff
    >>> p = bakeoff.Predictions.from_arrays([0, 1] * 40, y_pred={"a": [0, 1] * 40, "b": [0, 1, 1, 1] * 20})
    >>> bakeoff.report(p, title="a against b")
    Report('a against b', ... sections, ... KB)
    """
    if not results:
        raise ParameterError("report needs something to report.", hint="bakeoff.report(predictions)")
    with language(lang) if lang else nullcontext():
        material = gather(results, measure=measure, rng=rng, sources=sources, command=command, steps=steps)
        sections = tuple(sections_of(material))
        name = title or translate("Comparison of models")
        if paper is not None:
            write_paper(paper, name, headline_of(sections), material)
        return Report(name, page(name, sections, evidence_line(material)), sections)
