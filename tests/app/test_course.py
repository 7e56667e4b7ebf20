"""The course tab: what is typed is what is worked out."""

from __future__ import annotations

import re

import pytest

from bakeoff import BakeoffError, language
from bakeoff.app._course import EXAMPLES, lesson, lessons


def told(code: str, table: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", str(lesson(code, table)["html"])))


@pytest.mark.parametrize("code", EXAMPLES)
def test_every_lesson_starts_with_the_lectures_numbers(code: str) -> None:
    wanted = {"signed-ranks": "91.5", "ranks": "10.952", "counts": "5.600", "agreement": "0.94", "proportion": "0.85",
              "roc": "0.69", "hull": "C3", "t": "2.16", "variance": "4.447"}  # fmt: skip
    assert wanted[code] in told(code, EXAMPLES[code])
    assert (lesson(code, EXAMPLES[code])["figure"] is None) == (code == "proportion")


def test_the_steps_follow_the_table() -> None:
    assert "14.29" not in told("counts", "145 10\n25 20")
    assert "11.111" in told("counts", "145;10\n35;20") or "12.8" in told("counts", "145;10\n35;20")
    assert told("t", "0,5 0,4\n0,7 0,6\n0,9 0,7") == told("t", "a b\n.5 .4\n.7 .6\n.9 .7")


def test_titles_and_steps_are_in_the_language() -> None:
    with language("es"):
        assert {"Curva ROC, punto por punto", "la prueba de Friedman"} <= {each["title"] for each in lessons()}
        assert "región de rechazo" in told("counts", EXAMPLES["counts"]).lower()


@pytest.mark.parametrize(
    ("code", "table"),
    [
        ("t", ""), ("t", "1 2\n3"), ("t", "a b\nc d"), ("counts", "1 2 3"), ("roc", "p"), ("hull", "A 0.1"),
        ("hull", "A 2 3"), ("nothing", "1 2"), ("ranks", "1 2\n" * 5000), ("proportion", "5 nan"),
    ],
)  # fmt: skip
def test_what_cannot_be_read_is_told(code: str, table: str) -> None:
    with pytest.raises(BakeoffError):
        lesson(code, table)


@pytest.mark.parametrize("code", ["signed-ranks", "t", "ranks", "variance"])
def test_the_models_of_the_first_row_are_named_in_the_working(code):
    named, bare = lesson(code, EXAMPLES[code]), lesson(code, EXAMPLES[code].split("\n", 1)[1])
    assert "C4.5+m" in named["html"]
    assert "C4.5+m" not in bare["html"]
