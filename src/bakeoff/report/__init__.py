"""Report: sections, prose, the one-file HTML report, and exports."""

from bakeoff.report._report import Report, report

__all__ = ["Report", "report"]
