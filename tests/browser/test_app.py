"""The application in a real browser: good files, bad files, the guide and the planner."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import Any

import numpy as np
import polars as pl
import pytest

pytestmark = pytest.mark.browser


@pytest.fixture
def app(watched: Any, served: Any) -> Iterator[Any]:
    watched.page.goto(served.address)
    watched.page.wait_for_selector("html[data-ready]")
    yield watched
    refused = (
        "Failed to load resource: the server responded with a status of 400"  # the browser's own word on a refusal
    )
    assert [e for e in watched.errors if not e.startswith(refused)] == []
    assert watched.outside(served.host) == []


def upload(page: Any, name: str, content: bytes) -> None:
    page.locator('[data-testid="file"]').set_input_files(
        {"name": name, "mimeType": "application/octet-stream", "buffer": content}
    )


def predictions_table(rows: int = 200) -> pl.DataFrame:
    rng = np.random.default_rng(1)
    truth = rng.random(rows) < 0.4
    scores = {f"m{i}": np.round((0.4 * i * truth + rng.random(rows)) / 2, 4) for i in (1, 2)}
    return pl.DataFrame({"truth": np.where(truth, "yes", "no"), **scores})


def csv_of(table: pl.DataFrame) -> bytes:
    return table.write_csv().encode()


def parquet_of(table: pl.DataFrame) -> bytes:
    out = io.BytesIO()
    table.write_parquet(out)
    return out.getvalue()


def scores_table() -> pl.DataFrame:
    rng = np.random.default_rng(2)
    base = rng.uniform(0.6, 0.9, 14)
    return pl.DataFrame(
        {"dataset": [f"d{i}" for i in range(14)], "old": base, "new": base + rng.uniform(0.01, 0.05, 14)}
    )


def regression_table() -> pl.DataFrame:
    rng = np.random.default_rng(3)
    truth = rng.normal(10, 3, 120)
    return pl.DataFrame({"y": truth, "near": truth + rng.normal(0, 1, 120), "far": truth + rng.normal(0, 2, 120)})


def verdict_of(page: Any) -> str:
    page.locator('[data-testid="analyse"]').click()
    shown = page.locator('[data-testid="result"] .bk-headline').first
    shown.wait_for(timeout=60_000)
    return str(shown.text_content())


@pytest.mark.parametrize(
    ("name", "content", "winner"),
    [
        ("preds.csv", csv_of(predictions_table()), "m2"),
        ("preds.parquet", parquet_of(predictions_table()), "m2"),
        ("scores.csv", csv_of(scores_table()), "new"),
        ("values.csv", csv_of(regression_table()), "near"),
    ],
)
def test_a_good_file_gives_a_verdict(app: Any, name: str, content: bytes, winner: str) -> None:
    page = app.page
    upload(page, name, content)
    page.locator('[data-testid="analyse"]').wait_for()
    assert winner in verdict_of(page)
    assert page.locator('[data-testid="result"] svg.bk-svg').count() >= 1
    assert app.errors == []


def test_the_answer_follows_the_settings(app: Any) -> None:
    page = app.page
    upload(page, "preds.csv", csv_of(predictions_table()))
    verdict_of(page)
    result = page.locator('[data-testid="result"]')
    result.get_by_label("measure", exact=True).select_option("accuracy")
    result.get_by_text("Differences in accuracy").wait_for(state="attached", timeout=60_000)
    level = page.locator('[data-testid="level"]')
    level.fill("0.8")
    level.dispatch_event("change")
    result.get_by_text("80 % interval").first.wait_for(state="attached", timeout=60_000)
    assert page.locator(".bk-explorer [data-testid=answer]").count() == 1
    assert app.errors == []


def _bad_files() -> dict[str, tuple[str, bytes]]:
    good = predictions_table()
    junk = bytes(np.random.default_rng(0).integers(0, 256, 4000, dtype=np.uint8))
    return {
        "empty": ("empty.csv", b""),
        "header only": ("header.csv", b"truth,m1,m2\n"),
        "picture": ("picture.png", b"\x89PNG\r\n\x1a\n" + junk),
        "picture named csv": ("picture.csv", b"\x89PNG\r\n\x1a\n" + junk),
        "pickle": ("model.pkl", b"\x80\x04\x95\x00."),
        "junk named csv": ("junk.csv", junk),
        "junk named parquet": ("junk.parquet", junk),
        "cut parquet": ("cut.parquet", parquet_of(good)[:-40]),
        "missing scores": ("nan.csv", csv_of(good.with_columns(m1=pl.lit(float("nan"))))),
        "blank scores": ("blank.csv", b"truth,m1,m2\nyes,,0.1\nno,0.2,0.3\nyes,0.4,\n"),
        "one class": ("one.csv", csv_of(good.with_columns(truth=pl.lit("yes")))),
        "huge cell": ("huge.csv", b"truth,m1\n" + b"x" * 2_000_000 + b",0.1\nno,0.2\n"),
        "wrong columns": ("wrong.csv", b"colour,shape\nred,round\nblue,square\n"),
        "duplicate columns": ("twice.csv", b"truth,m1,m1\n1,0.9,0.8\n0,0.1,0.2\n1,0.7,0.3\n"),
        "ragged": ("ragged.csv", b"truth,m1\n1,0.9\n0,0.1,0.7,0.8\n1\n"),
        "no suffix": ("README", b"hello"),
        "UTF-16": ("utf16.csv", "truth,m1\n1,0.9\n0,0.1\n".encode("utf-16")),
        "one row": ("row.csv", b"truth,m1,m2\nyes,0.9,0.8\n"),
    }


@pytest.mark.parametrize("kind", list(_bad_files()))
def test_a_bad_file_gives_a_sentence_and_the_page_lives_on(app: Any, kind: str) -> None:
    page = app.page
    upload(page, *_bad_files()[kind])
    problem = page.locator('[data-testid="status"] .bk-problem')
    analyse = page.locator('[data-testid="analyse"]')
    problem.or_(analyse).first.wait_for()
    if analyse.count():  # it could be read: then the analysis must answer, by a verdict or a sentence
        analyse.click()
        answered = page.locator('[data-testid="result"] .bk-headline')
        problem.or_(answered).first.wait_for(timeout=60_000)
    said = str(page.locator("#panel-drop").text_content())
    assert "Traceback" not in said
    assert "went wrong" not in said
    assert "/tmp/" not in said
    if problem.count():
        assert len(str(problem.text_content()).split()) >= 4
    upload(page, "values.csv", csv_of(regression_table()))
    page.locator('[data-testid="analyse"]').wait_for()
    assert page.locator(".bk-problem").count() == 0


def test_the_interview_ends_in_advice(app: Any) -> None:
    page = app.page
    page.locator("#tab-advise").click()
    for _ in range(12):
        page.locator('#panel-advise .bk-choice, [data-testid="advice"]').first.wait_for()
        if page.locator('[data-testid="advice"]').count():
            break
        before = page.locator("#panel-advise legend").text_content()
        page.locator("#panel-advise .bk-choice").first.click()
        page.wait_for_function(
            "(was) => document.querySelector('#panel-advise legend')?.textContent !== was", arg=before
        )
    assert len(str(page.locator('[data-testid="advice"]').text_content())) > 20
    page.get_by_role("button", name="start again").click()
    page.locator("#panel-advise .bk-choice").first.wait_for()
    assert app.errors == []


def test_the_planner_answers_its_sliders(app: Any) -> None:
    page = app.page
    page.locator("#tab-plan").click()
    answer = page.locator('[data-testid="plan"]')
    answer.locator("p").first.wait_for()
    before = answer.text_content()
    slider = page.locator('[data-testid="plan-difference"]')
    slider.focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_function(
        """(was) => document.querySelector('[data-testid=plan]').textContent !== was
          && document.querySelector('#panel-plan svg')""",
        arg=before,
    )
    assert app.errors == []


def test_tabs_work_from_the_keyboard(app: Any) -> None:
    page = app.page
    page.locator("#tab-drop").press("ArrowRight")  # focuses first, however busy the machine is
    page.locator("#panel-advise").wait_for(state="visible")
    page.locator("#panel-drop").wait_for(state="hidden")
    assert page.evaluate("() => document.activeElement.id") == "tab-advise"
