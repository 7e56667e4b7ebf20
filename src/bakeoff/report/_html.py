"""From sections to one HTML file: style, script and data inlined, nothing fetched from anywhere."""

from __future__ import annotations

import base64
import hashlib
import json
import math
import re
from collections.abc import Iterator, Sequence
from html import escape
from typing import Any

from bakeoff._core.language import Text, current_language, render, translate
from bakeoff._core.text import format_value, shorten
from bakeoff.figures import bundle, script_json, web_text, words_of
from bakeoff.report import _blocks as b


def page(title: str, sections: Sequence[b.Section], evidence: str = "") -> str:
    """Write the whole page."""
    script = bundle("report")
    body = "\n".join(_section(s) for s in sections)
    theme = escape(translate("Light / dark"))
    links = "".join(f'<a href="#{s.name}">{escape(s.title)}</a>' for s in sections)
    return "\n".join(
        [
            "<!doctype html>",
            f'<html lang="{current_language()}">',
            "<head>",
            '<meta charset="utf-8">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f'<meta http-equiv="Content-Security-Policy" content="{_policy(script)}">',
            '<link rel="icon" href="data:,">',
            f"<title>{escape(title)}</title>",
            f"<style>{web_text('report.css')}</style>",
            "</head>",
            "<body>",
            f'<a class="bk-skip" href="#answer">{escape(translate("Skip to the answer"))}</a>',
            f'<nav class="bk-nav" aria-label="{escape(translate("Sections"))}"><div class="bk-links">{links}</div>'
            f'<button type="button" class="bk-button" data-theme-button aria-label="{theme}" title="{theme}">◐</button>'
            "</nav>",
            f'<main class="bk-page" data-words="{escape(json.dumps(_table_words()))}"><header class="bk-head">'
            f"<h1>{escape(shorten(title, 200))}</h1><p>{escape(evidence)}</p></header>",
            body,
            "</main>",
            f"<script>{script}</script>",
            "</body></html>",
        ]
    )


def _table_words() -> dict[str, str]:
    return {key: word for key, word in words_of("explorer").items() if key in ("find", "more", "fewer")}


def _policy(script: str) -> str:
    """Only this one script may run, and nothing may be loaded from anywhere."""
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    return (
        f"default-src 'none'; script-src 'sha256-{digest}'; style-src 'unsafe-inline'; img-src data: blob:; "
        "base-uri 'none'; form-action 'none'"
    )


def fragment(sections: Sequence[b.Section]) -> str:
    """Write the sections alone, for a page that brings its own script and style (the application)."""
    return "\n".join(_section(s) for s in sections)


def _section(section: b.Section) -> str:
    counter = iter(range(10_000))
    body = "\n".join(_block(block, section.name, counter) for block in section.blocks)
    name = escape(section.name)
    if any(isinstance(block, b.Card) for block in section.blocks):
        head = f'<h2 id="{name}-title" class="bk-hidden">{escape(section.title)}</h2>'
        return f'<section id="{name}" class="bk-card" aria-labelledby="{name}-title">{head}\n{body}\n</section>'
    head = f'<summary><h2 id="{name}-title">{escape(section.title)}</h2>{_gist(section)}</summary>'
    return f'<section id="{name}" aria-labelledby="{name}-title"><details>{head}\n{body}\n</details></section>'


def _gist(section: b.Section) -> str:
    """How many warnings and notes a fold hides."""
    notes = [n for block in b.notes_of(section) for n in block.notes]
    if not notes:
        return ""
    serious = sum(n.level == "warning" for n in notes)
    text = translate("{warnings} warnings, {notes} notes", warnings=serious, notes=len(notes) - serious)
    return f" <span class=bk-small>{escape(text)}</span>"


def _named(text: str, names: Sequence[str]) -> str:
    """Write a sentence with the names of models kept whole, isolated from its direction, and cut if they are long."""
    if not names:
        return escape(text)
    parts = re.split("(" + "|".join(re.escape(n) for n in sorted(names, key=len, reverse=True)) + ")", text)
    written = []
    for part in parts:
        long = " bk-long" if len(part) > 24 else ""
        name = f'<bdi class="bk-name{long}" title="{escape(part)}">{escape(shorten(part, 40))}</bdi>'
        written.append(name if part in names else escape(part))
    return "".join(written)


def _card(card: b.Card, prefix: str, counter: Iterator[int]) -> str:
    light = ""
    if card.light:
        words = words_of("explorer")
        rule = f'<span class="bk-small" title="{escape(words["rule80"])}">{escape(words["rule"])}</span>'
        light = f'<span data-light="{card.light}"></span><b>{escape(words[card.light])}</b>{rule}'
    asides = "".join(f'<p class="bk-aside">{_named(text, card.names)}</p>' for text in card.asides)
    said = (
        f'<div class="bk-said"><p class="bk-light">{light}</p>'
        f'<p class="bk-headline" data-testid="headline">{_named(card.headline, card.names)}</p>{asides}</div>'
    )
    numbers = "".join(
        f"<div><dt>{escape(number)} <small>{escape(small)}</small></dt><dd>{escape(what)}</dd></div>"
        for number, small, what in card.numbers
    )
    picture = ""
    if card.picture is not None:
        caption = f'<p class="bk-caption">{_prose(card.picture.data.caption)}</p>'
        picture = _figure(card.picture, prefix, counter) + caption
    if card.second is not None:
        data = card.second.data
        picture += f'<p class="bk-second"><b>{escape(data.title)}</b></p>{_figure(card.second, prefix, counter)}'
        picture += f'<p class="bk-caption">{_prose(data.caption)}</p>'
    measured = picture + (f'<dl class="bk-numbers">{numbers}</dl>' if numbers else "")
    body = f'<div class="bk-by-measure">{measured}</div>' if measured else ""
    return said + body + ("" if card.explorer is None else _figure(card.explorer, prefix, counter))


