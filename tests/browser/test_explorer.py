"""The explorer in a real browser: its answers are Python's, and every handle moves the same context."""

from __future__ import annotations

import statistics
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

import numpy as np
import pytest

import bakeoff
from bakeoff.decision import RocHull, binary_rows
from bakeoff.evidence import Predictions

pytestmark = pytest.mark.browser

# The handle the page leaves on its host for tests.
_READ = """() => {
  const host = document.querySelector(".bk-explorer"), { state, rules } = host.bkExplorer;
  const at = (name) => host.querySelector(`[data-testid="${name}"]`);
  const found = [...at("matrix").querySelectorAll("[data-cell]")];
  const cells = Object.fromEntries(found.map((c) => [c.dataset.cell, Number(c.dataset.value)]));
  const answer = at("answer");
  return { ...state, winner: answer.dataset.model, cost: Number(answer.dataset.cost), sentence: answer.textContent,
           slope: Number(at("isocost").dataset.slope), pc: Number(at("pc-cursor").dataset.pc), cells,
           fpr: rules[0].fpr, tpr: rules[0].tpr, low: rules[0].low, high: rules[0].high };
}"""
_SET = "(part) => document.querySelector('.bk-explorer').bkExplorer.set(part)"


@pytest.fixture
def explorer(watched: Any, report_file: Path) -> Any:
    return opened(watched, report_file)


def opened(watched: Any, path: Path, fragment: str = "") -> Any:
    watched.page.goto(path.as_uri() + fragment)
    watched.page.wait_for_selector("html[data-ready]")
    return watched


def hull_of(predictions: Predictions) -> RocHull:
    return RocHull.from_rows(binary_rows(predictions.table()))


def settled(page: Any) -> dict[str, Any]:
    """What the page shows after its next frame."""
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    return page.evaluate(_READ)  # type: ignore[no-any-return]


def per_thousand(p: float, fpr: float, tpr: float) -> dict[str, float]:
    return {
        "tp": 1000 * p * tpr,
        "fn": 1000 * p * (1 - tpr),
        "fp": 1000 * (1 - p) * fpr,
        "tn": 1000 * (1 - p) * (1 - fpr),
    }


def test_a_saved_report_is_quiet_and_asks_for_nothing(explorer: Any) -> None:
    assert explorer.errors == []
    assert explorer.outside() == []
    assert explorer.page.locator("figure.bk-fig svg.bk-svg").count() >= 5


def test_two_hundred_contexts_agree_with_python(explorer: Any, two_class: Predictions) -> None:
    hull, rng = hull_of(two_class), np.random.default_rng(200)
    for _ in range(200):
        prevalence = float(1 / (1 + np.exp(-rng.uniform(-6, 6))))
        fp, fn = (float(v) for v in np.exp(rng.uniform(np.log(0.1), np.log(1e4), 2)))
        tp, tn = (float(v) for v in rng.choice([0.0, 0.05]) * np.array([fn, fp]))
        given = {"prevalence": prevalence, "cost_fp": fp, "cost_fn": fn, "cost_tp": tp, "cost_tn": tn}
        context = bakeoff.OperatingContext(**given)
        best = hull.best(context)
        explorer.page.evaluate(_SET, given)
        seen = explorer.page.evaluate(_READ)
        assert seen["cost"] == pytest.approx(best.expected_cost, rel=1e-6)
        assert seen["slope"] == pytest.approx(context.slope, rel=1e-6)
        assert seen["pc"] == pytest.approx(context.pc, rel=1e-6)
        assert seen["winner"] in {best.model, *(m for m, _ in best.tied)}
        if not best.tied:
            assert seen["cells"] == pytest.approx(per_thousand(prevalence, best.fpr, best.tpr), abs=1e-6)
            assert (seen["fpr"], seen["tpr"]) == pytest.approx((best.fpr, best.tpr), abs=1e-6)
        assert seen["low"] <= seen["cost"] <= seen["high"]
        assert seen["winner"] in seen["sentence"]


