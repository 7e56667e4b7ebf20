"""Logs of evaluation tools: what each holds about an item, brought into one long table, and that made evidence.

One file a tool; each turns what it finds into records. Recognising, pairing, attempts and errors are alike for all.
"""

from __future__ import annotations

from bakeoff.evidence.logs._evidence import evidence_of
from bakeoff.evidence.logs._find import LOG_FORMATS, Found, find_logs, formats, has_logs, not_known
from bakeoff.evidence.logs._record import Asked, Source

__all__ = ["LOG_FORMATS", "Asked", "Found", "Source", "evidence_of", "find_logs", "formats", "has_logs", "not_known"]
