"""Figures of belief and of planning: posterior of a difference with its ROPE, the simplex, power curves, the guide."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from bakeoff._core.language import tr
from bakeoff._core.validation import FloatArray
from bakeoff.comparison import Guide, Leaf, Question
from bakeoff.figures._base import FigureData
from bakeoff.figures._simplify import rounded


@dataclass(frozen=True, repr=False)
class PosteriorFigure(FigureData):
    """Posterior density of the mean difference, with the region of practical equivalence.

    Examples
    --------
    >>> import numpy as np
    >>> differences = np.array([0.02, 0.01, 0.03, 0.00, 0.02])
    >>> from bakeoff.figures import posterior_figure
    >>> figure = posterior_figure(differences, rho=0.2, rope=0.01)
    >>> figure.title
    'How much better is a than b?'
    """

    kind: ClassVar[str] = "posterior"

    x: tuple[float, ...]
    density: tuple[float, ...]
    rope: tuple[float, float]
    shares: tuple[Mapping[str, Any], ...]
    x_title: str
    y_title: str


def posterior_figure(
    differences: FloatArray, *, rho: float, rope: float = 0.0, model_a: str = "a", model_b: str = "b", measure: str = ""
) -> PosteriorFigure:
    """Density of the Bayesian correlated t-test: Student t with J − 1 degrees, mean d̄, scale √((1/J + ρ/(1−ρ))·S²).

    Examples
    --------
    >>> import numpy as np
    >>> differences = np.array([0.02, 0.01, 0.03, 0.00, 0.02])
    >>> from bakeoff.figures import posterior_figure
    >>> posterior_figure(differences, rho=0.2, rope=0.01).kind
    'posterior'
    """
    from scipy.stats import t as student

    from bakeoff.stats import bayes_correlated_t

    values = np.asarray(differences, dtype=np.float64)
    result = bayes_correlated_t(values, rho=rho, rope=rope)
    j = values.size
    scale = float(np.sqrt((1 / j + rho / (1 - rho)) * values.var(ddof=1))) or 1e-12
    x = np.linspace(values.mean() - 5 * scale, values.mean() + 5 * scale, 181)
    shares = (
        (tr("{model} better", model=model_b), result.p_b_better),
        (tr("practically equal"), result.p_equivalent),
        (tr("{model} better", model=model_a), result.p_a_better),
    )
    return PosteriorFigure(
        title=tr("How much better is {a} than {b}?", a=model_a, b=model_b),
        caption=tr("Posterior of the mean difference; the shaded strip is the region of practical equivalence."),
        x=tuple(float(f"{v:.6g}") for v in x),
        density=tuple(float(f"{v:.6g}") for v in student.pdf(x, j - 1, loc=values.mean(), scale=scale)),
        rope=(-rope, rope),
        shares=tuple({"label": label, "p": float(p)} for label, p in shares),
        x_title=tr("difference in {measure}", measure=measure) if measure else tr("difference"),
        y_title=tr("density"),
    )


@dataclass(frozen=True, repr=False)
class SimplexFigure(FigureData):
    """Posterior draws over (a better, practically equal, b better), for several data sets.

    Examples
    --------
    >>> import numpy as np
    >>> draws = np.random.default_rng(0).dirichlet([2, 3, 5], size=100)
    >>> from bakeoff.figures import simplex_figure
    >>> figure = simplex_figure(draws)
    >>> figure.title
    'a against b on a new data set'
    """

    kind: ClassVar[str] = "simplex"

    points: tuple[tuple[float, float, float], ...]
    p: tuple[float, float, float]
    labels: tuple[str, str, str]


def simplex_figure(draws: FloatArray, *, model_a: str = "a", model_b: str = "b", most: int = 1500) -> SimplexFigure:
    """Collect posterior draws ``[S, 3]`` of the three probabilities, thinned for the screen.

    Examples
    --------
    >>> import numpy as np
    >>> draws = np.random.default_rng(0).dirichlet([2, 3, 5], size=100)
    >>> from bakeoff.figures import simplex_figure
    >>> simplex_figure(draws).kind
    'simplex'
    """
    table = np.asarray(draws, dtype=np.float64)
    largest = table.argmax(axis=1)
    shares = [float(np.mean(largest == c)) for c in range(3)]
    step = max(1, len(table) // most)
    return SimplexFigure(
        title=tr("{a} against {b} on a new data set", a=model_a, b=model_b),
        caption=tr("Each dot is a posterior draw; the corner it is nearest to is the most probable outcome."),
        points=tuple((float(a), float(r), float(b)) for a, r, b in np.round(table[::step], 4)),
        p=(shares[0], shares[1], shares[2]),
        labels=(tr("{model} better", model=model_a), tr("practically equal"), tr("{model} better", model=model_b)),
    )


@dataclass(frozen=True, repr=False)
class PowerFigure(FigureData):
    """Power against sample size (or difference).

    Examples
    --------
    >>> from bakeoff.figures import power_figure
    >>> figure = power_figure([100, 200, 400], [0.4, 0.7, 0.93])
    >>> figure.title
    'How much data is enough?'
    """

    kind: ClassVar[str] = "power"

    x: tuple[float, ...]
    power: tuple[float, ...]
    target: float
    at: float | None
    x_title: str
    y_title: str


def power_figure(
    x: Sequence[float],
    power: Sequence[float],
    *,
    target: float = 0.8,
    at: float | None = None,
    x_title: str = "",
    title: str = "",
) -> PowerFigure:
    """Collect a power curve.

    Examples
    --------
    >>> from bakeoff.figures import power_figure
    >>> power_figure([100, 200, 400], [0.4, 0.7, 0.93]).kind
    'power'
    """
    return PowerFigure(
        title=title or tr("How much data is enough?"),
        caption=tr("Chance of showing the difference if it is there; the dashed line is the power asked for."),
        x=tuple(float(v) for v in x),
        power=tuple(rounded(np.asarray(power, dtype=np.float64), 4)),
        target=target,
        at=at,
        x_title=x_title or tr("sample size"),
        y_title=tr("power"),
    )


@dataclass(frozen=True, repr=False)
class AdviceTreeFigure(FigureData):
    """The decision guide as a tree of questions.

    Examples
    --------
    >>> from bakeoff.comparison import guide
    >>> from bakeoff.figures import advice_tree_figure
    >>> figure = advice_tree_figure(guide())
    >>> figure.title
    'Which test for which evidence?'
    """

    kind: ClassVar[str] = "advice-tree"

    root: Mapping[str, Any]
    open: bool = False


def advice_tree_figure(
    guide: Guide, *, taken: Mapping[str, str] | None = None, open_all: bool = False
) -> AdviceTreeFigure:
    """Turn the guide of `advise` into nested data; `taken` (question code → answer code) opens that path.

    Examples
    --------
    >>> from bakeoff.comparison import guide
    >>> from bakeoff.figures import advice_tree_figure
    >>> advice_tree_figure(guide()).kind
    'advice-tree'
    """
    return AdviceTreeFigure(
        title=tr("Which test for which evidence?"),
        caption=tr("Answer the questions from the top."),
        root=_branch(guide.root, taken or {}),
        open=open_all,
    )


def _branch(node: Question | Leaf, taken: Mapping[str, str]) -> dict[str, Any]:
    if isinstance(node, Leaf):
        return {"advice": node.title, "why": " ".join(filter(None, (node.reason, node.then)))}
    options = [
        {"answer": a.text, "taken": taken.get(node.code) == a.code, "next": _branch(a.leads_to, taken)}
        for a in node.answers
    ]
    return {"question": node.text, "options": options}