@pytest.mark.filterwarnings("ignore::bakeoff.BakeoffWarning")
@pytest.mark.xfail(reason="decide pays for the choice on other rows; the page's explorer does not yet (issue 15)")
def test_the_answer_is_that_of_decide(explorer: Any, two_class: Predictions) -> None:
    for given in ({"prevalence": 0.3, "cost_fp": 10, "cost_fn": 40}, {"prevalence": 0.01, "cost_fp": 10, "cost_fn": 9}):
        decision = bakeoff.decide(two_class, bakeoff.OperatingContext(**given), n_resamples=100, rng=0)
        explorer.page.evaluate(_SET, given)
        seen = explorer.page.evaluate(_READ)
        assert seen["winner"] == decision.model
        assert seen["cost"] == pytest.approx(decision.expected_cost.estimate, rel=1e-6)


def test_moving_the_slider_moves_everything(explorer: Any) -> None:
    page = explorer.page
    before = settled(page)
    slider = page.locator('[data-testid="prevalence-slider"]')
    slider.focus()
    for _ in range(60):
        page.keyboard.press("ArrowLeft")
    keyed = settled(page)
    assert keyed["prevalence"] < before["prevalence"]
    slider.evaluate("(s) => { s.value = -4; s.dispatchEvent(new Event('input')); }")
    after = settled(page)
    assert after["prevalence"] == pytest.approx(1 / (1 + np.exp(4)), rel=0.02)  # the slider has steps
    context = bakeoff.OperatingContext(prevalence=after["prevalence"], cost_fp=1, cost_fn=1)
    assert after["slope"] == pytest.approx(context.slope) != before["slope"]
    assert after["pc"] == pytest.approx(context.pc)
    assert sum(after["cells"].values()) == pytest.approx(1000)
    assert after["cells"]["tp"] + after["cells"]["fn"] == pytest.approx(1000 * after["prevalence"])
    assert after["sentence"] != before["sentence"]


def test_typed_numbers_and_as_in_the_data(explorer: Any) -> None:
    page = explorer.page
    page.locator('[data-testid="cost_fn"]').fill("250")
    page.locator('[data-testid="prevalence"]').fill("0.02")
    seen = settled(page)
    assert (seen["cost_fn"], seen["prevalence"]) == (250, 0.02)
    page.locator('[data-testid="as-in-data"]').click()
    assert settled(page)["prevalence"] != 0.02


@pytest.mark.parametrize(
    ("field", "typed"),
    [
        ("prevalence", "0"),
        ("prevalence", "1"),
        ("prevalence", "7"),
        ("prevalence", "-1"),
        ("cost_fn", "0"),
        ("cost_fn", "-3"),
    ],
)
def test_impossible_numbers_are_not_taken(explorer: Any, field: str, typed: str) -> None:
    page = explorer.page
    page.locator(f'[data-testid="{field}"]').fill(typed)
    seen = settled(page)
    assert 0 < seen["prevalence"] < 1
    assert seen["cost_fn"] >= 0
    assert np.isfinite(seen["pc"])
    assert "NaN" not in seen["sentence"]
    assert explorer.errors == []


def drag(page: Any, node: Any, dx: float, dy: float, *, share: tuple[float, float] = (0.5, 0.5)) -> None:
    node.scroll_into_view_if_needed()
    box = node.bounding_box()
    x, y = box["x"] + share[0] * box["width"], box["y"] + share[1] * box["height"]
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + dx / 2, y + dy / 2)
    page.mouse.move(x + dx, y + dy)
    page.mouse.up()


# Near the upper end of the line, well away from the point it turns about.
_LINE_END = """() => {
  const line = document.querySelector('[data-testid="isocost-grip"]'), at = (k) => Number(line.getAttribute(k));
  const along = (a, b) => at(a) + 0.95 * (at(b) - at(a));
  const p = new DOMPoint(along("x1", "x2"), along("y1", "y2")).matrixTransform(line.getScreenCTM());
  return [p.x, p.y];
}"""


