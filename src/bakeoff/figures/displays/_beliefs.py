"""Displays of belief and planning: posterior, simplex, power."""

from __future__ import annotations

from typing import Any

import numpy as np

from bakeoff.figures._beliefs import (
    PosteriorFigure,
    PowerFigure,
    SimplexFigure,
    posterior_figure,
    power_figure,
    simplex_figure,
)
from bakeoff.figures.displays._base import BLUE, GREY, Display, plain


class PosteriorDisplay(Display):
    """Posterior of a difference.

    Examples
    --------
    >>> import numpy as np
    >>> differences = np.array([0.02, 0.01, 0.03, 0.00, 0.02])
    >>> from bakeoff.figures import PosteriorDisplay, posterior_figure
    >>> from matplotlib.figure import Figure
    >>> display = PosteriorDisplay(posterior_figure(differences, rho=0.2, rope=0.01)).plot(Figure().subplots())
    >>> display.ax_.get_xlabel()
    'difference'
    """

    data: PosteriorFigure

    @classmethod
    def from_differences(cls, differences: Any, **options: Any) -> PosteriorDisplay:
        """Compute from fold differences and draw."""
        return cls(posterior_figure(differences, **options)).plot()  # type: ignore[no-any-return]

    def _draw(self, ax: Any) -> None:
        ax.plot(self.data.x, self.data.density, color=BLUE)
        ax.fill_between(self.data.x, self.data.density, color=BLUE, alpha=0.15)
        ax.axvspan(*self.data.rope, color="#a06c00", alpha=0.15)
        ax.axvline(0, color=GREY, linestyle="--", linewidth=1)
        self.titles(ax)


class SimplexDisplay(Display):
    """Posterior draws on the simplex.

    Examples
    --------
    >>> import numpy as np
    >>> draws = np.random.default_rng(0).dirichlet([2, 3, 5], size=100)
    >>> from bakeoff.figures import SimplexDisplay, simplex_figure
    >>> from matplotlib.figure import Figure
    >>> display = SimplexDisplay(simplex_figure(draws)).plot(Figure().subplots())
    >>> display.ax_.get_xlabel()
    ''
    """

    data: SimplexFigure

    @classmethod
    def from_draws(cls, draws: Any, **options: Any) -> SimplexDisplay:
        """Compute from posterior draws and draw."""
        return cls(simplex_figure(draws, **options)).plot()  # type: ignore[no-any-return]

    def _draw(self, ax: Any) -> None:
        points = np.array(self.data.points)
        height = np.sqrt(3) / 2
        ax.plot([0, 1, 0.5, 0], [0, 0, height, 0], color="black")
        ax.scatter(points[:, 2] + points[:, 1] / 2, points[:, 1] * height, s=4, alpha=0.3, color=BLUE)
        for x, y, i in ((0, -0.06, 0), (0.5, height + 0.03, 1), (1, -0.06, 2)):
            ax.text(x, y, f"{plain(self.data.labels[i])} {100 * self.data.p[i]:.1f} %", ha="center", fontsize=8)
        ax.axis("off")


class PowerDisplay(Display):
    """A power curve.

    Examples
    --------
    >>> from bakeoff.figures import PowerDisplay, power_figure
    >>> from matplotlib.figure import Figure
    >>> display = PowerDisplay(power_figure([100, 200, 400], [0.4, 0.7, 0.93])).plot(Figure().subplots())
    >>> display.ax_.get_xlabel()
    'sample size'
    """

    data: PowerFigure

    @classmethod
    def from_curve(cls, x: Any, power: Any, **options: Any) -> PowerDisplay:
        """Draw a power curve."""
        return cls(power_figure(x, power, **options)).plot()  # type: ignore[no-any-return]

    def _draw(self, ax: Any) -> None:
        ax.plot(self.data.x, self.data.power, color=BLUE)
        ax.axhline(self.data.target, color=GREY, linestyle="--", linewidth=1)
        if self.data.at is not None:
            ax.axvline(self.data.at, color=GREY, linestyle=":", linewidth=1)
        ax.set_ylim(0, 1.02)
        self.titles(ax)
