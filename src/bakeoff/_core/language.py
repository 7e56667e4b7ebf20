"""Sentences for people, in English, Spanish or Portuguese.

The English sentence stands in the code, as the template given to `tr`; the other languages are looked up by it in
``locales/<language>.json``. A sentence without a translation is shown in English, and a test lists it.
"""

from __future__ import annotations

import json
import locale
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from importlib import resources
from typing import Any

from bakeoff._core.errors import unknown_choice

LANGUAGES = ("en", "es", "pt")

_active: ContextVar[str] = ContextVar("bakeoff_language", default="en")


def tr(template: str, /, **values: Any) -> str:
    """Return the sentence in the active language with its values filled in (``{name}`` fields, str.format rules)."""
    translated = catalogue(_active.get()).get(template) or template
    return translated.format(**values) if values else translated


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
    code = (locale.getlocale()[0] or "en")[:2].lower()
    return code if code in LANGUAGES else "en"


@cache
def catalogue(name: str) -> dict[str, str]:
    """Return the translations of one language, English template → sentence; empty for English."""
    if name == "en":
        return {}
    text = resources.files("bakeoff._core").joinpath("locales", f"{name}.json").read_text(encoding="utf-8")
    loaded: dict[str, str] = json.loads(text)
    return loaded
