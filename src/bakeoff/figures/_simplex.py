"""Posterior draws over (a better, practically equal, b better), for several data sets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from bakeoff._core.language import translate
from bakeoff._core.validation import FloatArray
from bakeoff.figures._base import DrawnFigure
from bakeoff.figures._drawing import BLUE, Texts, plain


@dataclass(frozen=True, repr=False)
class SimplexFigure(DrawnFigure):
    """Draws on the simplex; `p` is the share of draws in which each outcome is the most probable."""

    kind: ClassVar[str] = "simplex"

    points: tuple[tuple[float, float, float], ...]
    p: tuple[float, float, float]
    model_a: str
    model_b: str

    def _texts(self) -> dict[str, Any]:
        return {
            "title": translate("{a} against {b} on a new data set", a=self.model_a, b=self.model_b),
            "caption": translate(
                "Each dot is a posterior draw; the corner it is nearest to is the most probable outcome."
            ),
            "labels": (
                translate("{model} better", model=self.model_a),
                translate("practically equal"),
                translate("{model} better", model=self.model_b),
            ),
        }

    def _draw(self, ax: Any, texts: Texts) -> dict[str, Any]:
        points = np.array(self.points)
        height = np.sqrt(3) / 2
        ax.plot([0, 1, 0.5, 0], [0, 0, height, 0], color="black")
        ax.scatter(points[:, 2] + points[:, 1] / 2, points[:, 1] * height, s=4, alpha=0.3, color=BLUE)
        corners = ((0, -0.06), (0.5, height + 0.03), (1, -0.06))
        for (x, y), label, p in zip(corners, texts["labels"], self.p, strict=True):
            ax.text(x, y, f"{plain(label)} {100 * p:.1f} %", ha="center", fontsize=8)
        ax.axis("off")
        return {}


def simplex_figure(draws: FloatArray, *, model_a: str = "a", model_b: str = "b", most: int = 1500) -> SimplexFigure:
    """Collect posterior draws ``[S, 3]`` of the three probabilities, thinned for the screen."""
    table = np.asarray(draws, dtype=np.float64)
    largest = table.argmax(axis=1)
    shares = [float(np.mean(largest == c)) for c in range(3)]
    step = max(1, len(table) // most)
    return SimplexFigure(
        points=tuple((float(a), float(r), float(b)) for a, r, b in np.round(table[::step], 4)),
        p=(shares[0], shares[1], shares[2]),
        model_a=model_a,
        model_b=model_b,
    )
