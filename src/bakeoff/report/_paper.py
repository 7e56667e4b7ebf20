"""Paper mode: tables in LaTeX, figures as PDF and SVG, a methods paragraph, its bibliography, one document."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from pathlib import Path

from bakeoff._core.errors import ParameterError
from bakeoff._core.language import current_language, translate
from bakeoff.report._bibliography import bibtex
from bakeoff.report._latex import PaperTable, tex, unknown_letters
from bakeoff.report._material import Material
from bakeoff.report._paper_figures import write_figures
from bakeoff.report._paper_methods import methods_of, references_of
from bakeoff.report._paper_tables import tables_of

_BABEL = {"en": "english", "es": "spanish,es-noquoting,es-noshorthands,es-tabla", "pt": "portuguese"}
_PREAMBLE = r"""\documentclass[10pt,a4paper]{article}
\usepackage{iftex}
\ifPDFTeX
  \usepackage[T1]{fontenc}
  \usepackage[utf8]{inputenc}
  \usepackage{textcomp}
  \IfFileExists{lmodern.sty}{\usepackage{lmodern}}{\usepackage{mathptmx}}
%(letters)s\else
  \usepackage{fontspec}
%(fonts)s\fi
\usepackage[%(babel)s]{babel}
\usepackage[margin=25mm]{geometry}
\usepackage{booktabs}
\usepackage{graphicx}
\usepackage{url}
\providecommand{\doi}[1]{\url{https://doi.org/#1}}
\emergencystretch=1em
\title{%(title)s}
\date{}
\begin{document}
\maketitle
"""

# Letters that Latin Modern lacks are taken from the first of these fonts that is installed and has them.
_FONTS = ("DejaVu Sans", "Noto Sans", "Noto Sans CJK SC", "Noto Sans Arabic", "Noto Sans Devanagari", "FreeSerif")
_FALLBACK = r"""  \ifLuaTeX
    \def\fallbacks{}
    \def\offer#1{\IfFontExistsTF{#1}{\edef\fallbacks{\fallbacks"#1:mode=harf;",}}{}}
    %(offers)s
    \directlua{luaotfload.add_fallback("letters", {\fallbacks})}
    \setmainfont{Latin Modern Roman}[RawFeature={fallback=letters}]
  \fi
"""


def write_paper(folder: str | Path, title: str, answer: str, material: Material) -> list[Path]:
    """Write everything a paper needs below `folder`; return the files, the one to compile first."""
    target = Path(folder)
    if target.exists() and not target.is_dir():
        raise ParameterError(
            f"the paper's tables and figures cannot be written to {str(target)!r}: that is a file.",
            hint="give the name of a folder",
        )
    target.mkdir(parents=True, exist_ok=True)
    tables = list(chain.from_iterable(table.parts() for table in tables_of(material)))
    written = [_text(target / "tables" / f"{t.name}.tex", str(t)) for t in tables]
    written += write_figures(target / "figures", material)
    methods = methods_of(material)
    keys = [key for sentence in methods for key in sentence.keys]
    written.append(_text(target / "methods.tex", "\n".join(map(str, methods)) + "\n"))
    written.append(_text(target / "references.bib", bibtex(keys, references_of(material))))
    figures = [path for path in written if path.parent.name == "figures" and path.suffix == ".tex"]
    paper = _document(title, answer, tables, figures, cited=bool(keys), unknown=_unknown(title, answer, written))
    return [_text(target / "paper.tex", paper), *written]


def _text(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def _unknown(title: str, answer: str, written: Sequence[Path]) -> list[str]:
    """Letters of the whole paper that pdfLaTeX has no glyph for."""
    texts = (path.read_text(encoding="utf-8") for path in written if path.suffix == ".tex")
    return unknown_letters("".join([tex(title), tex(answer), *texts]))


def _letters(unknown: Sequence[str]) -> dict[str, str]:
    """Unknown letters in the preamble: pdfLaTeX sets their codes, LuaLaTeX looks for a font that has them."""
    codes = [f"{ord(letter):04X}" for letter in unknown]
    declared = "".join(f"  \\DeclareUnicodeCharacter{{{code}}}{{{{\\tiny[U+{code}]}}}}\n" for code in codes)
    offers = "".join(rf"\offer{{{name}}}" for name in _FONTS)
    return {"letters": declared, "fonts": _FALLBACK % {"offers": offers} if codes else ""}


def _document(
    title: str, answer: str, tables: Sequence[PaperTable], figures: Sequence[Path], *, cited: bool,
    unknown: Sequence[str],
) -> str:  # fmt: skip
    """A whole document to compile as it is; each part is a file of its own, to be taken into the paper."""
    parts = [
        _PREAMBLE % {"babel": _BABEL[current_language()], "title": tex(title), **_letters(unknown)},
        rf"\section*{{{tex(translate('The answer'))}}}", tex(answer), "",
        rf"\section*{{{tex(translate('Methods'))}}}", r"\input{methods}", "",
        rf"\section*{{{tex(translate('Results'))}}}",
        *(rf"\input{{tables/{table.name}}}" for table in tables),
        *(rf"\input{{figures/{path.stem}}}" for path in figures),
        r"\clearpage",
    ]  # fmt: skip
    if cited:
        parts += [r"\bibliographystyle{plain}", r"\bibliography{references}"]
    return "\n".join([*parts, r"\end{document}", ""])
