from __future__ import annotations

from bakeoff.figures._base import styles_of


def test_a_model_keeps_its_style() -> None:
    some, more = styles_of(("a", "b")), styles_of(("a", "b", "c", "always 0"), ("always 0",))
    assert some["a"] == more["a"]
    many = styles_of([f"m{i}" for i in range(30)])
    assert len({(s.colour, s.dash) for s in many.values()}) == 30
    assert more["always 0"].dash
    assert more["always 0"].marker == "cross"


def contrast(one: str, two: str) -> float:
    def luminance(colour: str) -> float:
        parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
        r, g, b = (v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in parts)
        return 0.2126 * r + 0.7152 * g + 0.0722 * b

    low, high = sorted((luminance(one), luminance(two)))
    return (high + 0.05) / (low + 0.05)


def test_colours_can_be_seen_on_both_papers() -> None:
    for style in styles_of([f"m{i}" for i in range(10)] + ["t"], ("t",)).values():
        assert contrast(style.colour, "#ffffff") >= 3
        assert contrast(style.colour_dark, "#14171c") >= 3
