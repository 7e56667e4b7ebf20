"""What kind of evidence it is, or how it is counted, is asked in the packages of evidence and of forms, nowhere else.

Outside them a measure or its rows are asked what they can do (`Trait`, `Rows.solved_or_not`, `FormKind.row_terms` …),
so that another additive measure, or another kind of evidence, is one entry.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import bakeoff

SOURCE = Path(bakeoff.__file__).parent
OWN = ("evidence", "counts")
KINDS = {"outcomes", "sums", "attempts"}
ASKED = {"task", "needs"}
FORMS = {"Answers", "AnswersKind", "Cells", "CellsKind", "Sums", "SumsKind", "Tally", "TallyKind", "TimesKind"}

FILES = [file for file in sorted(SOURCE.rglob("*.py")) if file.relative_to(SOURCE).parts[0] not in OWN]


def questions(tree: ast.AST) -> Iterator[ast.AST]:
    """Comparisons of a task or of needs with a kind of evidence, and tests of the class of a form.

    An assertion is none: it tells the type checker which form a measure has made itself.
    """
    said = {id(node.test) for node in ast.walk(tree) if isinstance(node, ast.Assert)}
    for node in ast.walk(tree):
        inside = list(ast.walk(node))
        names = {getattr(n, "id", getattr(n, "attr", "")) for n in inside}
        if isinstance(node, ast.Compare):
            named = {n.value for n in inside if isinstance(n, ast.Constant) and isinstance(n.value, str)}
            if names & ASKED and named & KINDS:
                yield node
        elif getattr(getattr(node, "func", None), "id", "") == "isinstance" and names & FORMS and id(node) not in said:
            yield node


def test_no_question_about_the_kind_of_evidence_or_of_its_form():
    found = {
        f"{file.relative_to(SOURCE).as_posix()}: {ast.unparse(node)}"
        for file in FILES
        for node in questions(ast.parse(file.read_text(encoding="utf-8")))
    }
    assert sorted(found) == []


@pytest.mark.parametrize(
    ("code", "n"),
    [
        ('if rows.task == "outcomes": pass', 1),
        ('x = 1 if task in ("regression", "sums") else 2', 1),
        ('while measure.needs != "attempts": pass', 1),
        ("if isinstance(measure.form, SumsKind): pass", 1),
        ("x = isinstance(form, (Cells, Tally))", 1),
        ("assert isinstance(form, Cells)", 0),
        ('if rows.task == "binary": pass', 0),
        ('found = {"outcomes": 1}[rows.task]', 0),
        ('if mapping.get("mode") == "outcomes": pass', 0),
    ],
)
def test_what_is_a_question(code, n):
    assert len(list(questions(ast.parse(code)))) == n


def test_another_additive_measure_is_one_entry(tmp_path):
    """A ratio of columns that no file of the package names goes through every verb."""
    import numpy as np

    made = bakeoff.measures.ratio("faults_per_page", "faults", "pages", greater_is_better=False)
    rng = np.random.default_rng(0)
    pages = rng.integers(1, 20, 60)
    table = {m: {"faults": rng.binomial(pages, p), "pages": pages} for m, p in (("old", 0.3), ("new", 0.2))}
    p = bakeoff.Predictions.from_sums(table, slices={"part": np.repeat(["a", "b"], 30)})
    value = {m: float(c["faults"].sum() / c["pages"].sum()) for m, c in table.items()}
    found = bakeoff.evaluate(p, made, by="part")
    assert found["new", "faults_per_page"].estimate == pytest.approx(value["new"], abs=1e-12)
    assert len(found.slices.to_frame()) == 4
    compared = bakeoff.compare(p, made)
    assert compared.best == "new"
    assert bakeoff.gate(p, baseline="old", candidate="new", measure=made, margin=0.5)
    assert bakeoff.plan(p, measure=made).n > 0
    assert "faults_per_page" in str(bakeoff.report(p, measure=made).to_dict())
