"""Scores of two classes: ROC and precision–recall curves, areas under them, DeLong's tests, hulls and costs."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bakeoff.stats.roc._cost_envelope import CostEnvelopeResult, cost_envelope, envelope_of_points
    from bakeoff.stats.roc._curve import (
        PrecisionRecallResult,
        RocCurveResult,
        auc,
        average_precision,
        kolmogorov_smirnov,
        partial_area,
        partial_auc,
        precision_recall_curve,
        precision_recall_from_tally,
        roc_curve,
        roc_from_tally,
        standardized_area,
    )
    from bakeoff.stats.roc._delong import (
        DELONG,
        DeLongIntervalResult,
        DeLongTestResult,
        auc_covariance,
        delong_interval,
        delong_test,
        delong_unpaired,
        newcombe_limits,
        placements,
    )
    from bakeoff.stats.roc._delong_many import DeLongManyResult, delong_columns, delong_many
    from bakeoff.stats.roc._h_measure import h_from_tally, h_measure, h_of_hull, prices_of_rows
    from bakeoff.stats.roc._hull import RocHullResult, auc_hull, hull_of_tally, roc_hull, upper_hull
    from bakeoff.stats.roc._multiclass_auc import MulticlassAucResult, hand_till_auc, multiclass_auc
    from bakeoff.stats.roc._tally import (
        Tally,
        as_score_vector,
        auc_from_tally,
        average_precision_from_tally,
        check_no_nan,
        code_order,
        falling_places,
        ks_from_tally,
        sorted_order,
        tally_scores,
    )

    __all__ = [
        "CostEnvelopeResult", "DELONG", "DeLongIntervalResult", "DeLongManyResult", "DeLongTestResult",
        "MulticlassAucResult", "PrecisionRecallResult", "RocCurveResult", "RocHullResult", "Tally", "as_score_vector",
        "auc", "auc_covariance", "auc_from_tally", "auc_hull", "average_precision", "average_precision_from_tally",
        "check_no_nan", "code_order", "cost_envelope", "delong_columns", "delong_interval", "delong_many",
        "delong_test", "delong_unpaired", "envelope_of_points", "falling_places", "h_from_tally", "h_measure",
        "h_of_hull", "hand_till_auc", "hull_of_tally", "kolmogorov_smirnov", "ks_from_tally", "multiclass_auc",
        "newcombe_limits", "partial_area", "partial_auc", "placements", "precision_recall_curve",
        "precision_recall_from_tally", "prices_of_rows", "roc_curve", "roc_from_tally", "roc_hull", "sorted_order",
        "standardized_area", "tally_scores", "upper_hull",
    ]  # fmt: skip
else:
    from bakeoff._core.lazy import lazy_exports

    __getattr__, __dir__, __all__ = lazy_exports(
        __name__,
        {
            "_cost_envelope": "CostEnvelopeResult cost_envelope envelope_of_points",
            "_curve": "PrecisionRecallResult RocCurveResult auc average_precision kolmogorov_smirnov partial_area"
            " partial_auc precision_recall_curve precision_recall_from_tally roc_curve"
            " roc_from_tally standardized_area",
            "_delong": "DELONG DeLongIntervalResult DeLongTestResult auc_covariance delong_interval"
            " delong_test delong_unpaired newcombe_limits placements",
            "_delong_many": "DeLongManyResult delong_columns delong_many",
            "_h_measure": "h_from_tally h_measure h_of_hull prices_of_rows",
            "_hull": "RocHullResult auc_hull hull_of_tally roc_hull upper_hull",
            "_multiclass_auc": "MulticlassAucResult hand_till_auc multiclass_auc",
            "_tally": "Tally as_score_vector auc_from_tally average_precision_from_tally check_no_nan code_order"
            " falling_places ks_from_tally sorted_order tally_scores",
        },
    )
