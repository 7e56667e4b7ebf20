"""The ledger: several hundred results stay what they were, but for those whose change is explained in changed.md."""

from __future__ import annotations

import sys
from fnmatch import fnmatchcase
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

import cases

FOUND: dict[str, dict[str, tuple[object, object]]] = {}


def found_in(section: str) -> dict[str, tuple[object, object]]:
    if section not in FOUND:
        FOUND[section] = cases.differences(cases.kept().get(section, {}), cases.answers(section))
    return FOUND[section]


def test_the_ledger_holds_several_hundred_results():
    kept = cases.kept()
    assert set(kept) == set(cases.SECTIONS)
    assert sum(map(len, kept.values())) >= 300


def test_a_change_is_seen_unless_it_is_explained():
    old = {"case": {"pairs": {"low": 1.0}, "verdict": "a is better"}, "weighted/case": {"low": 1.0}}
    assert cases.differences(old, {**old, "weighted/case": {"low": 2.0}}) == {}
    assert cases.differences(old, {**old, "weighted/case": {"low": "nan"}}) == {"weighted/case::low": (1.0, "nan")}
    new = {**old, "case": {"pairs": {"low": 1.0 + 1e-8}, "verdict": "a wins"}}
    found = cases.differences(old, new)
    assert set(found) == {"case::pairs.low", "case::verdict"}
    assert set(cases.unexplained(found, ["*::verdict"])) == {"case::pairs.low"}
    assert set(cases.differences(old, {})) == {"case::(case)", "weighted/case::(case)"}


@pytest.mark.parametrize("section", cases.SECTIONS)
def test_results_are_unchanged_or_explained(section):
    assert cases.unexplained(found_in(section), cases.reasons()) == {}


def test_every_explanation_is_still_needed():
    differing = [key for section in cases.SECTIONS for key in found_in(section)]
    reasons = cases.reasons()
    assert all(reasons.values())
    stale = [pattern for pattern in reasons if not any(fnmatchcase(key, pattern) for key in differing)]
    assert stale == []
