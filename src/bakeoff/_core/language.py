"""Sentences for people, in English, Spanish or Portuguese.

The English sentence stands in the code, as the template given to `tr`; the other languages are looked up by it in
``locales/<language>.json``. A sentence without a translation is shown in English, and a test lists it.

`tr` speaks at once, in the language of the moment. Notes, checks and designs travel with a result and are read later,
maybe in another language: they are made by `said`, which is the English text and remembers how it was put together, and
are shown by `spoken`.
"""

from __future__ import annotations

import json
import locale
import os
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from importlib import resources
from typing import Any

from bakeoff._core.errors import unknown_choice

LANGUAGES = ("en", "es", "pt")

# Words that stand in results and tables, not in sentences; `spoken` finds them in the catalogues.
HEADINGS = (
    "better", "bounds", "classes", "closeness", "conclusion", "dataset", "done", "effect", "effect_size", "error",
    "estimate", "failed", "fold", "groups", "high", "kind", "low", "meaning", "measure", "message", "method", "missing",
    "model", "model_a", "model_b", "models", "needs", "pc_high", "pc_low", "planned", "pvalue", "pvalue_adjusted",
    "repeat", "rows", "seed", "slope_high", "slope_low", "splits", "task", "threshold",
)  # fmt: skip
VALUES = (
    "no difference shown", "a is better", "b is better", "undefined", "labels", "scores", "probabilities", "values",
    "Cohen's dz", "Cohen's g", "Cohen's h", "rank-biserial correlation", "wins minus losses", "standardised difference",
    "normality", "outliers", "discordant", "sphericity", "variance-ratio", "ties",
)  # fmt: skip

_active: ContextVar[str] = ContextVar("bakeoff_language", default="en")


def tr(template: str, /, **values: Any) -> str:
    """Return the sentence in the active language with its values filled in (``{name}`` fields, str.format rules)."""
    translated = catalogue(_active.get()).get(template) or template
    return translated.format(**values) if values else translated


class Sentence(str):
    """An English sentence that can be said again in another language; a plain `str` to everyone else."""

    template: str
    values: dict[str, Any]

    def __new__(cls, template: str, values: dict[str, Any]) -> Sentence:
        """Fill the template in English."""
        made = super().__new__(cls, template.format(**values) if values else template)
        made.template, made.values = template, values
        return made

    def __getnewargs__(self) -> tuple[str, dict[str, Any]]:  # type: ignore[override]
        """What pickle needs to make it again."""
        return self.template, self.values


def said(template: str, /, **values: Any) -> Sentence:
    """Return the sentence in English, able to be `spoken` later in the language of the reader."""
    return Sentence(template, values)


def spoken(text: str) -> str:
    """Say a text in the active language: sentences made by `said`, and single words and labels of the catalogue."""
    if _active.get() == "en":
        return str(text)
    if not isinstance(text, Sentence):
        return catalogue(_active.get()).get(text) or text
    values = {name: spoken(value) if isinstance(value, Sentence) else value for name, value in text.values.items()}
    translated = catalogue(_active.get()).get(text.template) or text.template
    return translated.format(**values) if values else translated


def heading(name: str) -> str:
    """Say a column's name of a result's frame in the active language; a model's name is left as it is."""
    return spoken(name) if name in HEADINGS else name


def current_language() -> str:
    """Return the active language: ``"en"`` unless `language` was entered."""
    return _active.get()


def set_language(name: str) -> None:
    """Speak `name` from here on; the command line calls this once."""
    if name not in LANGUAGES:
        raise unknown_choice("language", name, LANGUAGES)
    _active.set(name)


@contextmanager
def language(name: str) -> Iterator[None]:
    """Speak `name` (``en``, ``es`` or ``pt``) inside the ``with`` block."""
    if name not in LANGUAGES:
        raise unknown_choice("language", name, LANGUAGES)
    token = _active.set(name)
    try:
        yield
    finally:
        _active.reset(token)


def language_of_locale() -> str:
    """Return the language of the user's locale if we speak it, else English."""
    # The variables first, in POSIX's order: getlocale knows only locales that are installed on the machine.
    named = (os.environ.get(name) for name in ("LC_ALL", "LC_MESSAGES", "LANG"))
    found = next((value for value in named if value), None) or locale.getlocale()[0] or "en"
    code = found[:2].lower()
    return code if code in LANGUAGES else "en"


@cache
def catalogue(name: str) -> dict[str, str]:
    """Return the translations of one language, English template → sentence; empty for English."""
    if name == "en":
        return {}
    text = resources.files("bakeoff._core").joinpath("locales", f"{name}.json").read_text(encoding="utf-8")
    loaded: dict[str, str] = json.loads(text)
    return loaded