def test_dragging_the_isocost_line_changes_the_cost_of_a_miss(explorer: Any) -> None:
    page = explorer.page
    before = settled(page)
    page.locator('[data-testid="isocost-grip"]').scroll_into_view_if_needed()
    x, y = page.evaluate(_LINE_END)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x, y - 20)
    page.mouse.move(x, y - 40)
    page.mouse.up()
    after = settled(page)
    assert after["cost_fn"] != before["cost_fn"]
    assert after["slope"] == pytest.approx(
        bakeoff.OperatingContext(prevalence=after["prevalence"], cost_fp=1, cost_fn=after["cost_fn"]).slope, rel=1e-6
    )


def test_dragging_the_cursor_changes_the_context(explorer: Any) -> None:
    page = explorer.page
    before = settled(page)
    drag(page, page.locator('[data-testid="pc-cursor"]'), 60, 0)
    after = settled(page)
    assert after["pc"] > before["pc"] + 0.05
    assert after["cost_fn"] > before["cost_fn"]


def test_dragging_the_point_fixes_the_threshold(explorer: Any) -> None:
    page = explorer.page
    page.evaluate(_SET, {"prevalence": 0.3, "cost_fp": 10, "cost_fn": 20})
    before = settled(page)
    drag(page, page.locator('[data-testid="spot"]'), 50, -30)
    after = settled(page)
    assert after["policy"]["kind"] == "fixed"
    assert after["policy"]["model"] == before["winner"]
    fixed = page.evaluate(
        """() => {
          const e = document.querySelector('.bk-explorer').bkExplorer;
          return e.rules.find((r) => r.model === e.state.policy.model);
        }"""
    )
    assert fixed["fpr"] > before["fpr"]
    page.locator('[data-testid="policy"]').select_option("cheapest")
    assert settled(page)["cost"] == pytest.approx(before["cost"])


def test_handles_work_from_the_keyboard(explorer: Any) -> None:
    page = explorer.page
    for name, key in (("pc-cursor", "ArrowRight"), ("isocost-grip", "ArrowDown"), ("spot", "ArrowRight")):
        before = settled(page)
        page.locator(f'[data-testid="{name}"]').focus()
        page.keyboard.press(key)
        after = settled(page)
        assert (after["cost_fn"], after["policy"]) != (before["cost_fn"], before["policy"]), name
    assert explorer.errors == []


def test_the_address_keeps_the_state(explorer: Any, watched: Any, report_file: Path, two_class: Predictions) -> None:
    page = explorer.page
    page.evaluate(_SET, {"prevalence": 0.05, "cost_fp": 3, "cost_fn": 70, "off": ["bayes"]})
    before = settled(page)
    fragment = page.evaluate("() => window.location.hash")
    assert parse_qs(fragment[1:]) == {"prevalence": ["0.05"], "cost_fp": ["3"], "cost_fn": ["70"], "off": ["bayes"]}
    page.goto("about:blank")
    again = settled(opened(watched, report_file, fragment).page)
    for name in ("prevalence", "cost_fp", "cost_fn", "off", "winner", "cost", "pc"):
        assert again[name] == before[name], name


def test_a_nonsense_address_is_harmless(watched: Any, report_file: Path) -> None:
    nonsense = "#prevalence=9&cost_fp=-5&cost_fn=abc&off=nobody&model=<img src=x onerror=alert(1)>&point=99999"
    seen = settled(opened(watched, report_file, nonsense).page)
    assert 0 < seen["prevalence"] < 1
    assert seen["cost_fp"] >= 0
    assert seen["policy"] == {"kind": "cheapest"}
    assert watched.errors == []


