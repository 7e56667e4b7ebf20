"""Posterior probabilities that one model is better, practically equivalent or worse."""

from bakeoff.stats.bayes._correlated_t import BayesCorrelatedTResult, bayes_correlated_t
from bakeoff.stats.bayes._hierarchical import BayesHierarchicalResult, bayes_hierarchical
from bakeoff.stats.bayes._sign import BayesSignResult, bayes_sign
from bakeoff.stats.bayes._signed_rank import BayesSignedRankResult, bayes_signed_rank

__all__ = [
    "BayesCorrelatedTResult", "BayesHierarchicalResult", "BayesSignResult", "BayesSignedRankResult",
    "bayes_correlated_t", "bayes_hierarchical", "bayes_sign", "bayes_signed_rank",
]  # fmt: skip
