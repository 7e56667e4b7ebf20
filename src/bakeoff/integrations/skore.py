"""Verdicts as checks of skore reports: ``report.checks.add(checks(gate))``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from bakeoff._core.errors import ParameterError
from bakeoff.integrations import needed


@dataclass
class _Check:
    """What skore's protocol of a check asks for."""

    code: str
    title: str
    report_type: str
    severity: str
    explanation: str | None
    docs_url: str | None = None
    slow: bool = False

    @property
    def report_types(self) -> list[str]:
        """The kinds of report it is for, as skore asks from 0.28 on; earlier versions ask for one."""
        return [self.report_type]

    def check_function(self, report: Any) -> str | None:
        """Return what was found, or None where there is nothing to say."""
        return self.explanation


def checks(*results: Any, report_type: str = "comparison-estimator") -> list[Any]:
    """Turn gates, comparisons and their warnings into checks that a skore report runs with its own.

    Parameters
    ----------
    results
        Gates (an issue where the candidate does not pass), and comparisons, evaluations or decisions (a tip with the
        verdict, and one for each warning).
    report_type
        The kind of skore report the checks are for: ``"estimator"``, ``"cross-validation"``,
        ``"comparison-estimator"`` or ``"comparison-cross-validation"``.

    Examples
    --------
    >>> from bakeoff.integrations.skore import checks
    >>> report.checks.add(checks(gate))  # doctest: +SKIP
    """
    needed("skore")
    found = []
    for number, result in enumerate(results, start=1):
        if not hasattr(result, "notes"):
            raise ParameterError(f"checks are made of results of bakeoff. Got {type(result).__name__} instead.")
        code = f"BKF{number:03d}"
        if hasattr(result, "passed"):
            told = None if result.passed else result.verdict
            found.append(_Check(code, "Candidate held against the baseline", report_type, "issue", told))
        elif getattr(result, "verdict", ""):
            found.append(_Check(code, "Is the difference real?", report_type, "tip", result.verdict))
        weak = [note for note in result.notes if note.level == "warning"]
        for place, note in enumerate(weak, start=1):
            found.append(_Check(f"{code}-{place}", note.code, report_type, "tip", str(note.text)))
    return found