@pytest.mark.filterwarnings("ignore::bakeoff.BakeoffWarning")
@pytest.mark.xfail(reason="decide pays for the choice on other rows; the page's explorer does not yet (issue 15)")
def test_copied_code_gives_the_same_answer(explorer: Any, two_class: Predictions) -> None:
    page = explorer.page
    page.evaluate(_SET, {"prevalence": 0.2, "cost_fp": 5, "cost_fn": 60})
    seen = settled(page)
    for name in ("Copy as Python", "Copy as command", "Copy link"):
        page.get_by_role("button", name=name).click()
    copied = [
        page.get_by_role("button", name=n).get_attribute("data-copied") for n in ("Copy as Python", "Copy as command")
    ]
    names = {"bakeoff": bakeoff, "predictions": two_class}
    decision = eval(
        copied[0]
        .replace("decide(", "decide(rng=0, n_resamples=100, predictions=", 1)
        .replace("predictions, bakeoff", "predictions, context=bakeoff", 1),
        names,
    )
    assert decision.model == seen["winner"]
    assert decision.expected_cost.estimate == pytest.approx(seen["cost"], rel=1e-6)
    assert copied[1].startswith("bakeoff decide ")
    assert "--prevalence 0.2 --cost-fp 5 --cost-fn 60" in copied[1]


def test_the_legend_takes_models_out(explorer: Any) -> None:
    page = explorer.page
    page.evaluate(_SET, {"prevalence": 0.3, "cost_fp": 10, "cost_fn": 20})
    winner = settled(page)["winner"]
    key = page.locator(".bk-explorer .bk-key", has_text=winner)
    key.click()
    without = settled(page)
    assert without["winner"] != winner
    assert key.get_attribute("aria-pressed") == "false"
    key.click()
    assert settled(page)["winner"] == winner


def test_brushing_the_strip_shows_regret(explorer: Any) -> None:
    page = explorer.page
    drag(page, page.locator('[data-testid="strip"]'), 120, 0, share=(0.2, 0.5))
    low, high = settled(page)["range"]
    assert 0 <= low < high <= 1
    assert "PC(+)" in page.locator(".bk-regret").text_content()


def test_a_frame_with_twenty_models_is_quick(watched: Any, tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    truth = rng.random(10_000) < 0.2
    models = {f"m{i:02d}": (0.4 + 0.05 * i) * truth + rng.normal(0, 0.5, truth.size) for i in range(20)}
    predictions = Predictions.from_arrays(truth.astype(int), y_score=models, pos_label=1)
    page = opened(watched, explorer_page(predictions, tmp_path)).page
    times = page.evaluate(
        """async () => {
          const host = document.querySelector(".bk-explorer");
          const slider = host.querySelector('[data-testid="prevalence-slider"]');
          const times = [];
          for (let i = 0; i < 60; i++) {
            slider.value = -4 + i / 10;
            slider.dispatchEvent(new Event("input"));
            const from = performance.now();
            await new Promise((done) => requestAnimationFrame(() => { void document.body.offsetHeight; done(); }));
            times.push(performance.now() - from);
          }
          const work = [];
          for (let i = 0; i < 60; i++) {
            const from = performance.now();
            host.bkExplorer.render();
            void document.body.offsetHeight;
            work.push(performance.now() - from);
          }
          return { times, work };
        }"""
    )
    frame, work = statistics.median(times["times"]), statistics.median(times["work"])
    print(f"\nexplorer, 20 models x 10,000 rows: median frame {frame:.1f} ms, of which work {work:.1f} ms")
    assert work < 200  # a sanity bound, not a timing test
    assert watched.errors == []


def explorer_page(predictions: Predictions, folder: Path) -> Path:
    """A page with the explorer alone."""
    from bakeoff.figures import explorer_data
    from bakeoff.report._blocks import Figure, Section
    from bakeoff.report._html import page

    path = folder / "explorer.html"
    section = Section("explorer", "Explorer", (Figure(explorer_data(predictions), wide=True),))
    path.write_text(page("explorer", [section]), encoding="utf-8")
    return path
