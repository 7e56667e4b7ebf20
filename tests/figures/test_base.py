"""What holds for every figure: one file, strict JSON, a web renderer, a matplotlib twin, the reader's language."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from inspect import isabstract

import numpy as np
import pytest

from bakeoff import figures
from bakeoff._core.language import language
from bakeoff.evidence import Predictions
from bakeoff.figures import FigureData, script_json, web_text
from bakeoff.figures._base import DrawnFigure


def figure_classes(base: type[FigureData] = FigureData) -> Iterator[type[FigureData]]:
    for child in base.__subclasses__():
        if not isabstract(child):
            yield child
        yield from figure_classes(child)


def renderers() -> set[str]:
    block = re.search(r"RENDERERS = \{(.*?)\};", web_text("figures.js"), re.DOTALL)
    assert block is not None
    return set(re.findall(r'"([a-z-]+)":', block.group(1)))


def test_one_file_per_figure() -> None:
    classes = list(figure_classes())
    assert len({c.__module__ for c in classes}) == len(classes)


def test_every_kind_has_a_web_renderer_and_all_but_two_are_drawn(every: dict[str, FigureData]) -> None:
    kinds = {c.kind for c in figure_classes()}
    assert set(every) == kinds
    assert renderers() == kinds
    only_on_pages = {kind for kind, data in every.items() if not isinstance(data, DrawnFigure)}
    assert only_on_pages == {"explorer", "lead"}


def test_data_is_strict_json(every: dict[str, FigureData]) -> None:
    for kind, data in every.items():
        text = script_json(data.to_dict())
        assert json.loads(text)["kind"] == kind
        assert data.title
        assert "<" not in text


def test_every_kind_is_drawn_by_matplotlib(every: dict[str, FigureData]) -> None:
    for kind, data in every.items():
        drawn = figures.draw(data)
        if isinstance(data, DrawnFigure):
            drawn.canvas.draw()
            (axes,) = drawn.axes
            assert axes.has_data() or axes.texts, kind
        else:
            assert drawn is None


@pytest.mark.parametrize("name", ["es", "pt"])
def test_texts_follow_the_language_of_the_reader(
    every: dict[str, FigureData], make_every: Callable[[], dict[str, FigureData]], name: str
) -> None:
    """A figure computed under one language and read under another is that of the reader, to the last label."""
    english = {kind: data.to_dict() for kind, data in every.items()}
    with language(name):
        made_there = make_every()
        read_there = {kind: data.to_dict() for kind, data in every.items()}
        for kind, data in made_there.items():
            if kind != "advice-tree":  # the guide's own sentences are made when it is
                assert read_there[kind] == data.to_dict(), kind
            assert read_there[kind]["title"] != english[kind]["title"], kind
            assert read_there[kind]["caption"] != english[kind]["caption"], kind
    assert {kind: data.to_dict()["title"] for kind, data in made_there.items()} == {
        kind: data["title"] for kind, data in english.items()
    }


def test_a_figure_shows_its_title(every: dict[str, FigureData]) -> None:
    assert repr(every["roc"]) == "RocFigure('ROC curves')"


@pytest.mark.parametrize("name", ["$\\frac{", "$x$", "a\nb", "<b>", "x" * 5000, "نموذج"])
@pytest.mark.filterwarnings("ignore:Glyph")
def test_no_name_breaks_a_drawing(name: str) -> None:
    truth = np.arange(40) % 2
    scores = {name: np.linspace(0, 1, 40), "b": truth * 0.5 + 0.2}
    predictions = Predictions.from_arrays(truth, y_score=scores, pos_label=1)
    for data in (figures.roc_figure(predictions), figures.confusion_figure(predictions, name)):
        figures.draw(data).canvas.draw()
