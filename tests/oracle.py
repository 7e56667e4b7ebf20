"""Reader of the golden answers: computed by R, Weka and others, or printed in papers (`tests/golden/README.md`)."""

from __future__ import annotations

import json
import math
from functools import cache
from pathlib import Path
from typing import Any

GOLDEN = Path(__file__).parent / "golden"
_SPECIAL = {"NaN": math.nan, "Infinity": math.inf, "-Infinity": -math.inf}


def _numbers(value: Any) -> Any:
    if isinstance(value, str):
        return _SPECIAL.get(value, value)
    if isinstance(value, list):
        return [_numbers(v) for v in value]
    if isinstance(value, dict):
        return {k: _numbers(v) for k, v in value.items()}
    return value


@cache
def _all_cases() -> list[dict[str, Any]]:
    names = ("r_and_weka", "structure", "flips", "additive", "decision_curve_and_calibration")
    files = [f"{name}_cases.json" for name in names]
    cases = [case for name in files for case in json.loads((GOLDEN / name).read_text())["cases"]]
    return [{**c, "expected": _numbers(c["expected"]), "input": _numbers(c["input"])} for c in cases]


def cases(procedure: str) -> list[dict[str, Any]]:
    """All golden cases of one procedure."""
    found = [c for c in _all_cases() if c["procedure"] == procedure]
    assert found, f"no golden case for {procedure!r}"
    return found


@cache
def worked_examples(which: str) -> dict[str, Any]:
    """The worked examples of papers and lectures: which = 'tests' or 'roc_cost'."""
    loaded: dict[str, Any] = _numbers(json.loads((GOLDEN / f"worked_examples_{which}.json").read_text()))
    return loaded


def assert_case(case: dict[str, Any], got: Any, expected: Any = None, tolerance: Any = None, path: str = "") -> None:
    """Hold every key of `got` to the case's expected value at the case's tolerance."""
    expected = case["expected"] if expected is None and not path else expected
    tolerance = tolerance or case["tolerance"]
    if isinstance(got, dict):
        for key, value in got.items():
            assert key in expected, f"{case['id']}{path}: unknown key {key!r}"
            finer = case["tolerance"].get("per_key", {}).get(key, tolerance)
            assert_case(case, value, expected[key], finer, f"{path}/{key}")
    elif isinstance(got, (list, tuple)) or (hasattr(got, "ndim") and got.ndim):
        assert len(got) == len(expected), f"{case['id']}{path}: {len(got)} values, expected {len(expected)}"
        for index, value in enumerate(got):
            assert_case(case, value, expected[index], tolerance, f"{path}[{index}]")
    elif isinstance(expected, (int, float)) and not isinstance(expected, bool):
        number = float(got)
        both_nan = math.isnan(number) and math.isnan(expected)
        limit = tolerance["atol"] + tolerance["rtol"] * abs(expected)
        assert both_nan or number == expected or abs(number - expected) <= limit, (
            f"{case['id']}{path}: got {number!r}, expected {expected!r}"
        )
    elif expected is not None:
        assert got == expected, f"{case['id']}{path}: got {got!r}, expected {expected!r}"
