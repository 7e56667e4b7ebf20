"""Errors in the reader's language.

An error is raised with an English sentence, like those of Python itself: it can be raised anywhere, logged and searched
for. Shown to a person, the sentence is found again by the template it was made from. ``locales/errors.<language>.json``
has an entry for every sentence given to an error, its fields numbered; a test reads the source for them.
"""

from __future__ import annotations

import re
import string
from functools import cache

from bakeoff._core.language import QUOTES, Text, data_of

_LONGEST = 2000  # characters; longer ones mostly quote the user's data, and would take seconds to look up
_NESTED = 3  # an error may quote an error, which names a place in words
_LINE = re.compile(r"\bline (?=\d)")
_QUOTED = re.compile(r"'([^'\n]*)'")


class Said(Text):
    """An error's English sentence as a `Text`."""

    def in_(self, name: str) -> str:
        """Return the sentence in the language `name`."""
        return in_language(self.template, name)


def in_language(sentence: str, name: str, nested: int = _NESTED) -> str:
    """Return an error's English sentence in the language `name`; one that is not known stays as it is."""
    if name == "en" or not nested or len(sentence) > _LONGEST:
        return sentence
    of_rows = _LINE.sub("row ", sentence)  # of a text file the line is named that an editor shows
    for pattern, words in _templates(name):
        found = pattern.fullmatch(sentence) or pattern.fullmatch(of_rows)
        if found:
            shown = words.format(*(_part(part, name, nested - 1) for part in found.groups()))
            return shown if found.string == sentence else shown.replace("fila ", "línea ")  # "linha" is both
    return sentence


def _part(part: str, name: str, nested: int) -> str:
    """A field: names in the quotation marks of the language, or a sentence of its own."""
    known = in_language(part, name, nested)
    return known if known != part else _QUOTED.sub(lambda found: QUOTES[name].format(found[1]), part)


@cache
def _templates(name: str) -> tuple[tuple[re.Pattern[str], str], ...]:
    """Pattern of every template and its words, those with most letters of their own first: they say most."""
    made = []
    for template, words in data_of(f"errors.{name}").items():
        pieces = list(string.Formatter().parse(template))
        pattern = "".join(re.escape(own) + ("" if field is None else "(.*?)") for own, field, _, _ in pieces)
        made.append((sum(len(own) for own, *_ in pieces), re.compile(pattern, re.DOTALL), words))
    made.sort(key=lambda entry: -entry[0])
    return tuple((pattern, words) for _, pattern, words in made)
