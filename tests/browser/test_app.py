"""The application in a real browser: good files, bad files, the guide and the planner."""

from __future__ import annotations

import io
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import polars as pl
import pytest
from tests.browser.conftest import Served, serving

pytestmark = pytest.mark.browser


@contextmanager
def two_servers() -> Iterator[tuple[Served, Served]]:
    with serving("first-token") as one, serving("second-token") as two:
        yield one, two


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


def outcomes_table() -> pl.DataFrame:
    rng = np.random.default_rng(4)
    right = {m: (rng.random(150) < p).astype(int) for m, p in (("weak", 0.3), ("strong", 0.8))}
    return pl.DataFrame({"question": [f"q{i}" for i in range(150)], **right})


def chances_table() -> pl.DataFrame:
    rng = np.random.default_rng(5)
    names = ["blue", "green", "red"]
    truth = rng.choice(names, 150)
    columns = {}
    for model, strength in (("dim", 0.2), ("bright", 3.0)):
        chances = rng.dirichlet([1, 1, 1], 150) + strength * (truth[:, None] == np.array(names))
        chances = (chances / chances.sum(axis=1, keepdims=True)).round(6)
        columns |= {f"{model}_{c}": chances[:, k] for k, c in enumerate(names)}
    return pl.DataFrame({"colour": truth, **columns})


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
        ("outcomes.csv", csv_of(outcomes_table()), "strong"),
        ("chances.csv", csv_of(chances_table()), "bright"),
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


def test_a_result_outlives_refresh_and_back_and_can_be_kept(app: Any, tmp_path: Any) -> None:
    page = app.page
    upload(page, "first.csv", csv_of(predictions_table()))
    first = verdict_of(page)
    page.wait_for_url("**/#result=*")
    box = page.locator('[data-testid="result"] .bk-headline').bounding_box()
    assert 0 <= box["y"] < page.viewport_size["height"] - box["height"]  # the answer is in view
    upload(page, "second.csv", csv_of(scores_table()))
    second = verdict_of(page)
    headline = page.locator('[data-testid="result"] .bk-headline')
    page.wait_for_function("(old) => location.hash !== old", arg="")
    assert second != first
    page.go_back()
    page.wait_for_function(
        "(t) => document.querySelector('[data-testid=result] .bk-headline')?.textContent === t", arg=first
    )
    page.go_forward()
    page.wait_for_function(
        "(t) => document.querySelector('[data-testid=result] .bk-headline')?.textContent === t", arg=second
    )
    page.reload()
    headline.wait_for()
    assert headline.text_content() == second
    page.locator('[data-testid="earlier"] summary').click()
    assert page.locator('[data-testid="earlier"] li').count() >= 2
    with page.expect_download() as download:
        page.locator('[data-testid="save"]').click()
    assert download.value.suggested_filename == "second.html"
    download.value.save_as(tmp_path / "kept.html")
    page.goto((tmp_path / "kept.html").as_uri())
    page.wait_for_selector("html[data-ready]")
    assert page.locator('[data-testid="headline"]').text_content() == second


def test_work_can_be_called_off(app: Any, monkeypatch: Any) -> None:
    import bakeoff.comparison

    page, begun, wait = app.page, threading.Event(), threading.Event()
    real = bakeoff.comparison.compare

    def slow(*arguments: Any, **options: Any) -> Any:
        begun.set()
        wait.wait(20)
        return real(*arguments, **options)

    monkeypatch.setattr(bakeoff.comparison, "compare", slow)
    upload(page, "preds.csv", csv_of(predictions_table()))
    page.locator('[data-testid="analyse"]').click()
    assert begun.wait(20)
    page.get_by_text("Comparing").wait_for()  # what is under way, and for how long
    page.locator('[data-testid="cancel"]').click()
    wait.set()
    page.locator('[data-testid="cancel"]').wait_for(state="detached")
    assert page.locator('[data-testid="result"] .bk-headline').count() == 0
    monkeypatch.undo()
    assert "m2" in verdict_of(page)


def test_another_truth_offers_its_own_classes(app: Any) -> None:
    page = app.page
    table = predictions_table().with_columns(other=pl.Series(["cat", "dog"] * 100))
    upload(page, "preds.csv", csv_of(table))
    page.get_by_label("role of other").select_option("truth")
    options = page.get_by_label("positive class").locator("option").all_text_contents()
    assert options[1:] == ["cat", "dog"]


def test_the_page_speaks_the_language_chosen(app: Any) -> None:
    page = app.page
    page.locator("[data-language]").select_option("es")
    page.get_by_role("heading", name="¿Qué modelo").wait_for()
    upload(page, "preds.csv", csv_of(predictions_table()))
    assert "m2" in verdict_of(page)
    assert page.evaluate("() => document.documentElement.lang") == "es"
    assert verdict_of(page).startswith("Usar m2")
    assert page.locator('[data-testid="save"]').text_content() == "Guardar el informe"
    page.locator("[data-language]").select_option("en")
    page.get_by_role("heading", name="Which model").wait_for()


def test_two_servers_live_side_by_side(browser: Any) -> None:
    with two_servers() as (one, two):
        context = browser.new_context()
        page = context.new_page()
        for server in (one, two):
            page.goto(server.address)
            page.wait_for_selector("html[data-ready]")
        page.goto(f"http://{one.host}/")  # its cookie is still its own
        page.wait_for_selector("html[data-ready]")
        context.close()


def test_on_a_phone_nothing_scrolls_sideways(app: Any) -> None:
    page = app.page
    page.set_viewport_size({"width": 390, "height": 844})
    upload(page, "preds.csv", csv_of(predictions_table()))
    verdict_of(page)
    assert page.evaluate("() => document.documentElement.scrollWidth") <= 390


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


def test_the_course_works_a_typed_table_out(app: Any) -> None:
    page = app.page
    page.locator("#tab-course").click()
    steps = page.locator('[data-testid="course-steps"]')
    steps.get_by_text("Rank sums").wait_for()
    assert page.locator('[data-testid="course-figure"] svg.bk-svg').count() == 1
    page.locator('[data-testid="course-lesson"]').select_option("counts")
    steps.locator("math").first.wait_for()
    steps.get_by_text("5.600").first.wait_for()
    page.locator('[data-testid="course-table"]').fill("145 10\n40 20")
    steps.get_by_text("5.600").first.wait_for(state="detached")
    page.locator('[data-testid="course-table"]').fill("145 ten\n40 20")
    steps.get_by_role("alert").wait_for()
