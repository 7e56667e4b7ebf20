"""Paper mode: LaTeX that compiles and fits, figures with text as text, citations that are in the bibliography."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

import bakeoff
from bakeoff.comparison import catalogue
from bakeoff.report._bibliography import _DOI, _entries, bibtex, key_of
from bakeoff.report._latex import TEXT_WIDTH, Cell, PaperTable, tex, unknown_letters
from bakeoff.report._paper import _FONTS

HOSTILE = [
    "<b>x</b>$a_b$",
    "نموذج",
    "模型",
    "=1+1",
    "tab\tname",
    "x" * 120,
    "-".join(["long"] * 30),
    "100% & #1 {~^\\}",
]


def binary(names: list[str], n: int = 240, seed: int = 0) -> bakeoff.Predictions:
    rng = np.random.default_rng(seed)
    y = rng.random(n) < 0.35
    score = {m: 1 / (1 + np.exp(-(rng.normal(0, 1 + 0.1 * i, n) + 1.4 * y - 0.8))) for i, m in enumerate(names)}
    return bakeoff.Predictions.from_arrays(np.where(y, "yes", "no"), y_score=score, pos_label="yes")


def study(k: int, n: int, seed: int = 6) -> bakeoff.Scores:
    rng = np.random.default_rng(seed)
    table = rng.uniform(0.6, 0.9, (n, 1)) - np.linspace(0, 0.06, k) + rng.normal(0, 0.02, (n, k))
    return bakeoff.Scores.from_wide(table, models=[f"learner-{chr(65 + j)}" for j in range(k)], measure="auc")


@pytest.fixture(scope="module")
def over_sets(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("paper") / "study"
    bakeoff.report(study(13, 26), paper=folder)
    return folder


@pytest.fixture(scope="module")
def with_costs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("paper") / "costs"
    context = bakeoff.OperatingContext(prevalence=0.1, cost_fp=100, cost_fn=900)
    bakeoff.report(binary(["logistic", "bayes_2"]), context, paper=folder, lang="es")
    return folder


def cells_of(path: Path) -> list[list[str]]:
    body = path.read_text().split(r"\midrule", 1)[1].split(r"\bottomrule")[0]
    return [[c.strip() for c in line.removesuffix(r"\\").split("&")] for line in body.splitlines() if "&" in line]


def test_the_best_of_each_data_set_is_bold_and_the_mean_ranks_are_the_last_row(over_sets: Path) -> None:
    scores = study(13, 26)
    rows = cells_of(over_sets / "tables" / "scores.tex")
    values = np.round(scores.matrix(), 3)
    assert len(rows) == 26 + 2
    for row, expected in zip(rows[:26], values, strict=True):
        bold = [float(c[8:-1]) for c in row[1:] if c.startswith(r"\textbf")]
        assert bold
        assert set(bold) == {expected.max()}
    ranks = bakeoff.compare(scores, rng=0).ranks
    assert ranks is not None
    assert [float(re.sub(r"[^0-9.]", "", c)) for c in rows[-1][1:]] == [round(r, 2) for r in ranks.values()]


def test_the_numbers_of_the_differences_are_those_of_the_comparison(over_sets: Path) -> None:
    comparison = bakeoff.compare(study(13, 26), rng=0)
    assert comparison.ranks is not None
    leader, *others = comparison.ranks
    rows = cells_of(over_sets / "tables" / "differences.tex")
    assert [row[0] for row in rows] == others
    for row, other in zip(rows, others, strict=True):
        assert float(row[2]) == pytest.approx(comparison.pair(leader, other).estimate, abs=6e-4)


def test_what_is_cited_is_in_the_bibliography_and_nothing_else(over_sets: Path, with_costs: Path) -> None:
    for folder in (over_sets, with_costs):
        cited = {k for found in re.findall(r"\\cite\{([^}]+)\}", (folder / "methods.tex").read_text())
                 for k in found.split(",")}  # fmt: skip
        assert cited == set(re.findall(r"@\w+\{([^,]+),", (folder / "references.bib").read_text()))
        assert cited


def test_every_reference_of_the_catalogue_has_its_whole_entry() -> None:
    for test in catalogue().values():
        for reference in test.references:
            entry = _entries()[key_of(reference)]
            doi = _DOI.search(entry)
            assert (doi[1] if doi else "") == reference.doi
            assert re.search(r"(journal|publisher|booktitle) = ", entry)


def test_a_reference_from_outside_tells_what_it_knows() -> None:
    entry = bibtex((), [bakeoff.comparison.Reference("Roe and Doe (1999), On & off", "10.1/x")])
    assert "@misc{roe1999" in entry
    assert "author = {{Roe} and {Doe}}" in entry
    assert r"On \& off" in entry


def test_a_paper_speaks_the_language_of_its_report(with_costs: Path) -> None:
    methods = (with_costs / "methods.tex").read_text()
    assert "Los modelos se compararon" in methods
    assert "spanish" in (with_costs / "paper.tex").read_text()
    text = "".join(p.read_text() for p in with_costs.rglob("*.tex"))
    assert not re.search(r"\b(model|interval|threshold|cost|Bold|Dots)\b", text.replace("tab:costs", "")), text


def test_figures_are_as_wide_as_a_column_and_their_text_is_text(with_costs: Path) -> None:
    drawn = sorted(p.stem for p in (with_costs / "figures").glob("*.svg"))
    assert drawn == ["calibration", "costs", "differences", "measure", "roc"]
    for name in drawn:
        svg = (with_costs / "figures" / f"{name}.svg").read_text()
        width = re.search(r'width="([\d.]+)pt"', svg)
        assert width is not None
        assert float(width[1]) == pytest.approx(3.35 * 72, abs=1)
        assert "<text" in svg
        assert "logistic" in svg
        assert rf"\includegraphics{{figures/{name}.pdf}}" in (with_costs / "figures" / f"{name}.tex").read_text()
        assert (with_costs / "figures" / f"{name}.pdf").read_bytes().startswith(b"%PDF")


def test_the_same_evidence_is_the_same_paper(over_sets: Path, tmp_path: Path) -> None:
    bakeoff.report(study(13, 26), paper=tmp_path)
    for path in over_sets.rglob("*.*"):
        assert (tmp_path / path.relative_to(over_sets)).read_bytes() == path.read_bytes(), path.name


@pytest.mark.parametrize("name", HOSTILE)
def test_names_are_harmless(name: str) -> None:
    escaped = tex(name)
    assert not re.search(r"(?<!\\)[&%#_]", escaped)
    assert "\t" not in escaped
    for letter in "<>":
        assert letter not in escaped


def test_letters_pdflatex_has_no_glyph_for() -> None:
    assert unknown_letters("São Demšar ñ 模 ن") == ["ن", "模"]


@pytest.mark.parametrize(("columns", "rows"), [(3, 4), (13, 26), (40, 5), (3, 130)])
def test_parts_fit_the_page(columns: int, rows: int) -> None:
    head = ("name", *(f"model-{j:02d}" for j in range(columns)))
    table = PaperTable("t", "A table.", head, tuple(tuple(Cell("0.123") for _ in head) for _ in range(rows)), last=1)
    parts = table.parts()
    assert sum(len(p.head) - 1 for p in parts if p.rows) >= columns
    for part in parts:
        assert sum(part._width(j) for j in range(len(part.head))) <= TEXT_WIDTH
        assert len(part.rows) <= 46
    assert len({p.name for p in parts}) == len(parts)
    sizes = [len(p.head) for p in parts]
    assert max(sizes) - min(sizes) <= 1 or rows > 45


def test_a_file_in_the_way_is_named(tmp_path: Path) -> None:
    (tmp_path / "paper").write_text("mine")
    with pytest.raises(bakeoff.ParameterError, match="that is a file"):
        bakeoff.report(study(3, 8), paper=tmp_path / "paper")
    assert (tmp_path / "paper").read_text() == "mine"


def compiled(folder: Path, engine: str) -> str:
    """Compile as an author would; return the log of the last run."""
    for command in ((engine,), ("bibtex",), (engine,), (engine,)):
        arguments = (
            ("paper",) if command == ("bibtex",) else ("-interaction=nonstopmode", "-halt-on-error", "paper.tex")
        )
        done = subprocess.run([*command, *arguments], cwd=folder, capture_output=True, check=False)
        assert done.returncode == 0, done.stdout.decode(errors="replace")[-2000:]
    return (folder / "paper.log").read_text(errors="replace")


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="needs a TeX engine: texlive-latex-recommended")
@pytest.mark.parametrize("lang", ["en", "es", "pt"])
@pytest.mark.parametrize("kind", ["study", "costs", "names", "many"])
def test_the_paper_compiles_and_nothing_sticks_out(kind: str, lang: str, tmp_path: Path) -> None:
    context = bakeoff.OperatingContext(prevalence=0.1, cost_fp=100, cost_fn=900)
    given = {
        "study": lambda: (study(13, 26),),
        "costs": lambda: (binary(["logistic", "bayes_2"]), context),
        "names": lambda: (binary(HOSTILE, 120),),
        "many": lambda: (study(30, 60),),
    }[kind]()
    bakeoff.report(*given, paper=tmp_path, lang=lang, title="A & B: 100 %")
    log = compiled(tmp_path, "pdflatex")
    assert "Overfull" not in log
    assert "undefined" not in log
    assert "Citation" not in log
    assert (tmp_path / "paper.pdf").stat().st_size > 20_000


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("lualatex") is None, reason="needs LuaTeX: texlive-luatex")
def test_lualatex_takes_letters_from_the_fonts_that_are_there(tmp_path: Path) -> None:
    has = subprocess.run(["fc-list", ":lang=ru", "family"], capture_output=True, text=True, check=False).stdout
    if not any(name in has for name in _FONTS):
        pytest.skip("no font with Cyrillic letters")
    bakeoff.report(binary(["логистика", "дерево"], 120), paper=tmp_path)
    assert "Missing character" not in compiled(tmp_path, "lualatex")
