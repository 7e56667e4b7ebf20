"""How evidence is made: hold-out, cross-validation, 5×2, leave-out, bootstrap; and tuning that does not leak.

Every protocol is frozen, gives the same splits to all models, knows what it implies for inference, and is also a
scikit-learn splitter: ``cross_val_score(model, X, y, cv=bakeoff.protocols.KFold(5))`` works.
"""

from bakeoff._core.lazy import lazy_exports

# `Tuned` is a scikit-learn estimator, so its module imports scikit-learn; the rest does so only when it splits.
__getattr__, __dir__, __all__ = lazy_exports(__name__)
