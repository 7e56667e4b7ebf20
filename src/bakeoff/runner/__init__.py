"""Making evidence: models × data sets × protocol → a durable store of paired predictions, on one machine or many."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bakeoff.runner._dataset import Dataset
    from bakeoff.runner._engines import Limits as Limits
    from bakeoff.runner._engines import choose_engine as choose_engine
    from bakeoff.runner._engines import count_jobs as count_jobs
    from bakeoff.runner._experiment import Experiment, Interrupted, run
    from bakeoff.runner._integrity import repair_store as repair_store
    from bakeoff.runner._integrity import verify_store as verify_store
    from bakeoff.runner._mlflow import log_mlflow
    from bakeoff.runner._results import Results
    from bakeoff.runner._sources import load_dataset
    from bakeoff.runner._store import Store, StoreError
    from bakeoff.runner._tables import Failures, RunPlan
    from bakeoff.runner._tables import duration as duration
    from bakeoff.runner._toml import read_experiment as read_experiment

    __all__ = [
        "Dataset", "Experiment", "Failures", "Interrupted", "Results", "RunPlan", "Store", "StoreError", "load_dataset",
        "log_mlflow", "run",
    ]  # fmt: skip
else:
    from bakeoff._core.lazy import lazy_exports

    __getattr__, __dir__, __all__ = lazy_exports(
        __name__,
        {
            "_dataset": "Dataset",
            "_experiment": "Experiment Interrupted run",
            "_mlflow": "log_mlflow",
            "_results": "Results",
            "_sources": "load_dataset",
            "_store": "Store StoreError",
            "_tables": "Failures RunPlan",
        },
        internal={
            "_engines": "Limits choose_engine count_jobs",
            "_integrity": "repair_store verify_store",
            "_tables": "duration",
            "_toml": "read_experiment",
        },
    )
