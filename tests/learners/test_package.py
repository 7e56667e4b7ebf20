"""The package: light to import, its names sorted and complete."""

from __future__ import annotations

import subprocess
import sys

from sklearn.naive_bayes import GaussianNB

import bakeoff.learners
from bakeoff._core.result import jsonable


def imported_by(statement: str) -> set[str]:
    code = f"{statement}; import sys; print('\\n'.join(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return {name.split(".")[0] for name in done.stdout.split()}


def test_bakeoff_imports_no_learner_library():
    assert not imported_by("import bakeoff") & {"sklearn", "imblearn"}


def test_the_learners_import_no_optional_library():
    found = imported_by("import bakeoff.learners")
    assert "sklearn" in found
    assert "imblearn" not in found
    assert "matplotlib" not in found


def test_public_names():
    assert bakeoff.learners.__all__ == sorted(bakeoff.learners.__all__)
    for name in bakeoff.learners.__all__:
        assert getattr(bakeoff.learners, name).__doc__


def test_a_learner_is_written_as_estimators_are():
    learner = bakeoff.learners.ThresholdClassifier(GaussianNB())
    assert jsonable(learner) == repr(learner) == "ThresholdClassifier(estimator=GaussianNB())"
