"""Power against sample size."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from bakeoff._core.language import render, translate
from bakeoff.comparison import Plan
from bakeoff.figures._base import BLUE, GREY, DrawnFigure, Texts, rounded
from bakeoff.figures._plot import shows


@dataclass(frozen=True, repr=False)
class PowerFigure(DrawnFigure):
    """A power curve, the power asked for, and the size that reaches it."""

    kind: ClassVar[str] = "power"

    x: tuple[float, ...]
    power: tuple[float, ...]
    target: float
    at: float | None
    unit: str

    def _texts(self) -> dict[str, Any]:
        return {
            "title": translate("How much data is enough?"),
            "caption": translate(
                "Chance of showing the difference if it is there; the dashed line is the power asked for."
            ),
            "x_title": render(self.unit) if self.unit else translate("sample size"),
            "y_title": translate("power"),
        }

    def _draw(self, ax: Any, texts: Texts) -> dict[str, Any]:
        ax.plot(self.x, self.power, color=BLUE)
        ax.axhline(self.target, color=GREY, linestyle="--", linewidth=1)
        if self.at is not None:
            ax.axvline(self.at, color=GREY, linestyle=":", linewidth=1)
        ax.set_ylim(0, 1.02)
        return {}


def power_figure(
    x: Sequence[float], power: Sequence[float], *, target: float = 0.8, at: float | None = None, x_title: str = ""
) -> PowerFigure:
    """Collect a power curve over sample sizes, counted in the units that `x_title` names."""
    return PowerFigure(
        x=tuple(float(v) for v in x),
        power=tuple(rounded(np.asarray(power, dtype=np.float64), 4)),
        target=target,
        at=at,
        unit=x_title,
    )


@shows(Plan, name="power")
def _plan_figure(plan: Plan) -> PowerFigure:
    at = None if plan.needed is None else float(plan.needed)
    return power_figure(plan.curve_n, plan.curve_power, target=plan.power, at=at, x_title=plan.unit)
