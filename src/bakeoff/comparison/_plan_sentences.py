"""A plan in sentences: what a difference needs, what the data at hand can show, and what was supposed."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING

from bakeoff._core.language import Text, joined, numeral
from bakeoff.measures import label_of

if TYPE_CHECKING:
    from bakeoff.comparison._plan import Plan


def unit_word(unit: str) -> Text:
    """What is counted, as sentences call it."""
    return {"instances": Text("test instances"), "splits": Text("train/test splits"), "data sets": Text("data sets")}[
        unit
    ]


def needed_sentences(plan: Plan) -> list[Text]:
    """How many units the difference takes, or that no number of them is enough."""
    if plan.difference is None:
        return []
    values = {
        "d": numeral(plan.difference), "measure": label_of(plan.measure), "power": numeral(100 * plan.power),
        "test": plan._label, "unit": unit_word(plan.unit), "alpha": numeral(plan.alpha, ".3g"),
    }  # fmt: skip
    if plan.needed is None:
        return [
            Text(
                "No number of {unit} shows a difference of {d} in {measure} with {power} % power: repeats share the "
                "same rows, and only more data help.",
                **values,
            )
        ]
    found = [
        Text(
            "To show a difference of {d} in {measure} with {power} % power, {test} needs {n} {unit} (two-sided, α = "
            "{alpha}).",
            **values, n=numeral(plan.needed, ","),
        )
    ]  # fmt: skip
    if plan.n_comparisons > 1:
        found.append(Text("α is shared among {m} comparisons of {k} models.", m=plan.n_comparisons, k=plan.n_models))
    return found


def seen_sentences(plan: Plan) -> list[Text]:
    """What the units at hand can show."""
    if plan.n is None:
        return []
    found = []
    n, unit = numeral(plan.n, ","), unit_word(plan.unit)
    if plan.power_now is not None:
        found.append(
            Text("With {n} {unit} the power is {p} %.", n=n, unit=unit, p=numeral(100 * plan.power_now, ".0f"))
        )
    if plan.detectable is not None and math.isfinite(plan.detectable):
        found.append(
            Text(
                "The smallest difference in {measure} that {n} {unit} show with {power} % power is {d}.",
                measure=label_of(plan.measure), n=n, unit=unit, power=numeral(100 * plan.power),
                d=numeral(plan.detectable, ".3g"),
            )
        )  # fmt: skip
    else:
        found.append(Text("With {n} {unit} no difference can be shown with that power.", n=n, unit=unit))
    return found


def assumed_sentence(plan: Plan) -> Text:
    """What was supposed about the models."""
    phrases: dict[str, Callable[[Text], Text]] = {
        "discordant": lambda x: Text("exactly one of the two models is right on {x} of the instances", x=x),
        "baseline": lambda x: Text("the model to beat has {measure} {x}", measure=label_of(plan.measure), x=x),
        "prevalence": lambda x: Text("{x} of the instances are positive", x=x),
        "correlation": lambda x: Text("the two models' scores correlate at {x} within a class", x=x),
        "counted": lambda x: Text("the measure is about {x} of the instances, those of one class", x=x),
        "pilot_se": lambda x: Text(
            "the difference varies as in the pilot, whose standard error is {x} on {n:.0f} rows",
            x=x,
            n=plan.assumptions["pilot_rows"],
        ),
        "design_effect": lambda x: Text("rows of one group are so alike that variances are {x} times as large", x=x),
        "sd": lambda x: Text("the differences have a standard deviation of {x}", x=x),
    }
    parts = [
        phrase(numeral(plan.assumptions[key], ".3g")) for key, phrase in phrases.items() if key in plan.assumptions
    ]
    return Text("This supposes that {assumptions}.", assumptions=joined(parts, "; "))
