"""ROC curves of each class against the rest."""

from __future__ import annotations

import pytest

from bakeoff.decision import roc_one_vs_rest
from bakeoff.evidence import Predictions
from bakeoff.figures import class_roc_figure


def test_areas_are_those_of_one_against_the_rest(classes: Predictions) -> None:
    figure = class_roc_figure(classes, "near")
    found = roc_one_vs_rest(classes)
    assert [c["model"] for c in figure.curves] == ["ant", "bee", "cat"]
    for curve in figure.curves:
        assert curve["auc"] == pytest.approx(found[curve["model"]].curves["near"].auc)
        assert (curve["fpr"][0], curve["tpr"][0], curve["fpr"][-1], curve["tpr"][-1]) == (0, 0, 1, 1)
