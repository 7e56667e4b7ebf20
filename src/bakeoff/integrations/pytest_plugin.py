"""The pytest plugin: a gate as an assertion, its verdict as the message, and a summary in Markdown."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from bakeoff.comparison import Gate

_PROPERTY = "bakeoff"
_PAGES: dict[str, list[str]] = {}  # test → what its gates wrote; a session's own


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add ``--bakeoff-summary``."""
    group = parser.getgroup("bakeoff")
    group.addoption("--bakeoff-summary", metavar="FILE", help="write the verdicts of all gates to FILE, as Markdown")


def pytest_sessionstart() -> None:
    """Start with no verdicts."""
    _PAGES.clear()


@pytest.fixture
def bakeoff_gate(record_property: Callable[[str, object], None]) -> Callable[..., Gate]:
    """Fail the test unless the candidate passes: ``bakeoff_gate(evidence, baseline=…, candidate=…, margin=…)``.

    `evidence` is what `bakeoff.gate` takes, or the path of a file or folder that `bakeoff.read` reads alone. Returns
    the gate where it passed.
    """
    __tracebackhide__ = True

    def held(evidence: Any, **asked: Any) -> Gate:
        import bakeoff

        __tracebackhide__ = True
        found = bakeoff.gate(bakeoff.read(evidence) if isinstance(evidence, (str, Path)) else evidence, **asked)
        record_property(_PROPERTY, found.to_markdown())
        if not found:
            pytest.fail(found.verdict, pytrace=False)
        return found

    return held


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Keep what gates wrote; properties of a test also reach the process that started workers."""
    if report.when == "call":
        _PAGES.setdefault(report.nodeid, []).extend(str(v) for k, v in report.user_properties if k == _PROPERTY)


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Write the summary, from the process that was started."""
    place = session.config.getoption("--bakeoff-summary")
    if not place or hasattr(session.config, "workerinput"):
        return
    parts = [f"## `{test}`\n\n{page}" for test, pages in _PAGES.items() for page in pages]
    Path(place).write_text("\n".join(parts) or "No gate was held.\n", encoding="utf-8")
