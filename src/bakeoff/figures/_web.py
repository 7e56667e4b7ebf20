"""The web modules: plain ES modules in `web/`, inlined into one script for a report, served as they are by the app."""

from __future__ import annotations

import json
import re
from functools import cache
from importlib import resources
from typing import Any

from bakeoff._core.language import current_language, render

_IMPORT = re.compile(r'^import \{([^}]*)\} from "\./([a-z-]+)\.js";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async )?(?:function|const|let|class)\b)", re.MULTILINE)
_WORDS = re.compile(r"^(?:export )?const [A-Z]+_TEXT = \{(.*?)^\};", re.MULTILINE | re.DOTALL)


def web_text(name: str) -> str:
    """Return the text of a file of `figures/web`."""
    return resources.files("bakeoff.figures").joinpath("web", name).read_text(encoding="utf-8")


@cache
def english_words(module: str) -> dict[str, str]:
    """Return the words of a web module, its ``const …_TEXT``, by key: they are written there and nowhere else."""
    found = _WORDS.search(web_text(f"{module}.js"))
    return dict(re.findall(r'(\w+): "([^"]*)"', found[1])) if found else {}


def page_words(module: str) -> dict[str, str]:
    """Return the words of a web module in the active language; nothing for English, which the module has."""
    if current_language() == "en":
        return {}
    return {key: render(word) for key, word in english_words(module).items()}


def words_of(module: str) -> dict[str, str]:
    """Return the words of a web module in the active language, English included."""
    return {**english_words(module), **page_words(module)}


@cache
def bundle(*names: str) -> str:
    """Inline modules and what they import, dependencies first, into one strict script.

    Modules use only ``import { a } from "./b.js";`` and ``export function/const``, and their top-level names are
    unique, so taking the two words away is all there is to do.
    """
    ordered: list[str] = []
    for name in names:
        _visit(name, ordered, ())
    parts = [_EXPORT.sub("", _IMPORT.sub("", web_text(f"{name}.js"))) for name in ordered]
    return '"use strict";\n(() => {\n' + "\n".join(parts) + "\n})();\n"


def _visit(name: str, ordered: list[str], path: tuple[str, ...]) -> None:
    if name in ordered:
        return
    if name in path:
        raise ValueError(f"web modules import each other in a circle: {' → '.join([*path, name])}")
    for match in _IMPORT.finditer(web_text(f"{name}.js")):
        _visit(match.group(2), ordered, (*path, name))
    ordered.append(name)


def script_json(data: Any) -> str:
    """Write JSON that is safe inside a script element: no tag, comment or line separator can end it early.

    Examples
    --------
    >>> from bakeoff.figures import script_json
    >>> "</script>" in script_json({"title": "</script>"})
    False
    """
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    for character, escape in (
        ("<", "\\u003c"),
        (">", "\\u003e"),
        ("&", "\\u0026"),
        ("\u2028", "\\u2028"),
        ("\u2029", "\\u2029"),
    ):
        text = text.replace(character, escape)
    return text
