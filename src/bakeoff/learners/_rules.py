"""Rules in words: ``"recall >= 0.9"`` and ``"fpr = 0.1"``, read and applied to points of ROC space."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from bakeoff._core.errors import ParameterError, unknown_choice
from bakeoff._core.validation import BoolArray, FloatArray, check_number


def _precision(fpr: FloatArray, tpr: FloatArray, prevalence: float) -> FloatArray:
    return _share(prevalence * tpr, (1 - prevalence) * fpr)


def _npv(fpr: FloatArray, tpr: FloatArray, prevalence: float) -> FloatArray:
    return _share((1 - prevalence) * (1 - fpr), prevalence * (1 - tpr))


def _share(right: FloatArray, wrong: FloatArray) -> FloatArray:
    """right / (right + wrong), NaN where nothing was called so."""
    total = right + wrong
    return np.divide(right, total, out=np.full_like(total, np.nan), where=total > 0)


Rate = Callable[[FloatArray, FloatArray, float], FloatArray]

RATES: dict[str, Rate] = {
    "recall": lambda fpr, tpr, prevalence: tpr,
    "tpr": lambda fpr, tpr, prevalence: tpr,
    "sensitivity": lambda fpr, tpr, prevalence: tpr,
    "fnr": lambda fpr, tpr, prevalence: 1 - tpr,
    "fpr": lambda fpr, tpr, prevalence: fpr,
    "specificity": lambda fpr, tpr, prevalence: 1 - fpr,
    "tnr": lambda fpr, tpr, prevalence: 1 - fpr,
    "precision": _precision,
    "npv": _npv,
    "selected": lambda fpr, tpr, prevalence: prevalence * tpr + (1 - prevalence) * fpr,
}

_PATTERN = re.compile(r"\s*([A-Za-z_]+)\s*(>=|<=|≥|≤|=)\s*([0-9.eE+-]+)\s*")


@dataclass(frozen=True)
class Rule:
    """A rate, how it must compare, and with what."""

    rate: str
    sense: str
    value: float

    def of(self, fpr: FloatArray, tpr: FloatArray, prevalence: float) -> FloatArray:
        """Return the rate at each point."""
        return RATES[self.rate](fpr, tpr, prevalence)

    def holds(self, fpr: FloatArray, tpr: FloatArray, prevalence: float) -> BoolArray:
        """Tell which points satisfy the rule; an undefined rate does not. Rounding noise is forgiven."""
        rate = self.of(fpr, tpr, prevalence)
        return np.asarray(rate >= self.value - 1e-12 if self.sense == ">=" else rate <= self.value + 1e-12)

    def __str__(self) -> str:
        return f"{self.rate} {self.sense} {self.value:g}"


def parse_constraint(text: object) -> Rule:
    """Read ``"recall >= 0.9"``: a rate, ``>=`` or ``<=``, a number in [0, 1]."""
    rule = _parse("constraint", text, "'recall >= 0.9'")
    if rule.sense == "=":
        raise ParameterError(f"constraint must use >= or <=. Got {text!r} instead.")
    return rule


def parse_target(text: object) -> Rule:
    """Read ``"fpr = 0.1"``: one of the rates that rise along an ROC hull, and its value."""
    rule = _parse("target", text, "'fpr = 0.1'")
    rising = ("fpr", "tpr", "recall", "sensitivity", "selected")
    if rule.sense != "=" or rule.rate not in rising:
        raise ParameterError(f"target must be 'fpr = …', 'tpr = …' or 'selected = …'. Got {text!r} instead.")
    return rule


def _parse(name: str, text: object, example: str) -> Rule:
    found = _PATTERN.fullmatch(text) if isinstance(text, str) else None
    if found is None:
        raise ParameterError(f"{name} must be a sentence such as {example}. Got {text!r} instead.")
    rate, sense, value = found.groups()
    if rate not in RATES:
        raise unknown_choice(f"the rate in {name}", rate, RATES)
    sense = {"≥": ">=", "≤": "<="}.get(sense, sense)
    return Rule(rate, sense, check_number(name, value, low=0.0, high=1.0))
