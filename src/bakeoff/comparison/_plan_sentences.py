"""A plan in sentences: what a difference needs, what the data at hand can show, and what was supposed."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING

from bakeoff._core.language import tr
from bakeoff.comparison._catalogue import title
from bakeoff.comparison._words import measure_word

if TYPE_CHECKING:
    from bakeoff.comparison._plan import Plan


def _unit_word(unit: str) -> str:
    return {"instances": tr("test instances"), "splits": tr("train/test splits"), "data sets": tr("data sets")}[unit]


def needed_sentences(plan: Plan) -> list[str]:
    """How many units the difference takes, or that no number of them is enough."""
    if plan.difference is None:
        return []
    values = {
        "d": f"{plan.difference:g}", "measure": measure_word(plan.measure), "power": f"{100 * plan.power:g}",
        "test": title(plan.test), "unit": _unit_word(plan.unit), "alpha": f"{plan.alpha:.3g}",
    }  # fmt: skip
    if plan.needed is None:
        return [
            tr(
                "No number of {unit} shows a difference of {d} in {measure} with {power} % power: repeats share the "
                "same rows, and only more data help.",
                **values,
            )
        ]
    said = [
        tr(
            "To show a difference of {d} in {measure} with {power} % power, {test} needs {n} {unit} (two-sided, α = "
            "{alpha}).",
            **values, n=f"{plan.needed:,}".replace(",", " "),
        )
    ]  # fmt: skip
    if plan.n_comparisons > 1:
        said.append(tr("α is shared among {m} comparisons of {k} models.", m=plan.n_comparisons, k=plan.n_models))
    return said


def seen_sentences(plan: Plan) -> list[str]:
    """What the units at hand can show."""
    if plan.n is None:
        return []
    said = []
    n, unit = f"{plan.n:,}".replace(",", " "), _unit_word(plan.unit)
    if plan.power_now is not None:
        said.append(tr("With {n} {unit} the power is {p} %.", n=n, unit=unit, p=f"{100 * plan.power_now:.0f}"))
    if plan.detectable is not None and math.isfinite(plan.detectable):
        said.append(
            tr(
                "The smallest difference in {measure} that {n} {unit} show with {power} % power is {d}.",
                measure=measure_word(plan.measure), n=n, unit=unit, power=f"{100 * plan.power:g}",
                d=f"{plan.detectable:.3g}",
            )
        )  # fmt: skip
    else:
        said.append(tr("With {n} {unit} no difference can be shown with that power.", n=n, unit=unit))
    return said


def assumed_sentence(plan: Plan) -> str:
    """What was supposed about the models."""
    said: dict[str, Callable[[str], str]] = {
        "discordant": lambda x: tr("exactly one of the two models is right on {x} of the instances", x=x),
        "baseline": lambda x: tr("the model to beat has {measure} {x}", measure=measure_word(plan.measure), x=x),
        "prevalence": lambda x: tr("{x} of the instances are positive", x=x),
        "correlation": lambda x: tr("the two models' scores correlate at {x} within a class", x=x),
        "sd": lambda x: tr("the differences have a standard deviation of {x}", x=x),
    }
    parts = [say(f"{plan.assumptions[key]:.3g}") for key, say in said.items() if key in plan.assumptions]
    return tr("This supposes that {assumptions}.", assumptions="; ".join(parts))
