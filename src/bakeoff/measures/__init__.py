"""Measures: what is worth knowing about the evidence. `get(name)`, `catalogue()`, and factories with parameters."""

from bakeoff.measures._additive import bleu, of_sums, ratio
from bakeoff.measures._catalogue import Catalogue, catalogue, find, get, get_all, label_of, register
from bakeoff.measures._compute import RARE as RARE
from bakeoff.measures._compute import (
    Unavailable,
    Value,
    as_loss,
    compute,
    compute_by_split,
    default_measure,
    default_measures,
    directed,
    for_rows,
    from_loss,
    left_out_notes,
    losses_of,
    require,
    rows_for,
    score_predictions,
    unavailable,
    undefined_reason,
)
from bakeoff.measures._compute import commonest as commonest
from bakeoff.measures._confusion import expected_cost, f_beta
from bakeoff.measures._hooks import fill_hooks
from bakeoff.measures._measure import NEEDS as NEEDS
from bakeoff.measures._measure import Measure, Trait
from bakeoff.measures._other import pass_at_k, pass_hat_k
from bakeoff.measures._probability import LOG_LOSS_CLIP, calibration_error, net_benefit
from bakeoff.measures._ranking import gain, partial_auc

__all__ = [
    "LOG_LOSS_CLIP",
    "Catalogue",
    "Measure",
    "Trait",
    "Unavailable",
    "Value",
    "as_loss",
    "bleu",
    "calibration_error",
    "catalogue",
    "compute",
    "compute_by_split",
    "default_measure",
    "default_measures",
    "directed",
    "expected_cost",
    "f_beta",
    "find",
    "for_rows",
    "from_loss",
    "gain",
    "get",
    "get_all",
    "label_of",
    "left_out_notes",
    "losses_of",
    "net_benefit",
    "of_sums",
    "partial_auc",
    "pass_at_k",
    "pass_hat_k",
    "ratio",
    "register",
    "require",
    "rows_for",
    "score_predictions",
    "unavailable",
    "undefined_reason",
]

fill_hooks()
