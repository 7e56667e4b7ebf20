"""Pictures of every kind of page, to be looked at: every report, its print, and the application.

    python -m benchmarks.pictures OUT_DIR                 all of them
    python -m benchmarks.pictures OUT_DIR demo outcomes   some; "app" is the application

For each page: as it opens and unfolded (in pieces a screen can show), at 1400, 1280 and 390 px, light and dark, and as
it prints (PDF, and PNG where poppler's `pdftoppm` is). `KINDS` are the reports that the browser tests read, too.
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

import bakeoff
from bakeoff.evidence import Predictions, Scores

WINDOWS = ((1400, 900), (1280, 800), (390, 844))
SCHEMES = ("light", "dark")
PIECE = 1700  # px of an unfolded page on one picture
UNFOLD = "() => { for (const fold of document.querySelectorAll('main details')) fold.open = true; }"
COSTS = bakeoff.OperatingContext(prevalence=0.1, cost_fp=100, cost_fn=5000)


def binary(k: int, n: int = 400, names: list[str] | None = None, spread: float = 1.5) -> Predictions:
    """Models whose noise grows from the first to the last, on one test set."""
    rng = np.random.default_rng(2)
    truth = rng.random(n) < 0.3
    base = rng.normal(0, 1, n) + 1.2 * truth
    scores = {
        names[i] if names else f"model-{i + 1:02d}": 1
        / (1 + np.exp(-(base + rng.normal(0, 0.4 + spread * i / k, n) - 1)))
        for i in range(k)
    }
    return Predictions.from_arrays(np.where(truth, "churn", "stay"), y_score=scores, pos_label="churn")


def several_classes() -> Predictions:
    """Three models with probabilities of five classes."""
    rng = np.random.default_rng(7)
    classes = np.array(["ant", "bee", "cat", "dog", "eel"])
    truth = rng.choice(5, 400, p=(0.35, 0.25, 0.2, 0.15, 0.05))
    answers = {}
    for i, model in enumerate(("forest", "boosting", "linear")):
        logits = rng.normal(0, 1, (400, 5)) + (1.9 - 0.4 * i) * (truth[:, None] == np.arange(5))
        answers[model] = np.exp(logits) / np.exp(logits).sum(axis=1, keepdims=True)
    return Predictions.from_arrays(classes[truth], y_score=answers, classes=list(classes))


def regression() -> Predictions:
    rng = np.random.default_rng(5)
    truth = rng.gamma(3, 50, 300)
    noise = {"near": 20, "middle": 24, "far": 40}
    return Predictions.from_arrays(truth, y_value={m: truth + rng.normal(0, s, 300) for m, s in noise.items()})


def outcomes() -> Predictions:
    rng = np.random.default_rng(9)
    hard = rng.normal(0, 1.2, 300)
    right = {f"llm-{c}": rng.random(300) < 1 / (1 + np.exp(hard - 0.8 + 0.25 * i)) for i, c in enumerate("abcd")}
    return Predictions.from_outcomes({m: r.astype(int) for m, r in right.items()})


def groups() -> Predictions:
    """Thirty patients with twenty rows each."""
    rng = np.random.default_rng(10)
    patient = np.repeat(np.arange(30), 20)
    truth = rng.random(600) < 0.3
    base = rng.normal(0, 0.8, 600) + rng.normal(0, 0.6, 30)[patient] + 1.3 * truth
    scores = {m: 1 / (1 + np.exp(1 - base - rng.normal(0, s, 600))) for m, s in (("a", 0.4), ("b", 0.7), ("c", 1.2))}
    labels = np.where(truth, "ill", "well")
    return Predictions.from_arrays(labels, y_score=scores, pos_label="ill", groups=patient, dataset="ward")


def study() -> Scores:
    """Thirteen learners on twenty-six data sets."""
    rng = np.random.default_rng(6)
    level = rng.uniform(0.6, 0.95, (26, 1))
    values = np.clip(level - np.linspace(0, 0.06, 13) + rng.normal(0, 0.02, (26, 13)), 0.3, 0.999).round(4)
    return Scores.from_wide(values, models=[f"learner-{chr(65 + j)}" for j in range(13)])


def folds() -> Predictions:
    rng = np.random.default_rng(2)
    truth = rng.random(400) < 0.4
    scores = {
        m: 1 / (1 + np.exp(-2 * (truth + rng.normal(-0.5, s, 400)))) for m, s in (("a", 0.5), ("b", 0.6), ("c", 1))
    }
    return Predictions.from_arrays(truth, y_score=scores, pos_label=True, fold=np.arange(400) % 10)


def counted() -> Any:
    """What is left of a large table when only its counts are sent."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "two.counts"
        binary(2, 3000).counts(measures=["auc", "accuracy", "brier"]).save(path)
        return bakeoff.Counts.load(path)


HOSTILE = ["<script>alert(1)</script>", "x" * 120, "نموذج التنبؤ", "-".join(["hyphenated"] * 14), "a\nb\tc", "🦊 fox"]
KINDS: dict[str, Callable[[], tuple[Any, ...]]] = {
    "one model": lambda: (binary(1),),
    "two models": lambda: (binary(2),),
    "two models, costs": lambda: (binary(2), COSTS),
    "twelve models": lambda: (binary(12),),
    "twelve models, costs": lambda: (binary(12), COSTS),
    "fifty models": lambda: (binary(50),),
    "no conclusion": lambda: (binary(3, 120, spread=0.1),),
    "several classes": lambda: (several_classes(),),
    "regression": lambda: (regression(),),
    "outcomes": lambda: (outcomes(),),
    "groups": lambda: (groups(),),
    "groups, costs": lambda: (groups(), COSTS),
    "data sets": lambda: (study(),),
    "folds": lambda: (folds(),),
    "folds, costs": lambda: (folds(), COSTS),
    "counts": lambda: (counted(),),
    "hostile names": lambda: (binary(6, names=HOSTILE), COSTS),
}
SPOKEN = {"spanish, costs": ("es", "folds, costs"), "spanish, data sets": ("es", "data sets"),
          "portuguese": ("pt", "several classes")}  # fmt: skip


