"""How evidence is made: hold-out, cross-validation, 5×2, leave-out, bootstrap; and tuning that does not leak.

Every protocol is frozen, gives the same splits to all models, knows what it implies for inference, and is also a
scikit-learn splitter: ``cross_val_score(model, X, y, cv=bakeoff.protocols.KFold(5))`` works.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bakeoff.protocols._base import Implications, Protocol, TrainTestSplit
    from bakeoff.protocols._bootstrap import Bootstrap
    from bakeoff.protocols._holdout import HoldOut
    from bakeoff.protocols._kfold import FiveByTwo, KFold, NestedKFold
    from bakeoff.protocols._leave_out import LeaveGroupOut, LeaveOneOut
    from bakeoff.protocols._sklearn import FixedSplits, FromSplitter, as_protocol
    from bakeoff.protocols._tuned import Tuned

    __all__ = [
        "Bootstrap", "FiveByTwo", "FixedSplits", "FromSplitter", "HoldOut", "Implications", "KFold", "LeaveGroupOut",
        "LeaveOneOut", "NestedKFold", "Protocol", "TrainTestSplit", "Tuned", "as_protocol",
    ]  # fmt: skip
else:
    from bakeoff._core.lazy import lazy_exports

    # `Tuned` is a scikit-learn estimator, so its module imports scikit-learn; the rest does so only when it splits.
    __getattr__, __dir__, __all__ = lazy_exports(
        __name__,
        {
            "_base": "Implications Protocol TrainTestSplit",
            "_bootstrap": "Bootstrap",
            "_holdout": "HoldOut",
            "_kfold": "FiveByTwo KFold NestedKFold",
            "_leave_out": "LeaveGroupOut LeaveOneOut",
            "_sklearn": "FixedSplits FromSplitter as_protocol",
            "_tuned": "Tuned",
        },
    )
