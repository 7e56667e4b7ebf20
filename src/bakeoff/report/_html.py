"""From sections to one HTML file: style, script and data inlined, nothing fetched from anywhere."""

from __future__ import annotations

import base64
import hashlib
import math
from collections.abc import Iterator, Sequence
from html import escape
from typing import Any

from bakeoff._core.language import current_language, render, translate
from bakeoff._core.text import format_value, shorten
from bakeoff.figures import bundle, script_json, web_text
from bakeoff.report import _blocks as b


def page(title: str, sections: Sequence[b.Section]) -> str:
    """Write the whole page."""
    script = bundle("report")
    body = "\n".join(_section(s) for s in sections)
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
            '<button type="button" class="bk-button" data-theme-button>'
            f"{escape(translate('Light / dark'))}</button></nav>",
            f'<main class="bk-page"><h1>{escape(shorten(title, 200))}</h1>',
            body,
            "</main>",
            f"<script>{script}</script>",
            "</body></html>",
        ]
    )


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
    head = f'<h2 id="{name}-title">{escape(section.title)}</h2>'
    return f'<section id="{name}" aria-labelledby="{name}-title">{head}\n{body}\n</section>'


def _block(block: Any, prefix: str, counter: Iterator[int]) -> str:
    if isinstance(block, b.Paragraph):
        return f"<p{' class=bk-muted' if block.muted else ''}>{escape(block.text)}</p>"
    if isinstance(block, b.Verdict):
        return '<div class="bk-verdict">' + "".join(f"<p>{escape(s)}</p>" for s in block.sentences) + "</div>"
    if isinstance(block, b.Cards):
        cards = "".join(
            f'<div class="bk-card"><b>{escape(shorten(n, 48))}</b><span>{escape(t)}</span></div>'
            for n, t in block.items
        )
        return f'<div class="bk-cards">{cards}</div>'
    if isinstance(block, b.Table):
        return _table(block)
    if isinstance(block, b.Figures):
        return '<div class="bk-figs">' + "".join(_figure(f, prefix, counter) for f in block.items) + "</div>"
    if isinstance(block, b.Figure):
        return _figure(block, prefix, counter)
    if isinstance(block, b.Notes):
        return _notes(block)
    if isinstance(block, b.Code):
        return f'<pre tabindex="0"><code>{escape(block.text)}</code></pre>'
    inner = "\n".join(_block(i, prefix, counter) for i in block.blocks)
    return f"<details><summary>{escape(block.summary)}</summary>\n{inner}\n</details>"


def _figure(figure: b.Figure, prefix: str, counter: Iterator[int]) -> str:
    name = f"{prefix}-figure-{next(counter)}"
    data = figure.data
    wide = " bk-wide" if figure.wide else ""
    caption = f"<figcaption>{escape(data.title)}<small>{escape(data.caption)}</small></figcaption>"
    payload = data.to_dict()
    return (
        f'<figure class="bk-fig{wide}" data-kind="{data.kind}" data-source="{name}">{caption}'
        f'<script type="application/json" id="{name}">{script_json(payload)}</script></figure>'
    )


def _table(table: b.Table) -> str:
    names = list(table.columns)
    text = {n: _is_text(table.columns[n]) for n in names}
    heads = "".join(f'<th scope="col"{" class=bk-text" if text[n] else ""}>{escape(n)}</th>' for n in names)
    rows = "".join(_row(table, names, text, i) for i in range(table.n_rows))
    caption = f"<caption>{escape(table.caption)}</caption>" if table.caption else ""
    label = escape(table.caption or table.name)
    return (
        f'<div class="bk-scroll" tabindex="0" role="region" aria-label="{label}">'
        f'<table class="bk-table bk-sortable" data-name="{escape(table.name)}">{caption}<thead><tr>{heads}</tr></thead>'
        f"<tbody>{rows}</tbody></table></div>"
    )


def _row(table: b.Table, names: list[str], text: dict[str, bool], i: int) -> str:
    kind = " class=bk-trivial" if i in table.trivial_rows else " class=bk-best" if i in table.best_rows else ""
    cells = "".join(_td(table, n, text[n], i, first=n == names[0]) for n in names)
    return f"<tr{kind}>{cells}</tr>"


def _td(table: b.Table, name: str, is_text: bool, i: int, *, first: bool) -> str:
    value = table.columns[name][i]
    shown = table.shown[name][i] if name in table.shown else format_value(value)
    if first:
        return f'<th scope="row" title="{escape(shown)}">{escape(shorten(shown, 60))}</th>'
    if is_text:
        if name in table.wrap:
            return f'<td class="bk-wrap">{escape(shown)}</td>'
        return f'<td class="bk-text" title="{escape(shorten(shown, 400))}">{escape(shorten(shown, 60))}</td>'
    raw = "" if value is None or (isinstance(value, float) and math.isnan(value)) else repr(float(value))
    head, bracket, tail = shown.partition(" [")
    body = escape(head) + (f' <span class="bk-interval">[{escape(tail)}</span>' if bracket else "")
    return f'<td data-value="{raw}">{body}</td>'


def _is_text(values: Sequence[Any]) -> bool:
    return any(isinstance(v, str) for v in values)


def _notes(block: b.Notes) -> str:
    items = "".join(
        f'<li class="bk-{"warning" if n.level == "warning" else "note"}">{escape(render(n.text))} '
        f"<code>{escape(n.code)}</code></li>"
        for n in block.notes
    )
    return f'<ul class="bk-notes">{items}</ul>'
