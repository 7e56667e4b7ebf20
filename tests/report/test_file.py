"""The one file: its size, its policy, names that mean harm, and what is exported beside it."""

from __future__ import annotations

import base64
import csv
import hashlib
import io
import json
import re
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest

import bakeoff
from bakeoff.evidence import Predictions
from bakeoff.report import Report
from bakeoff.report._exports import tex

HOSTILE = {
    "script": "<script>alert(1)</script>",
    "closing": "</script><img src=x onerror=alert(1)>",
    "quotes": "\"'`><svg onload=alert(1)>",
    "formula": '=cmd|" /C calc"!A0',
    "plus": "+1+1",
    "at": "@SUM(A1)",
    "long": "x" * 10_000,
    "arabic": "\u202eنموذج",
    "emoji": "🦊🧁",
    "separator": "a\u2028b\u2029c",
    "latex": r"\input{/etc/passwd} $x_1^2$ 50% & {#}~",
    "pipe": "a|b\nc",
    "comment": "<!--",
    "format": "{model} {0} %s",
}


def hostile_predictions() -> Predictions:
    rng = np.random.default_rng(1)
    truth = rng.random(60) < 0.5
    scores = {name: np.clip(0.3 * truth + rng.random(60) * 0.7, 0, 1) for name in HOSTILE.values()}
    labels = np.where(truth, "<b>ill</b>", "=well()")
    return Predictions.from_arrays(labels, y_score=scores, pos_label="<b>ill</b>", dataset="</title><script>x</script>")


@pytest.fixture(scope="module")
def hostile() -> Report:
    return bakeoff.report(hostile_predictions(), title="</title><script>alert(2)</script>" + "t" * 5000)


class _Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.scripts: list[str] = []
        self.handlers: list[str] = []
        self.names: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.names.add(tag)
        self.handlers += [k for k, _ in attrs if k.startswith("on")]
        if tag == "script":
            self.scripts.append(dict(attrs).get("type") or "code")


def parsed(text: str) -> _Tags:
    found = _Tags()
    found.feed(text)
    return found


def test_hostile_names_are_text_in_html(hostile: Report) -> None:
    found = parsed(hostile.html)
    assert found.scripts.count("code") == 1  # our own
    assert set(found.scripts) == {"code", "application/json"}
    assert found.handlers == []
    assert not {"img", "b1", "iframe", "object"} & found.names
    for data in re.findall(r'<script type="application/json"[^>]*>(.*?)</script>', hostile.html, re.DOTALL):
        assert "\u2028" not in data
        assert "<" not in data
        json.loads(data, parse_constant=lambda name: pytest.fail(f"{name} is not JSON"))


def test_hostile_names_are_text_in_a_notebook(hostile: Report) -> None:
    text = hostile._repr_html_()
    assert parsed(text).names == {"iframe"}
    assert "allow-same-origin" not in text
    evaluation = bakeoff.evaluate(hostile_predictions(), ["accuracy"])
    found = parsed(evaluation._repr_html_())
    assert "script" not in found.names
    assert found.handlers == []


def test_hostile_names_are_text_in_exports(hostile: Report, tmp_path: Path) -> None:
    written = hostile.export(tmp_path)
    assert all(p.parent == tmp_path for p in written)  # no name is a path
    for path in written:
        if path.suffix == ".csv":
            text = path.read_bytes().decode()
            cells = [c for row in csv.reader(io.StringIO(text, newline="")) for c in row]
            risky = [c for c in cells if c[:1] in "=@\t\r+" and c]
            assert [c for c in risky if not _is_number(c)] == [], path.name
        elif path.suffix == ".tex":
            text = path.read_text()
            assert r"\input{" not in text
            assert text.count(r"\begin{") == text.count(r"\end{") == 1
        elif path.suffix == ".md":
            lines = path.read_text().splitlines()
            assert "<script" not in path.read_text()
            assert len({len(re.findall(r"(?<!\\)\|", line)) for line in lines}) == 1, path.name
        elif path.suffix == ".svg":
            found = parsed(path.read_text())
            assert "script" not in found.names
            assert found.handlers == []


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def test_latex_escapes_every_command_character() -> None:
    assert tex(r"\a{b}$_^~%&#") == r"\textbackslash{}a\{b\}\$\_\textasciicircum{}\textasciitilde{}\%\&\#"


