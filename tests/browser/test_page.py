"""Every kind of report read as a person would: one answer, the same everywhere, on a first screen that is short."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from benchmarks.pictures import COSTS, HOSTILE, KINDS, SPOKEN, UNFOLD, binary

import bakeoff
from bakeoff.evidence import Predictions

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


def opened(watched: Any, made: Any, folder: Path, width: int = 1400, height: int = 900) -> dict[str, Any]:
    watched.page.set_viewport_size({"width": width, "height": height})
    watched.page.goto(made.save(folder / "r.html").as_uri())
    watched.page.wait_for_selector("html[data-ready]")
    return watched.page.evaluate(_SEEN)  # type: ignore[no-any-return]


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "hostile names"])
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


@pytest.mark.parametrize("name", SPOKEN)
def test_other_languages_are_as_short(watched: Any, tmp_path: Path, name: str) -> None:
    lang, kind = SPOKEN[name]
    made = bakeoff.report(*KINDS[kind](), lang=lang)
    seen, answer = opened(watched, made, tmp_path), made.to_dict()["answer"]
    assert watched.errors == []
    assert seen["words"] <= 120
    assert seen["headline"].replace("\u00a0", " ") == answer["headline"].replace("\u00a0", " ")
    assert seen["leader"] == answer["model"]


@pytest.mark.parametrize("kind", ["two models, costs", "data sets"])
def test_a_phone_needs_no_sideways_scrolling(watched: Any, tmp_path: Path, kind: str) -> None:
    seen = opened(watched, bakeoff.report(*KINDS[kind]()), tmp_path, 390, 844)
    assert seen["width"] == 390


@pytest.mark.parametrize("costs", [(), (COSTS,)])
def test_hostile_names_stay_inside_the_page(watched: Any, tmp_path: Path, costs: tuple[Any, ...]) -> None:
    made = bakeoff.report(binary(6, names=HOSTILE), *costs)
    for width in (390, 1400):
        seen = opened(watched, made, tmp_path, width)
        assert seen["width"] == width
        watched.page.evaluate(UNFOLD)
        assert watched.page.evaluate("() => document.documentElement.scrollWidth") == width
    assert watched.errors == []
    assert watched.outside() == []


def test_many_models_are_folded_found_and_small(watched: Any, tmp_path: Path) -> None:
    made = bakeoff.report(*KINDS["fifty models"]())
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


def test_print_is_short_and_its_letters_can_be_read(watched: Any, tmp_path: Path) -> None:
    opened(watched, bakeoff.report(*KINDS["twelve models"]()), tmp_path)
    page = watched.page
    assert len(re.findall(rb"/Type\s*/Page\b", page.pdf(prefer_css_page_size=True))) <= 5
    page.set_viewport_size({"width": 688, "height": 1000})  # what A4 leaves between its margins
    page.emulate_media(media="print")
    page.evaluate("() => window.dispatchEvent(new Event('beforeprint'))")
    scales = page.evaluate("""() => [...document.querySelectorAll("main details svg.bk-svg")]
      .filter((n) => n.checkVisibility()).map((n) => n.getBoundingClientRect().width / n.viewBox.baseVal.width)""")
    assert scales
    assert min(scales) * 12 * 0.75 >= 6  # points


def test_wide_tables_on_a_phone_keep_their_captions_in_sight(watched: Any, tmp_path: Path) -> None:
    opened(watched, bakeoff.report(*KINDS["folds, costs"]()), tmp_path, 390, 844)
    watched.page.evaluate(UNFOLD)
    texts = 'main caption, table[data-name="choice"] .bk-wrap, table[data-name="versions"] td'
    ends = watched.page.evaluate(
        """(texts) => [...document.querySelectorAll(texts)].map((n) => {
      const range = document.createRange();
      range.selectNodeContents(n);
      return Math.max(0, ...[...range.getClientRects()].map((box) => box.right));
    })""",
        texts,
    )
    assert max(ends) <= 390


def test_one_difference_is_written_the_same_everywhere(watched: Any, tmp_path: Path) -> None:
    opened(watched, bakeoff.report(*KINDS["several classes"]()), tmp_path)
    page = watched.page
    page.evaluate(UNFOLD)
    forest = page.locator('figure[data-kind="difference-forest"] svg > text:not(.bk-label)').all_text_contents()
    grid = set(page.locator('figure[data-kind="pair-heatmap"] td b').all_text_contents())
    assert {text.split(",")[0] for text in forest} <= grid
    card = page.locator("#answer .bk-lead .bk-value tspan:first-child").all_text_contents()
    assert {text.removeprefix("+") for text in card[1:]} <= grid


def test_titles_of_axes_do_not_cover_their_numbers(watched: Any, tmp_path: Path) -> None:
    opened(watched, bakeoff.report(*KINDS["folds, costs"]()), tmp_path)
    watched.page.evaluate(UNFOLD)
    covered = watched.page.evaluate("""() => [...document.querySelectorAll("svg .bk-grid")].flatMap((grid) => {
      const boxes = [...grid.querySelectorAll("text")].map((n) => [n, n.getBoundingClientRect()]);
      const titles = boxes.filter(([n, b]) => n.classList.contains("bk-axis") && b.width);
      const meet = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
      const near = (title, a) => boxes.filter(([n, b]) => n !== title && b.width && meet(a, b));
      return titles.flatMap(([title, a]) => near(title, a).map(([n]) => n.textContent));
    })""")
    assert covered == []


def test_labels_on_a_phone_are_not_crossed_by_lines(watched: Any, tmp_path: Path) -> None:
    opened(watched, bakeoff.report(*KINDS["folds, costs"]()), tmp_path, 390, 844)
    page = watched.page
    page.evaluate(UNFOLD)
    for name in (".bk-lead", 'figure[data-kind="difference-forest"]'):
        crossed = page.evaluate(
            """(name) => [...document.querySelectorAll(`${name} svg .bk-label`)].filter((label) => {
          const own = label.getBoundingClientRect();
          const behind = [...label.parentNode.querySelectorAll(".bk-behind")].map((n) => n.getBoundingClientRect());
          return !behind.some((box) => box.top <= own.top + 3 && box.bottom >= own.bottom - 5);
        }).map((n) => n.textContent)""",
            name,
        )
        assert crossed == []


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
    page.evaluate(UNFOLD)
    box = page.locator('figure[data-kind="box"] .bk-grid text:not(.bk-axis)').all_text_contents()
    assert len({len(t.partition(".")[2]) for t in box}) == 1
    dots = page.evaluate("""() => {
      const svg = document.querySelector('figure[data-kind="box"] svg'), y = (n, k) => Number(n.getAttribute(k));
      const lines = [...svg.querySelectorAll(".bk-grid line")].map((n) => y(n, "y1"));
      const [top, low] = [Math.min(...lines) - 1, Math.max(...lines) + 1];
      return [...svg.querySelectorAll("circle")].every((n) => y(n, "cy") <= low && y(n, "cy") >= top);
    }""")
    assert dots
