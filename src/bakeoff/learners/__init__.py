"""Learning under imbalance and cost: scikit-learn estimators that drop into any pipeline, search or experiment.

When the evaluation says that the default classifier is the wrong one for the costs, the cure is here: decide by
expected cost, move the threshold, relabel (MetaCost), reweight, resample, correct the priors, or combine models by
their ROC hull. Cost matrices have true classes in rows and predicted ones in columns, in sorted class order or
labelled.
"""

from __future__ import annotations

from bakeoff.learners._cost_sensitive import CostSensitiveClassifier
from bakeoff.learners._costs import check_cost_matrix, decide_min_cost
from bakeoff.learners._hull import HullClassifier
from bakeoff.learners._hull_rules import Mixture
from bakeoff.learners._metacost import MetaCostClassifier
from bakeoff.learners._pipelines import oversample_pipeline, smote_pipeline, smote_wilson_pipeline, undersample_pipeline
from bakeoff.learners._prior import PriorCorrectedClassifier, correct_prior
from bakeoff.learners._scorer import make_cost_scorer
from bakeoff.learners._threshold import ThresholdClassifier
from bakeoff.learners._votes import VotesClassifier, ensemble_curve
from bakeoff.learners._weights import cost_class_weight, cost_sample_weight
from bakeoff.learners._wilson import WilsonEditing

__all__ = [
    "CostSensitiveClassifier", "HullClassifier", "MetaCostClassifier", "Mixture", "PriorCorrectedClassifier",
    "ThresholdClassifier", "VotesClassifier", "WilsonEditing", "check_cost_matrix", "correct_prior",
    "cost_class_weight", "cost_sample_weight", "decide_min_cost", "ensemble_curve", "make_cost_scorer",
    "oversample_pipeline", "smote_pipeline", "smote_wilson_pipeline", "undersample_pipeline",
]  # fmt: skip
