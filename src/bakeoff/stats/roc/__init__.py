"""Scores of two classes: ROC and precision–recall curves, areas under them, DeLong's tests, hulls and costs."""

from bakeoff.stats.roc._cost_envelope import CostEnvelopeResult, cost_envelope, envelope_of_points
from bakeoff.stats.roc._covariance import auc_covariance, placements
from bakeoff.stats.roc._curve import RocCurveResult, auc, partial_area, partial_auc, roc_curve, roc_from_tally
from bakeoff.stats.roc._delong import DeLongIntervalResult, delong_interval, newcombe_limits
from bakeoff.stats.roc._delong_many import DeLongManyResult, delong_columns, delong_many
from bakeoff.stats.roc._delong_test import DeLongTestResult, delong_test, delong_unpaired
from bakeoff.stats.roc._h_measure import h_from_tally, h_measure
from bakeoff.stats.roc._hull import RocHullResult, auc_hull, hull_of_tally, roc_hull, upper_hull
from bakeoff.stats.roc._input import as_score_vector, check_no_nan
from bakeoff.stats.roc._multiclass_auc import MulticlassAucResult, hand_till_auc, multiclass_auc
from bakeoff.stats.roc._precision_recall import (
    PrecisionRecallResult,
    average_precision,
    average_precision_from_tally,
    kolmogorov_smirnov,
    ks_from_tally,
    precision_recall_curve,
    precision_recall_from_tally,
)
from bakeoff.stats.roc._tally import Tally, auc_from_tally, tally_scores

__all__ = [
    "CostEnvelopeResult", "DeLongIntervalResult", "DeLongManyResult", "DeLongTestResult", "MulticlassAucResult",
    "PrecisionRecallResult", "RocCurveResult", "RocHullResult", "Tally", "as_score_vector", "auc", "auc_covariance",
    "auc_from_tally", "auc_hull", "average_precision", "average_precision_from_tally", "check_no_nan", "cost_envelope",
    "delong_columns", "delong_interval", "delong_many", "delong_test", "delong_unpaired", "envelope_of_points",
    "h_from_tally", "h_measure", "hand_till_auc", "hull_of_tally", "kolmogorov_smirnov", "ks_from_tally",
    "multiclass_auc", "newcombe_limits", "partial_area", "partial_auc", "placements", "precision_recall_curve",
    "precision_recall_from_tally", "roc_curve", "roc_from_tally", "roc_hull", "tally_scores", "upper_hull",
]  # fmt: skip
