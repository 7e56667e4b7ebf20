"""The sample report of the guide: three models, costs, and the explorer."""

from __future__ import annotations

from pathlib import Path

import numpy as np

import bakeoff


def sample_report(path: Path) -> None:
    """Write the report of the models that the gallery draws."""
    rng = np.random.default_rng(1)
    ill = rng.random(600) < 0.3
    signal = ill + rng.normal(0, 0.7, 600)
    noises = {"forest": 0.2, "logistic": 0.4, "tree": 0.9}
    scores = {m: 1 / (1 + np.exp(-3 * (signal + rng.normal(0, n, 600) - 0.5))) for m, n in noises.items()}
    predictions = bakeoff.Predictions.from_arrays(np.where(ill, "ill", "well"), y_score=scores, pos_label="ill")
    context = bakeoff.OperatingContext(prevalence=0.1, cost_fp=100, cost_fn=5000)
    bakeoff.report(predictions, context, title="Three models, at a hospital's costs", rng=0).save(path)
