"""Every kind of report read as a person would: one answer, the same everywhere, on a first screen that is short."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import bakeoff
from bakeoff.evidence import Predictions, Scores

pytestmark = [pytest.mark.browser, pytest.mark.filterwarnings("ignore::bakeoff.BakeoffWarning")]

# Words of the first screen without navigation, size of the page, and what headline, picture and tables say.
_SEEN = """() => {
  const walk = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
  let words = 0;
  while (walk.nextNode()) {
    const text = walk.currentNode;
    if (!text.textContent.trim() || text.parentElement.closest("script, style, title, .bk-hidden")) continue;
    const range = document.createRange();
    range.selectNodeContents(text);
    const box = range.getBoundingClientRect();
    if (box.height && box.bottom <= innerHeight && box.top >= 0) words += text.textContent.trim().split(/\\s+/).length;
  }
  const picture = document.querySelector("#answer svg.bk-svg");
  const first = (table) => table.tBodies[0].rows[0].cells[0].textContent;
  const all = [...document.querySelectorAll("table[data-name]")];
  const tables = Object.fromEntries(all.map((t) => [t.dataset.name, first(t)]));
  return {
    words, tables, height: document.documentElement.scrollHeight, width: document.documentElement.scrollWidth,
    headline: document.querySelector('[data-testid="headline"]').textContent,
    light: document.querySelector(".bk-light b")?.textContent ?? null,
    pictureTop: picture ? picture.getBoundingClientRect().top : Infinity,
    leader: document.querySelector(".bk-lead .bk-leader")?.firstChild.textContent ?? null,
    hollow: document.querySelectorAll("#answer .bk-dot.bk-hollow").length,
  };
}"""


def binary(k: int, names: list[str] | None = None, n: int = 400) -> Predictions:
    rng = np.random.default_rng(2)
    truth = rng.random(n) < 0.3
    base = rng.normal(0, 1, n) + 1.2 * truth
    scores = {
        names[i] if names else f"model-{i + 1:02d}": 1 / (1 + np.exp(-(base + rng.normal(0, 0.4 + 1.5 * i / k, n) - 1)))
        for i in range(k)
    }
    return Predictions.from_arrays(np.where(truth, "churn", "stay"), y_score=scores, pos_label="churn")


def several_classes() -> Predictions:
    rng = np.random.default_rng(4)
    truth = rng.choice(["ant", "bee", "cat"], 200)
    right = {m: rng.random(200) < p for m, p in (("a", 0.5), ("b", 0.85), ("c", 0.8))}
    guess = {m: np.where(r, truth, rng.choice(["ant", "bee", "cat"], 200)) for m, r in right.items()}
    return Predictions.from_arrays(truth, y_pred=guess)


def regression() -> Predictions:
    rng = np.random.default_rng(5)
    truth = rng.gamma(3, 50, 150)
    return Predictions.from_arrays(
        truth, y_value={m: truth + rng.normal(0, s, 150) for m, s in (("near", 9), ("far", 30))}
    )


def outcomes() -> Predictions:
    rng = np.random.default_rng(6)
    return Predictions.from_outcomes({m: (rng.random(150) < p).astype(int) for m, p in (("x", 0.6), ("y", 0.65))})


def data_sets() -> Scores:
    rng = np.random.default_rng(7)
    values = rng.uniform(0.6, 0.9, (14, 1)) - np.linspace(0, 0.05, 6) + rng.normal(0, 0.02, (14, 6))
    return Scores.from_wide(values, models=[f"learner-{c}" for c in "ABCDEF"])


COSTS = bakeoff.OperatingContext(prevalence=0.1, cost_fp=100, cost_fn=5000)
KINDS: dict[str, Any] = {
    "one model": lambda: (binary(1),),
    "two models": lambda: (binary(2),),
    "two models, costs": lambda: (binary(2), COSTS),
    "twelve models": lambda: (binary(12),),
    "twelve models, costs": lambda: (binary(12), COSTS),
    "several classes": lambda: (several_classes(),),
    "regression": lambda: (regression(),),
    "outcomes": lambda: (outcomes(),),
    "data sets": lambda: (data_sets(),),
}


def opened(watched: Any, made: Any, folder: Path, width: int = 1400, height: int = 900) -> dict[str, Any]:
    watched.page.set_viewport_size({"width": width, "height": height})
    watched.page.goto(made.save(folder / "r.html").as_uri())
    watched.page.wait_for_selector("html[data-ready]")
    return watched.page.evaluate(_SEEN)  # type: ignore[no-any-return]


@pytest.mark.parametrize("kind", KINDS)
def test_headline_picture_light_and_tables_agree(watched: Any, tmp_path: Path, kind: str) -> None:
    given = KINDS[kind]()
    made = bakeoff.report(*given)
    seen, answer = opened(watched, made, tmp_path), made.to_dict()["answer"]
    assert watched.errors == []
    assert seen["words"] <= 120
    assert seen["pictureTop"] < 900
    assert seen["headline"].replace("\u00a0", " ") == answer["headline"].replace("\u00a0", " ")
    trivial = answer["model"].startswith("always ")
    assert trivial or answer["model"] in seen["headline"]
    assert seen["light"] == answer["light"]
    if answer["light"] is None:
        return
    assert trivial or seen["leader"] == answer["model"]
    if answer["light"] == "settled":
        assert seen["hollow"] == 0
    if len(given) == 1:
        assert seen["tables"]["pairs"] == answer["model"]
        assert all(m == answer["model"] for name, m in seen["tables"].items() if name.startswith("measures-"))
    else:
        rules = watched.page.evaluate("() => document.querySelector('.bk-explorer').bkExplorer.rules")
        decision = bakeoff.decide(*given, rng=0)
        best, cost = rules[0], decision.expected_cost
        assert (best["model"], best["cost"], best["low"], best["high"]) == (
            answer["model"], cost.estimate, cost.low, cost.high,
        )  # fmt: skip
        assert rules[1]["model"] == answer["runner_up"]
        total = watched.page.locator('[data-testid="total"]').text_content()
        assert float(re.sub(r"[^0-9.]", "", total)) == pytest.approx(1000 * cost.estimate, rel=0.001)


@pytest.mark.parametrize("kind", ["two models, costs", "data sets"])
def test_a_phone_needs_no_sideways_scrolling(watched: Any, tmp_path: Path, kind: str) -> None:
    seen = opened(watched, bakeoff.report(*KINDS[kind]()), tmp_path, 390, 844)
    assert seen["width"] == 390


_UNFOLD = "() => { for (const fold of document.querySelectorAll('main details')) fold.open = true; }"


@pytest.mark.parametrize("costs", [(), (COSTS,)])
def test_hostile_names_stay_inside_the_page(watched: Any, tmp_path: Path, costs: tuple[Any, ...]) -> None:
    names = ["<script>alert(1)</script>", "x" * 120, "نموذج التنبؤ", "-".join(["hyphenated"] * 14), "a\nb\tc", "🦊 fox"]
    made = bakeoff.report(binary(6, names), *costs)
    for width in (390, 1400):
        seen = opened(watched, made, tmp_path, width)
        assert seen["width"] == width
        watched.page.evaluate(_UNFOLD)
        assert watched.page.evaluate("() => document.documentElement.scrollWidth") == width
    assert watched.errors == []
    assert watched.outside() == []


def test_many_models_are_folded_found_and_small(watched: Any, tmp_path: Path) -> None:
    made = bakeoff.report(binary(50, n=300))
    seen = opened(watched, made, tmp_path)
    assert len(made.html.encode()) <= 1_500_000
    assert seen["height"] <= 12_000
    page = watched.page
    shown = page.locator("#answer .bk-lead .bk-label")
    assert shown.count() == 8
    page.locator("#answer .bk-find").fill("model-4")
    assert shown.count() > 8
    page.locator("#answer .bk-find").fill("")
    page.locator('#answer [data-testid="more"]').click()
    assert shown.count() == 50


def test_folds_open_for_a_link_and_for_paper(watched: Any, tmp_path: Path) -> None:
    opened(watched, bakeoff.report(binary(2), COSTS), tmp_path)
    page = watched.page
    page.get_by_role("link", name="Measures").click()
    page.locator("#measures table").first.wait_for()
    page.evaluate("() => window.dispatchEvent(new Event('beforeprint'))")
    assert page.locator("section > details:not([open])").count() == 0
    page.emulate_media(media="print")
    assert page.locator('[data-testid="headline"]').is_visible()
    assert not page.locator(".bk-context").is_visible()


def test_sections_are_all_in_sight_and_ticks_have_one_number_of_decimals(watched: Any, tmp_path: Path) -> None:
    rng = np.random.default_rng(2)
    truth = rng.random(200) < 0.4
    scores = {m: truth + rng.normal(0, s, 200) for m, s in (("a", 0.5), ("b", 0.6))}
    folds = Predictions.from_arrays(truth, y_score=scores, pos_label=True, fold=np.arange(200) % 5)
    opened(watched, bakeoff.report(folds, COSTS), tmp_path, 1280, 800)
    page = watched.page
    assert page.evaluate(
        "() => { const n = document.querySelector('.bk-links'); return n.scrollWidth <= n.clientWidth; }"
    )
    page.evaluate(_UNFOLD)
    box = page.locator('figure[data-kind="box"] .bk-grid text:not(.bk-axis)').all_text_contents()
    assert len({len(t.partition(".")[2]) for t in box}) == 1
    dots = page.evaluate("""() => {
      const svg = document.querySelector('figure[data-kind="box"] svg'), y = (n, k) => Number(n.getAttribute(k));
      const lines = [...svg.querySelectorAll(".bk-grid line")].map((n) => y(n, "y1"));
      const [top, low] = [Math.min(...lines) - 1, Math.max(...lines) + 1];
      return [...svg.querySelectorAll("circle")].every((n) => y(n, "cy") <= low && y(n, "cy") >= top);
    }""")
    assert dots
