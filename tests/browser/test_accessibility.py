"""Axe-core on report, explorer and application: no violation of any impact, on light and on dark paper."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.browser

_AXE = Path(__file__).parents[2] / "node_modules" / "axe-core" / "axe.min.js"


@pytest.fixture(scope="module")
def axe() -> str:
    if not _AXE.is_file():
        reason = "axe-core is not installed: `make browser` installs it where npm is"
        if os.environ.get("BAKEOFF_CI"):
            pytest.fail(reason)
        pytest.skip(reason)
    return _AXE.read_text(encoding="utf-8")


def violations(page: Any, axe: str) -> list[str]:
    """What axe finds, each with where it was found."""
    page.evaluate(axe)  # the test's own script: not bound by the page's policy
    found = page.evaluate("() => axe.run(document, { resultTypes: ['violations'] })")["violations"]
    return [
        f"{v['impact']} {v['id']}: {n['target']} {n['html'][:160]} {n['failureSummary']}"
        for v in found
        for n in v["nodes"][:3]
    ]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1250, 390])
def test_the_report_can_be_used_by_everyone(watched: Any, report_file: Path, axe: str, scheme: str, width: int) -> None:
    page = watched.page
    page.emulate_media(color_scheme=scheme)
    page.set_viewport_size({"width": width, "height": 800})
    page.goto(report_file.as_uri())
    page.wait_for_selector("html[data-ready]")
    found = violations(page, axe)
    # Once more with the explorer at work and everything unfolded.
    page.evaluate("() => document.querySelector('.bk-explorer').bkExplorer.set({ cost_fp: 1, cost_fn: 9 })")
    page.evaluate("() => { for (const fold of document.querySelectorAll('main details')) fold.open = true; }")
    found += violations(page, axe)
    assert not found, "\n".join(found)
    assert page.evaluate("() => document.documentElement.scrollWidth - innerWidth") <= 0


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_application_can_be_used_by_everyone(watched: Any, axe: str, served: Any, scheme: str) -> None:
    page = watched.page
    page.emulate_media(color_scheme=scheme)
    page.goto(served.address)
    page.wait_for_selector("html[data-ready]")
    page.locator("#panel-plan svg").wait_for(state="attached")
    for tab in ("runs", "drop", "advise", "plan"):
        page.locator(f"#tab-{tab}").click()
        assert violations(page, axe) == [], tab
    page.locator("#tab-drop").click()
    table = "truth,m1,m2\n" + "".join(
        f"{'yes' if i % 3 else 'no'},{i % 7 / 7},{(i % 3 + i % 5) / 7}\n" for i in range(60)
    )
    page.locator('[data-testid="file"]').set_input_files(
        {"name": "p.csv", "mimeType": "text/csv", "buffer": table.encode()}
    )
    page.locator('[data-testid="analyse"]').wait_for()
    assert violations(page, axe) == [], "columns"
    page.get_by_label("positive class").select_option("yes")
    page.locator('[data-testid="analyse"]').click()
    page.locator('[data-testid="result"] .bk-headline').wait_for(timeout=60_000)
    found = violations(page, axe)
    assert not found, "\n".join(found)