def test_the_policy_names_the_one_script(hostile: Report) -> None:
    (script,) = re.findall(r"<script>(.*?)</script>", hostile.html, re.DOTALL)
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]+)"', hostile.html)
    assert policy is not None
    assert f"script-src 'sha256-{digest}';" in policy.group(1)
    assert "default-src 'none'" in policy.group(1)


def test_nothing_is_fetched(hostile: Report) -> None:
    found = re.findall(r'(?:src|href|action)="(?!#|data:)([^"]+)"', hostile.html)
    assert found == []
    assert "@import" not in hostile.html
    assert "url(" not in hostile.html


def test_exports_write_every_table_and_figure(tmp_path: Path) -> None:
    rng = np.random.default_rng(2)
    truth = rng.random(80) < 0.5
    scores = {m: np.clip(k * truth + rng.random(80) * (1 - k), 0, 1) for m, k in (("a", 0.2), ("b", 0.4), ("c", 0.1))}
    made = bakeoff.report(Predictions.from_arrays(truth.astype(int), y_score=scores, pos_label=1))
    files = {p.name for p in made.export(tmp_path)}
    for name in made.tables:
        assert {f"{name}.csv", f"{name}.md", f"{name}.tex"} <= files
    figures = made.to_dict()["figures"]
    drawn = [(i, f["kind"]) for i, f in enumerate(figures, 1) if f["kind"] not in ("explorer", "lead")]
    assert {f"{i:02d}-{kind}{suffix}" for i, kind in drawn for suffix in (".svg", ".png")} <= files
    everything = json.loads((tmp_path / "report.json").read_text())
    assert everything["verdict"] == made.to_dict()["verdict"]
    assert len(everything["figures"]) == len(figures)
    assert len((tmp_path / "pairs.csv").read_text().splitlines()) == 1 + 3


def test_saving_is_all_or_nothing(tmp_path: Path) -> None:
    made = bakeoff.report(
        Predictions.from_arrays([0, 1] * 20, y_pred={"a": [0, 1] * 20, "b": [1, 1] * 20}, pos_label=1)
    )
    path = made.save(tmp_path / "deep" / "r.html")
    assert path.read_text(encoding="utf-8") == made.html
    assert [p.name for p in path.parent.iterdir()] == ["r.html"]


def many_rows(n: int) -> Predictions:
    rng = np.random.default_rng(0)
    truth = rng.random(n) < 0.3
    scores = {
        f"model-{i}": 1 / (1 + np.exp(-(0.3 * i * (2 * truth - 1) + rng.normal(0, 1.2, n)))) for i in range(1, 11)
    }
    return Predictions.from_arrays(truth.astype(np.int8), y_score=scores, pos_label=1)


def test_ten_models_and_many_rows_stay_below_a_megabyte() -> None:
    predictions = many_rows(100_000)
    made = bakeoff.report(predictions, bakeoff.evaluate(predictions, ["accuracy", "auc"], baselines=True))
    print(f"\n10 models x 100,000 rows: {len(made.html.encode()) / 2**20:.2f} MB")
    assert len(made.html.encode()) <= 1e6


@pytest.mark.slow
def test_ten_models_and_a_million_rows_stay_below_a_megabyte() -> None:
    predictions = many_rows(1_000_000)
    made = bakeoff.report(predictions, bakeoff.evaluate(predictions, ["accuracy", "auc"], baselines=True))
    print(f"\n10 models x 1,000,000 rows: {len(made.html.encode()) / 2**20:.2f} MB")
    assert len(made.html.encode()) <= 1e6


def test_a_folder_is_not_a_file_to_save_to(tmp_path):
    small = bakeoff.report(Predictions.from_arrays([0, 1, 0, 1], y_pred={"a": [0, 1, 1, 1]}))
    with pytest.raises(bakeoff.ParameterError, match=r"that is a folder\..*report\.html"):
        small.save(tmp_path)
    assert not list(tmp_path.parent.glob(".*.part"))
    assert small.save(tmp_path / "new" / "folder" / "r.html").is_file()


def test_figures_of_a_report_stay_in_its_language(tmp_path: Path) -> None:
    evidence = Predictions.from_arrays([0, 1] * 20, y_pred={"a": [0, 1] * 20, "b": [0, 1, 1, 1] * 10}, pos_label=1)
    made = bakeoff.report(evidence, lang="es")
    titles = [f["title"] for f in made.to_dict()["figures"]]
    assert "Matriz de confusión de a" in titles
    made.export(tmp_path)
    written = json.loads((tmp_path / "report.json").read_text(encoding="utf-8"))
    assert [f["title"] for f in written["figures"]] == titles