def pages(folder: Path, wanted: list[str]) -> Iterator[tuple[str, Path]]:
    """Make the reports, one file each."""
    folder.mkdir(parents=True, exist_ok=True)
    spoken = {name: (None, name) for name in KINDS} | SPOKEN
    for name in ("demo", *spoken):
        if wanted and name not in wanted:
            continue
        path = folder / f"{name.replace(', ', '-').replace(' ', '-')}.html"
        if name == "demo":
            command = [sys.executable, "-m", "bakeoff", "demo", "--folder", str(folder / "demo")]
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
            shutil.copy(folder / "demo" / "report.html", path)
        else:
            lang, kind = spoken[name]
            bakeoff.report(*KINDS[kind](), lang=lang, title=name.capitalize()).save(path)
        yield name, path


@contextmanager
def chromium() -> Iterator[Any]:
    from playwright.sync_api import sync_playwright

    program = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))))
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox", "--disable-gpu"])
        yield browser
        browser.close()


def photographed(browser: Any, address: str, folder: Path) -> None:
    """Every window and scheme, as it opens and unfolded; then the print."""
    folder.mkdir(parents=True, exist_ok=True)
    for width, height in WINDOWS:
        for scheme in SCHEMES:
            page = browser.new_page(viewport={"width": width, "height": height}, color_scheme=scheme)
            page.goto(address)
            page.wait_for_selector("html[data-ready]")
            page.screenshot(path=folder / f"{width}-{scheme}.png")
            page.evaluate(UNFOLD)
            in_pieces(page, folder / f"{width}-{scheme}-open")
            page.close()
    page = browser.new_page()
    page.goto(address)
    page.wait_for_selector("html[data-ready]")
    page.pdf(path=folder / "print.pdf", prefer_css_page_size=True, print_background=True)
    page.close()
    if shutil.which("pdftoppm"):
        subprocess.run(["pdftoppm", "-png", "-r", "80", folder / "print.pdf", folder / "print"], check=True)


def in_pieces(page: Any, stem: Path) -> None:
    whole = page.evaluate("() => [document.documentElement.scrollWidth, document.documentElement.scrollHeight]")
    page.evaluate("() => { for (const bar of document.querySelectorAll('.bk-nav')) bar.style.position = 'static'; }")
    for i, top in enumerate(range(0, whole[1], PIECE)):
        clip = {"x": 0, "y": top, "width": whole[0], "height": min(PIECE, whole[1] - top)}
        page.screenshot(path=stem.with_name(f"{stem.name}-{i}.png"), full_page=True, clip=clip)


def application(browser: Any, folder: Path) -> None:
    """The tabs of `bakeoff serve`, and a file that was dropped: its columns and its answer."""
    folder.mkdir(parents=True, exist_ok=True)
    rows = [f"{'ill' if i % 3 else 'well'},{i % 7 / 7:.3f},{(i % 3 + i % 5) / 7:.3f}" for i in range(120)]
    table = "\n".join(["truth,forest,linear", *rows])
    command = [sys.executable, "-m", "bakeoff", "serve", "--no-open"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        address = re.search(r"http\S+", server.stdout.readline())[0]
        for width, height in WINDOWS:
            for scheme in SCHEMES:
                page = browser.new_page(viewport={"width": width, "height": height}, color_scheme=scheme)
                page.goto(address)
                page.wait_for_selector("html[data-ready]")

                def taken(name: str, page: Any = page, stem: str = f"{width}-{scheme}") -> None:
                    page.screenshot(path=folder / f"{stem}-{name}.png")

                for tab in ("runs", "advise", "plan", "course", "drop"):
                    page.locator(f"#tab-{tab}").click()
                    page.wait_for_load_state("networkidle")
                    taken(tab)
                file = {"name": "ward.csv", "mimeType": "text/csv", "buffer": table.encode()}
                page.locator('[data-testid="file"]').set_input_files(file)
                page.get_by_label("positive class").select_option("ill")
                taken("columns")
                page.locator('[data-testid="analyse"]').click()
                page.locator('[data-testid="result"] .bk-headline').wait_for(timeout=120_000)
                taken("answer")
                page.close()
        server.terminate()


def main(arguments: list[str]) -> None:
    warnings.simplefilter("ignore", bakeoff.BakeoffWarning)
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.pictures", description="Pictures of every kind of page."
    )
    parser.add_argument("out", type=Path, help="the folder to write them to")
    parser.add_argument("kinds", nargs="*", help="of reports, or app; all by default")
    asked = parser.parse_args(arguments)
    folder, wanted = asked.out, asked.kinds
    with chromium() as browser:
        for name, path in pages(folder, wanted):
            print(f"{name}: {path.stat().st_size:,} bytes", flush=True)
            photographed(browser, path.resolve().as_uri(), path.with_suffix(""))
        if not wanted or "app" in wanted:
            application(browser, folder / "app")


if __name__ == "__main__":
    main(sys.argv[1:])
