"""Posterior density of the mean difference, with the region of practical equivalence."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from bakeoff._core.language import numeral, translate
from bakeoff._core.validation import FloatArray
from bakeoff.figures._base import BLUE, GREY, OCHRE, DrawnFigure, Texts, measure_label


@dataclass(frozen=True, repr=False)
class PosteriorFigure(DrawnFigure):
    """Density of the difference a − b; `p` holds the probabilities that b is better, equivalent, a better."""

    kind: ClassVar[str] = "posterior"

    x: tuple[float, ...]
    density: tuple[float, ...]
    rope: tuple[float, float]
    p: tuple[float, float, float]
    model_a: str
    model_b: str
    measure: str

    def _texts(self) -> dict[str, Any]:
        labels = (
            translate("{model} better", model=self.model_b),
            translate("practically equal"),
            translate("{model} better", model=self.model_a),
        )
        named = translate("difference in {measure}", measure=measure_label(self.measure))
        return {
            "title": translate("How much better is {a} than {b}?", a=self.model_a, b=self.model_b),
            "caption": translate(
                "Posterior of the mean difference; the shaded strip, ±{width}, is the region of practical equivalence.",
                width=numeral(self.rope[1], ".3g"),
            ),
            "shares": [{"label": label, "p": p} for label, p in zip(labels, self.p, strict=True)],
            "x_title": named if self.measure else translate("difference"),
            "y_title": translate("density"),
        }

    def _draw(self, ax: Any, texts: Texts) -> dict[str, Any]:
        ax.plot(self.x, self.density, color=BLUE)
        ax.fill_between(self.x, self.density, color=BLUE, alpha=0.15)
        ax.axvspan(*self.rope, color=OCHRE, alpha=0.15)
        ax.axvline(0, color=GREY, linestyle="--", linewidth=1)
        return {}


def posterior_figure(
    differences: FloatArray, *, rho: float, rope: float = 0.0, model_a: str = "a", model_b: str = "b", measure: str = ""
) -> PosteriorFigure:
    """Density of the Bayesian correlated t-test: Student t with J − 1 degrees, mean d̄, scale √((1/J + ρ/(1−ρ))·S²)."""
    from scipy.stats import t as student

    from bakeoff.stats import bayes_correlated_t

    values = np.asarray(differences, dtype=np.float64)
    result = bayes_correlated_t(values, rho=rho, rope=rope)
    j = values.size
    scale = float(np.sqrt((1 / j + rho / (1 - rho)) * values.var(ddof=1))) or 1e-12
    x = np.linspace(values.mean() - 5 * scale, values.mean() + 5 * scale, 181)
    return PosteriorFigure(
        x=tuple(float(f"{v:.6g}") for v in x),
        density=tuple(float(f"{v:.6g}") for v in student.pdf(x, j - 1, loc=values.mean(), scale=scale)),
        rope=(-rope, rope),
        p=(float(result.p_b_better), float(result.p_equivalent), float(result.p_a_better)),
        model_a=model_a,
        model_b=model_b,
        measure=measure,
    )
