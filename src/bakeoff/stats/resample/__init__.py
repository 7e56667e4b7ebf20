"""The resampling engine: every bootstrap and permutation of the product stands on these functions.

Arrays in, arrays out. Every function takes ``rng`` (a seed or a generator); the same seed gives the same answer
whatever the number of threads, and whether the C or the NumPy kernels run.

Bootstrap (exact multinomial counts; ``strata``/``stratified`` and ``groups`` give the stratified and cluster versions)

==============================  ========================================================================================
`cell_bootstrap`                a confusion table or any table of counts: ``cells → [B, *cells.shape]``
`weighted_cell_bootstrap`       the same from rows with weights: ``[B, n_cells]``
`auc_bootstrap`                 AUC of k models, paired: ``positive [n], scores [n, k] → [B, k]``
`tally_bootstrap`               replicate tallies (positives and negatives at each distinct score), chunk by chunk
`map_tallies`                   a function of tallies on every replicate: KS, H, ROC and cost bands
`ranked_draws`                  average precision and partial AUC of k models, sorted once: ``[B, k]``
`binned_draws`                  rows drawn in each bin, in the bag and out of it, block by block
`sum_bootstrap`                 sums of k columns jointly: ``[n, k] → [B, k]``
`mean_bootstrap`                means of k columns (log loss, Brier, MSE, MAE), weighted or not: ``[n, k] → [B, k]``
`row_weights`, `map_weights`    weights ``[b, n]`` chunk by chunk, for measures that accept weights
`map_rows`                      row numbers of one sample after the other, the last resort
==============================  ========================================================================================

Permutation

==============================  ========================================================================================
`sign_flip`                     Σ ± contribution: ``[n, k] → [B, k]``
`auc_swap_contributions`        contributions that make `sign_flip` the paired permutation of AUC(a) − AUC(b)
`permutation_pvalue`            (1 + #) / (B + 1)
`exact_swap_pvalue`             accuracy: the exact binomial instead
==============================  ========================================================================================

Closed forms

==============================  ========================================================================================
`ideal_auc_variance`            the bootstrap variance of AUC for B → ∞; `ideal_auc_covariance` for several models
`acceleration_from_influence`   BCa's acceleration from any of these
==============================  ========================================================================================
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bakeoff.stats._kernels import active_path, called_counts, running_counts, slice_powers, slice_sums
    from bakeoff.stats.resample._auc import auc_bootstrap, auc_of_tallies
    from bakeoff.stats.resample._bootstrap_interval import (
        BootstrapIntervalResult,
        acceleration_from_influence,
        bootstrap_interval,
    )
    from bakeoff.stats.resample._cells import cell_bootstrap, weighted_cell_bootstrap
    from bakeoff.stats.resample._ideal import ideal_auc_covariance, ideal_auc_variance
    from bakeoff.stats.resample._nested_cv import NestedCVResult, nested_cv
    from bakeoff.stats.resample._no_information import no_information_loss, no_information_rate
    from bakeoff.stats.resample._permutation import (
        auc_swap_contributions,
        exact_swap_pvalue,
        permutation_pvalue,
        sign_flip,
    )
    from bakeoff.stats.resample._point632 import (
        BootstrapErrorResult,
        LeaveOneOutBootstrapResult,
        bootstrap_error,
        err632,
        err632_plus,
        leave_one_out_bootstrap,
    )
    from bakeoff.stats.resample._rankings import RankedDraws, ranked_draws
    from bakeoff.stats.resample._rows import map_rows, map_weights, row_weights
    from bakeoff.stats.resample._sums import mean_bootstrap, sum_bootstrap
    from bakeoff.stats.resample._tallies import TallyChunk, distinct_scores, map_tallies, tally_bootstrap
    from bakeoff.stats.resample._units import Bins, binned_draws

    __all__ = [
        "Bins", "BootstrapErrorResult", "BootstrapIntervalResult", "LeaveOneOutBootstrapResult", "NestedCVResult",
        "RankedDraws", "TallyChunk", "acceleration_from_influence", "active_path", "auc_bootstrap", "auc_of_tallies",
        "auc_swap_contributions", "binned_draws", "bootstrap_error", "bootstrap_interval", "called_counts",
        "cell_bootstrap",
        "distinct_scores", "err632", "err632_plus", "exact_swap_pvalue", "ideal_auc_covariance", "ideal_auc_variance",
        "leave_one_out_bootstrap", "map_rows", "map_tallies", "map_weights", "mean_bootstrap", "nested_cv",
        "no_information_loss", "no_information_rate", "permutation_pvalue", "ranked_draws", "row_weights",
        "running_counts", "sign_flip", "slice_powers", "slice_sums", "sum_bootstrap", "tally_bootstrap",
        "weighted_cell_bootstrap",
    ]  # fmt: skip
else:
    from bakeoff._core.lazy import lazy_exports

    __getattr__, __dir__, __all__ = lazy_exports(
        __name__,
        {
            "bakeoff.stats._kernels": "active_path called_counts running_counts slice_powers slice_sums",
            "_auc": "auc_bootstrap auc_of_tallies",
            "_bootstrap_interval": "BootstrapIntervalResult acceleration_from_influence bootstrap_interval",
            "_cells": "cell_bootstrap weighted_cell_bootstrap",
            "_ideal": "ideal_auc_covariance ideal_auc_variance",
            "_nested_cv": "NestedCVResult nested_cv",
            "_no_information": "no_information_loss no_information_rate",
            "_permutation": "auc_swap_contributions exact_swap_pvalue permutation_pvalue sign_flip",
            "_point632": "BootstrapErrorResult LeaveOneOutBootstrapResult bootstrap_error err632"
            " err632_plus leave_one_out_bootstrap",
            "_rankings": "RankedDraws ranked_draws",
            "_rows": "map_rows map_weights row_weights",
            "_sums": "mean_bootstrap sum_bootstrap",
            "_tallies": "TallyChunk distinct_scores map_tallies tally_bootstrap",
            "_units": "Bins binned_draws",
        },
    )