def _prose(text: str) -> str:
    """A sentence as HTML; a number and its percent sign stay on one line."""
    return re.sub(r"(?<=\d) %", "\u00a0%", escape(text))


def _block(block: Any, prefix: str, counter: Iterator[int]) -> str:
    if isinstance(block, b.Paragraph):
        return f"<p{' class=bk-muted' if block.muted else ''}>{_prose(block.text)}</p>"
    if isinstance(block, b.Verdict):
        kind = "bk-verdict bk-rest" if block.on_card else "bk-verdict"
        return (
            f'<div class="{kind}">'
            + "".join(f"<p>{_prose(s)}</p>" for s in block.sentences[block.on_card :])
            + "</div>"
        )
    if isinstance(block, b.Card):
        return _card(block, prefix, counter)
    if isinstance(block, b.Table):
        return _table(block)
    if isinstance(block, b.Figures):
        return '<div class="bk-figs">' + "".join(_figure(f, prefix, counter) for f in block.items) + "</div>"
    if isinstance(block, b.Figure):
        return _figure(block, prefix, counter)
    if isinstance(block, b.Notes):
        return _notes(block)
    if isinstance(block, b.Code):
        command = f' data-command="{escape(block.reading)}"' if block.reading else ""
        return f'<pre tabindex="0"{command}><code>{escape(block.text)}</code></pre>'
    if isinstance(block, b.Working):
        return f'<div class="bk-scroll" tabindex="0">{block.steps._repr_html_()}</div>'
    inner = "\n".join(_block(i, prefix, counter) for i in block.blocks)
    return f"<details><summary>{escape(block.summary)}</summary>\n{inner}\n</details>"


def _figure(figure: b.Figure, prefix: str, counter: Iterator[int]) -> str:
    name = f"{prefix}-figure-{next(counter)}"
    data = figure.data
    wide = " bk-wide" if figure.wide else ""
    caption = f"<figcaption>{_prose(data.title)}<small>{_prose(data.caption)}</small></figcaption>"
    payload = data.to_dict()
    return (
        f'<figure class="bk-fig{wide}" data-kind="{data.kind}" data-source="{name}">{caption}'
        f'<script type="application/json" id="{name}">{script_json(payload)}</script></figure>'
    )


def _table(table: b.Table) -> str:
    names = list(table.columns)
    text = {n: _is_text(table.columns[n]) for n in names}
    heads = "".join(f'<th scope="col"{" class=bk-text" if text[n] else ""}>{escape(n)}</th>' for n in names)
    on_page = table.n_rows if table.on_page is None else min(table.n_rows, table.on_page)
    rows = "".join(_row(table, names, text, i) for i in range(on_page))
    caption = f"<caption>{_prose(table.caption)}</caption>" if table.caption else ""
    label = escape(table.caption or render(table.name))
    return (
        f'<div class="bk-scroll" tabindex="0" role="group" aria-label="{label}">'
        f'<table class="bk-table bk-sortable" data-name="{escape(table.name)}">{caption}<thead><tr>{heads}</tr></thead>'
        f"<tbody>{rows}</tbody></table></div>{_left_out(table.n_rows - on_page)}"
    )


def _left_out(n: int) -> str:
    if n <= 0:
        return ""
    text = translate("{n} more lines are in the exported table.", n=n)
    return f'<p class="bk-muted">{escape(text)}</p>'


def _row(table: b.Table, names: list[str], text: dict[str, bool], i: int) -> str:
    kind = " class=bk-trivial" if i in table.trivial_rows else " class=bk-best" if i in table.best_rows else ""
    cells = "".join(_td(table, n, text[n], i, first=n == names[0]) for n in names)
    return f"<tr{kind}>{cells}</tr>"


def _td(table: b.Table, name: str, is_text: bool, i: int, *, first: bool) -> str:
    value = table.columns[name][i]
    shown = table.shown[name][i] if name in table.shown else format_value(value)
    if first:
        if name in table.wrap:
            return f'<th scope="row" class="bk-wrap">{escape(shown)}</th>'
        return f'<th scope="row" title="{escape(shown)}">{escape(shorten(shown, 60))}</th>'
    if is_text:
        if name in table.wrap:
            return f'<td class="bk-wrap">{escape(shown)}</td>'
        return f'<td class="bk-text" title="{escape(shorten(shown, 400))}">{escape(shorten(shown, 60))}</td>'
    raw = "" if value is None or (isinstance(value, float) and math.isnan(value)) else repr(float(value))
    head, bracket, tail = shown.partition(" (")
    body = escape(head) + (f' <span class="bk-interval">({escape(tail)}</span>' if bracket else "")
    return f'<td data-value="{raw}">{body}</td>'


def _is_text(values: Sequence[Any]) -> bool:
    return any(isinstance(v, (str, Text)) for v in values)


def _notes(block: b.Notes) -> str:
    items = "".join(
        f'<li class="bk-{"warning" if n.level == "warning" else "note"}">{_prose(render(n.text))} '
        f"<code>{escape(n.code)}</code></li>"
        for n in block.notes
    )
    return f'<ul class="bk-notes">{items}</ul>'
