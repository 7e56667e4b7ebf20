"""The catalogue of tests as a table of the guide, read from the entries: the two cannot contradict each other."""

from __future__ import annotations

from urllib.parse import quote

from bakeoff.comparison import FoldJob, InstanceJob, Job, Reference, catalogue, plannable

HEADINGS = ("`test=`", "name", "compares over", "with it or after it", "planned", "literature")
_READS = {InstanceJob: "instances", FoldJob: "splits", Job: "instances, splits or data sets"}


def rows() -> list[tuple[str, ...]]:
    """Return a row for every test, in the order in which ``test="auto"`` tries them."""
    return [
        (
            f"`{name}`",
            entry.label.english,
            _READS.get(entry.reads, "data sets"),
            ", ".join(filter(None, (*entry.companions, *entry.includes, entry.pairs_by, *entry.after))),
            "yes" if name in plannable() else "",
            "; ".join(map(_linked, entry.references)),
        )
        for name, entry in catalogue().items()
    ]


def _linked(reference: Reference) -> str:
    """Write a reference, its DOI as a link."""
    return f"[{reference.text}](https://doi.org/{quote(reference.doi, safe='/')})" if reference.doi else reference.text


def markdown() -> str:
    """Return the table in Markdown."""
    lines = [HEADINGS, ("---",) * len(HEADINGS), *rows()]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)
