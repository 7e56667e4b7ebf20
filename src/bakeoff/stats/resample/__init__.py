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

from bakeoff._core.lazy import lazy_exports

__getattr__, __dir__, __all__ = lazy_exports(__name__)
