"""Making evidence: models × data sets × protocol → a durable store of paired predictions, on one machine or many."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bakeoff._core.lazy import lazy_door

if TYPE_CHECKING:
    from bakeoff.runner._dataset import Dataset
    from bakeoff.runner._experiment import Experiment, Interrupted, run
    from bakeoff.runner._results import Results
    from bakeoff.runner._sources import load_dataset
    from bakeoff.runner._store import Store, StoreError
    from bakeoff.runner._tables import Failures, Plan

    __all__ = [
        "Dataset", "Experiment", "Failures", "Interrupted", "Plan", "Results", "Store", "StoreError", "load_dataset",
        "run",
    ]  # fmt: skip

_EXPORTS = {
    "Dataset": "_dataset",
    "Experiment": "_experiment",
    "Failures": "_tables",
    "Interrupted": "_experiment",
    "Plan": "_tables",
    "Results": "_results",
    "Store": "_store",
    "StoreError": "_store",
    "load_dataset": "_sources",
    "run": "_experiment",
}

__getattr__, __dir__, __all__ = lazy_door(__name__, _EXPORTS)
