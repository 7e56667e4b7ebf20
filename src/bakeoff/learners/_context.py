"""Input validation of contexts for the learners that take one: two classes or several, costs in class order."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from bakeoff._core.errors import ParameterError
from bakeoff._core.validation import FloatArray
from bakeoff.decision import MulticlassContext, OperatingContext
from bakeoff.learners._costs import align_costs, class_order
from bakeoff.learners._targets import positive_position


def binary_context(
    context: Any, classes: NDArray[Any], pos_label: Any, *, one_sided: bool = False
) -> tuple[OperatingContext, int]:
    """Return the context of two classes and the position of the positive one.

    The positive class must be named or unambiguous if anything depends on it: a context that treats the classes
    differently, or a rule about one of them (`one_sided`).
    """
    if isinstance(context, MulticlassContext):
        return _from_matrix(context, classes, pos_label)
    given = OperatingContext() if context is None else context
    check_context(given)
    position = positive_position(classes, pos_label, symmetric=is_symmetric(given) and not one_sided)
    return given, position


def several_context(context: Any, classes: NDArray[Any]) -> tuple[FloatArray, FloatArray | None]:
    """Return costs and priors (or None) of several classes, in class order."""
    given = check_context(context)
    if given is None:
        return 1.0 - np.eye(len(classes)), None
    if isinstance(given, OperatingContext):
        raise ParameterError(
            f"the context is of two classes, but the data has {len(classes)}: {classes.tolist()[:8]}.",
            hint="give OperatingContext.multiclass(cost_matrix, priors)",
        )
    priors = None if given.priors is None else np.array(given.priors[class_order(given, classes)])
    return align_costs(given, classes), priors


def check_context(context: Any) -> OperatingContext | MulticlassContext | None:
    """Return the context if it is one, or None."""
    if context is None or isinstance(context, (OperatingContext, MulticlassContext)):
        return context
    raise ParameterError(
        f"context must be an OperatingContext. Got {type(context).__name__} instead.",
        hint="OperatingContext(cost_fp=1, cost_fn=5), or OperatingContext.multiclass(cost_matrix)",
    )


def is_symmetric(context: OperatingContext) -> bool:
    """Tell whether exchanging the names of the two classes would change nothing."""
    even = context.prevalence is None or context.prevalence == 0.5
    return even and context.cost_fp == context.cost_fn and context.cost_tp == context.cost_tn


def _from_matrix(context: MulticlassContext, classes: NDArray[Any], pos_label: Any) -> tuple[OperatingContext, int]:
    """Read a 2 × 2 cost matrix; its own order or labels say which class is which."""
    costs, priors = several_context(context, classes)
    p = positive_position(classes, pos_label, symmetric=True)
    n = 1 - p
    prevalence = None if priors is None else float(priors[p])
    binary = OperatingContext(
        prevalence=prevalence,
        cost_fp=float(costs[n, p]),
        cost_fn=float(costs[p, n]),
        cost_tp=float(costs[p, p]),
        cost_tn=float(costs[n, n]),
    )
    return binary, p
