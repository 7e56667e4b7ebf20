"""Measures: what is worth knowing about the evidence. `get(name)`, `catalogue()`, and factories with parameters."""

from bakeoff.measures._catalogue import Catalogue, catalogue, find, get, get_all, label_of, register
from bakeoff.measures._compute import (
    Unavailable,
    Value,
    compute,
    compute_by_split,
    default_measures,
    for_rows,
    require,
    score_predictions,
    unavailable,
    undefined_reason,
)
from bakeoff.measures._confusion import expected_cost, f_beta
from bakeoff.measures._hooks import fill_hooks
from bakeoff.measures._measure import NEEDS as NEEDS
from bakeoff.measures._measure import Measure, Trait
from bakeoff.measures._probability import LOG_LOSS_CLIP, calibration_error
from bakeoff.measures._ranking import partial_auc

__all__ = [
    "LOG_LOSS_CLIP",
    "Catalogue",
    "Measure",
    "Trait",
    "Unavailable",
    "Value",
    "calibration_error",
    "catalogue",
    "compute",
    "compute_by_split",
    "default_measures",
    "expected_cost",
    "f_beta",
    "find",
    "for_rows",
    "get",
    "get_all",
    "label_of",
    "partial_auc",
    "register",
    "require",
    "score_predictions",
    "unavailable",
    "undefined_reason",
]

fill_hooks()
