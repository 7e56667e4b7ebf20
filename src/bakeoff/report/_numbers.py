"""One way to write numbers on a page: as many decimals as the interval bears, a true minus, a sign for leads."""

from __future__ import annotations

import math

from bakeoff._core.language import in_marks, translate


def decimals(low: float, high: float, *, fallback: int = 3) -> int:
    """Decimals so that half the width of the interval has two digits."""
    half = (high - low) / 2
    if not (math.isfinite(half) and half > 1e-9):
        return fallback
    return min(6, max(0, 1 - math.floor(math.log10(half))))


def fixed(value: float, digits: int) -> str:
    """A number with so many decimals, thousands apart; a dash for none."""
    return in_marks(f"{value:,.{digits}f}").replace("-", "−") if math.isfinite(value) else "–"


def signed(value: float, digits: int) -> str:
    """A lead: always with its sign."""
    return in_marks(f"{value:+,.{digits}f}").replace("-", "−") if math.isfinite(value) else "–"


def interval(low: float, high: float, digits: int) -> str:
    """'(13.2 to 35.9)'; nothing where there is none."""
    if not (math.isfinite(low) and math.isfinite(high)) or low == high:
        return ""
    return f"({fixed(low, digits)} {translate('to')} {fixed(high, digits)})"


def amount(value: float) -> str:
    """A price that somebody gave: as it is, thousands apart."""
    return in_marks(f"{value:,.10g}")


def rough(value: float) -> str:
    """Two digits: what an 'about' can promise."""
    digits = 1 - math.floor(math.log10(value)) if value > 0 else 0
    return in_marks(f"{round(value, digits):,.0f}")
