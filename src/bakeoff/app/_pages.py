"""The one page of the application; everything on it is drawn by `web/app.js`."""

from __future__ import annotations

import re
from html import escape

from bakeoff._core.language import current_language, translate
from bakeoff.figures import page_words, script_json

_LANGUAGES = {"en": "English", "es": "Español", "pt": "Português"}


def home_page() -> str:
    """Write the page: tabs for runs, a dropped file, the guide, the planner and the course."""
    words = {
        "runs": translate("Experiments"),
        "drop": translate("Compare a file"),
        "advise": translate("Which test?"),
        "plan": translate("How much data?"),
        "course": translate("Step by step"),
    }
    tabs = "".join(
        f'<button type="button" role="tab" id="tab-{k}" aria-controls="panel-{k}" aria-selected="false" tabindex="-1" '
        f'class="bk-button">{escape(v)}</button>'
        for k, v in words.items()
    )
    panels = "".join(
        f'<section role="tabpanel" id="panel-{k}" aria-labelledby="tab-{k}" tabindex="0" hidden></section>'
        for k in words
    )
    languages = "".join(
        f'<option value="{code}"{" selected" if code == current_language() else ""}>{name}</option>'
        for code, name in _LANGUAGES.items()
    )
    return f"""<!doctype html>
<html lang="{current_language()}">
<head>
<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>bakeoff</title><link rel="icon" href="data:,"><link rel="stylesheet" href="/static/report.css">
</head>
<body>
<header class="bk-nav"><strong>bakeoff</strong>
<div role="tablist" class="bk-tabs" aria-label="{escape(translate("Sections"))}">{tabs}</div>
<select class="bk-button" data-language aria-label="{escape(translate("Language"))}">{languages}</select>
<button type="button" class="bk-button" data-theme-button>{escape(translate("Light / dark"))}</button></header>
<main class="bk-page"><h1>{escape(translate("Which model should I use?"))}</h1>{panels}</main>
<script type="application/json" id="bk-words">{script_json(page_words("app"))}</script>
<script type="module" src="/static/app.js"></script>
</body></html>
"""


def report_policy(page: str) -> str:
    """The Content-Security-Policy that a report carries itself, for the header."""
    found = re.search(r'http-equiv="Content-Security-Policy" content="([^"]+)"', page)
    return found.group(1) if found else "default-src 'none'"
