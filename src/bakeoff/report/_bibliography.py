"""BibTeX of what a paper cites: whole entries for the package's own references, what is known for any other."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from importlib import resources

from bakeoff.comparison import Reference
from bakeoff.report._latex import tex

_KEY = re.compile(r"@\w+\{([^,]+),")
_DOI = re.compile(r"doi = \{([^}]+)\}")
_PARTS = re.compile(r"(?P<authors>.+?) \((?P<year>\d{4})\), (?P<title>.+)", re.DOTALL)


@cache
def _entries() -> dict[str, str]:
    text = (resources.files("bakeoff.report") / "references.bib").read_text(encoding="utf-8")
    found = {}
    for line in text.splitlines():
        match = _KEY.match(line)
        assert match is not None
        found[match[1]] = line
    return found


def key_of(reference: Reference) -> str:
    """The key of a reference: first author and year."""
    parts = _PARTS.match(reference.text)
    if parts is None:
        return re.sub(r"\W+", "", reference.text.lower())[:24] or "reference"
    family = re.split(r",| and ", parts["authors"])[0]
    return re.sub(r"[^a-z]", "", _plain(family).lower()) + parts["year"]


def _plain(text: str) -> str:
    import unicodedata

    return unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()


def bibtex(keys: Iterable[str], others: Iterable[Reference] = ()) -> str:
    """The entries of these keys, each once, and of references from outside the package what they tell of themselves."""
    known = _entries()
    entries = {key: known[key] for key in keys if key in known}
    entries |= {key_of(r): _made(r) for r in others if key_of(r) not in known}
    return "\n\n".join(_spread(entry) for _, entry in sorted(entries.items())) + "\n"


def _made(reference: Reference) -> str:
    parts = _PARTS.match(reference.text)
    fields = {"title": tex(reference.text)}
    if parts is not None:
        people = re.split(r", (?:and )?| and ", parts["authors"])
        fields = {"author": " and ".join(f"{{{tex(p)}}}" for p in people), "title": tex(parts["title"])}
        fields["year"] = parts["year"]
    if reference.doi:
        fields["doi"] = reference.doi
    return f"@misc{{{key_of(reference)}, " + ", ".join(f"{k} = {{{v}}}" for k, v in fields.items()) + "}"


def _spread(entry: str) -> str:
    """A field a line, as people keep their bibliographies."""
    head, *fields = re.split(r", (?=\w+ = \{)", entry[:-1])
    return ",\n  ".join([head, *fields]) + "\n}"
