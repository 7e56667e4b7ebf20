"""Every sentence given to an error is known in Spanish and Portuguese, and is found again when it is shown."""

import ast
import json
import string
from collections.abc import Iterator
from pathlib import Path

import pytest

import bakeoff
from bakeoff._core.error_words import in_language
from bakeoff._core.errors import BakeoffError, EvidenceError

SOURCE = Path(bakeoff.__file__).parent
ERRORS = {"EvidenceError", "ParameterError", "MissingDependencyError", "BakeoffError"}


def branches(node: ast.expr) -> Iterator[ast.expr]:
    if isinstance(node, ast.IfExp):
        yield from (*branches(node.body), *branches(node.orelse))
    else:
        yield node


def template(node: ast.expr) -> str | None:
    """The sentence with its fields numbered, if it is written where the error is made."""
    pieces = node.values if isinstance(node, ast.JoinedStr) else [node]
    fields = iter(range(len(pieces)))
    made = ""
    for piece in pieces:
        if isinstance(piece, ast.FormattedValue):
            made += f"{{{next(fields)}}}"
        elif isinstance(piece, ast.Constant) and isinstance(piece.value, str):
            made += piece.value.replace("{", "{{").replace("}", "}}")
        else:
            return None
    return made


def sentences() -> dict[str, str]:
    """Every template of an error in the source, and where it stands."""
    found: dict[str, str] = {}
    for path in sorted(SOURCE.rglob("*.py")):
        for call in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(call, ast.Call) and getattr(call.func, "id", getattr(call.func, "attr", "")) in ERRORS:
                hints = [keyword.value for keyword in call.keywords if keyword.arg == "hint"]
                for node in (part for given in (*call.args[:1], *hints) for part in branches(given)):
                    made = template(node)
                    if made:
                        found.setdefault(made, f"{path.relative_to(SOURCE)}:{call.lineno}")
    return found


def catalogue(name: str) -> dict[str, str]:
    path = SOURCE / "_core" / "locales" / f"errors.{name}.json"
    return dict(json.loads(path.read_text(encoding="utf-8")))


def fields(sentence: str) -> set[str]:
    return {field for _, field, _, _ in string.Formatter().parse(sentence) if field is not None}


@pytest.mark.parametrize("name", ["es", "pt"])
def test_every_error_has_words_in_every_language(name: str) -> None:
    known = catalogue(name)
    missing = {sentence: place for sentence, place in sentences().items() if sentence not in known}
    assert not missing, f"add to locales/errors.{name}.json: {json.dumps(missing, ensure_ascii=False, indent=1)}"
    assert not {sentence for sentence, words in known.items() if not fields(words) <= fields(sentence)}


def test_the_languages_know_the_same_errors() -> None:
    assert set(catalogue("es")) == set(catalogue("pt"))


def test_an_error_is_shown_in_the_language_of_its_reader_and_kept_in_english() -> None:
    with pytest.raises(EvidenceError) as raised:
        bakeoff.Predictions.from_arrays([0, 1, 1], y_pred={"a": [0, 1]})
    problem = raised.value
    with bakeoff.language("es"):
        assert str(problem).startswith("y_pred del modelo «a» debe tener tantas filas como y_true (3). Tiene 2")
    with bakeoff.language("pt"):
        assert str(problem).startswith("y_pred do modelo “a” deve ter tantas linhas quanto y_true (3). Tem 2")
    assert problem.message.startswith("y_pred of model 'a' must have as many rows")
    assert str(problem) == problem.args[0]


def test_an_error_within_an_error_is_put_into_words_too() -> None:
    sentence = "data set 'iris': measures must name at least one measure."
    shown = "conjunto de datos «iris»: measures debe nombrar al menos una medida."
    assert in_language(sentence, "es") == shown


def test_words_that_nobody_knows_stay_as_they_are() -> None:
    with bakeoff.language("es"):
        assert str(BakeoffError("zzz of the user", hint="try again")) == "zzz of the user Sugerencia: try again"
