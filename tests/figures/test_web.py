from __future__ import annotations

import re

import pytest

from bakeoff.figures import bundle, script_json, web_text


def test_the_bundle_is_one_script() -> None:
    text = bundle("report")
    assert not re.search(r"^(import|export) ", text, re.MULTILINE)
    names = re.findall(r"^(?:async )?(?:function|const|let|class) (\w+)", text, re.MULTILINE)
    assert len(names) == len(set(names))


@pytest.mark.parametrize("text", ["</script>", "<!--", "a&b", "line\u2028line"])
def test_json_cannot_end_the_script_it_stands_in(text: str) -> None:
    assert not set(script_json({"title": text})) & set("<>&\u2028\u2029")


def test_files_are_found() -> None:
    assert "RENDERERS" in web_text("figures.js")
