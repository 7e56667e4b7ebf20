"""Report: sections, prose, the one-file HTML report, and exports."""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any

from bakeoff.report._html import fragment as fragment
from bakeoff.report._material import watched as watched
from bakeoff.report._report import Report, report

__all__ = ["Report", "report"]


class _Room(ModuleType):
    """The verb has the name of its package: importing the package must not take ``bakeoff.report(...)`` away."""

    def __call__(self, *results: object, **options: Any) -> Report:
        return report(*results, **options)


sys.modules[__name__].__class__ = _Room
