"""Every sentence is there in every language, with its values in place; what is missing is shown in English."""

from __future__ import annotations

import ast
import json
import os
import pickle
import re
import string
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command

import bakeoff
from bakeoff._core import language as speech
from bakeoff._core import note_catalogue
from bakeoff._core.language import (
    Text,
    catalogue,
    current_language,
    heading,
    joined,
    label,
    language,
    language_of_locale,
    render,
    set_language,
    translate,
)
from bakeoff._core.result import Note, emit, jsonable
from bakeoff.cli._app import make_app
from bakeoff.figures import explorer_data, page_words
from bakeoff.figures._web import english_words
from bakeoff.measures import catalogue as measure_catalogue

SOURCE = Path(bakeoff.__file__).parent
FOREIGN = ("es", "pt")


# -- what is said in the code ------------------------------------------------------------------------------------------


MAKERS = {"Text", "translate"}
THE_MAKER = "_core/language.py"  # what makes the texts takes templates from its callers


def calls_in(tree: ast.AST) -> list[ast.Call]:
    """Calls of `Text` and `translate` under their own names or as attributes (``language.translate``)."""
    calls = (node for node in ast.walk(tree) if isinstance(node, ast.Call))
    return [c for c in calls if MAKERS & {getattr(c.func, "id", ""), getattr(c.func, "attr", "")}]


def template_of(call: ast.Call) -> str | None:
    """The literal template of a call, or None when it is put together at run time and could not be looked up."""
    first = call.args[0] if call.args else None
    return first.value if isinstance(first, ast.Constant) and isinstance(first.value, str) else None


def helps(command: Any) -> set[str]:
    """What the help of a command, its options and its own commands says."""
    found = {part.help for part in (command, *command.params) if getattr(part, "help", None)}
    return found.union(*map(helps, getattr(command, "commands", {}).values()))


def collected() -> tuple[dict[str, list[ast.Call]], list[str]]:
    """Every literal template of the package with its calls, and the places where it is not a literal."""
    said: dict[str, list[ast.Call]] = {}
    computed: list[str] = []
    for template in (*note_catalogue.NOTES.values(), *note_catalogue.WARNINGS.values()):
        said.setdefault(template, [])
    for module in ("app", "explorer"):
        said.update((word, []) for word in english_words(module).values())
    said.update((text, []) for text in helps(get_command(make_app())))
    catalogue_file = Path(note_catalogue.__file__)
    for path in sorted(set(SOURCE.rglob("*.py")) - {catalogue_file}):
        for call in calls_in(ast.parse(path.read_text(encoding="utf-8"))):
            template = template_of(call)
            if template is None and path == SOURCE / THE_MAKER:
                continue
            if template is None:
                computed.append(f"{path.relative_to(SOURCE)}:{call.lineno}")
            else:
                said.setdefault(template, []).append(call)
    return said, computed


SAID, COMPUTED = collected()

# Words and labels that stand in results and are shown by `render`.
MEASURES = [m for m in measure_catalogue().measures if not m.name.startswith("test_")]
WORDS = {
    *(word for words in speech.WORDS.values() for word in words),
    *(word for m in MEASURES for word in (m.name, m.meaning, m.needs, m.undefined_when, m.label.template, *m.tasks)),
}


def fields(template: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(template) if name is not None}


def test_every_template_is_a_literal():
    assert COMPUTED == []


def test_the_collector_sees_the_code():
    assert len(SAID) > 300
    assert template_of(calls_in(ast.parse("translate('a' 'b {x}', x=1)"))[0]) == "ab {x}"
    assert template_of(calls_in(ast.parse("language.translate(f'a {x}')"))[0]) is None


def test_what_makes_texts_goes_by_no_other_name():
    """An import under another name would escape the collector."""
    for path in sorted(SOURCE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module == "bakeoff._core.language":
                assert all(a.asname is None for a in node.names if a.name in MAKERS), path


FILLED_BY_THE_PAGE = {"{rule}", "{more}", "“{model}”", "{status}", "{name}"}  # filled by the explorer and the app


def test_every_call_fills_every_field():
    short = {
        template: missing
        for template, calls in SAID.items()
        for call in calls
        if all(k.arg is not None for k in call.keywords)  # **values are not seen here
        and (missing := fields(template) - {k.arg for k in call.keywords})
        and not any(mark in template for mark in FILLED_BY_THE_PAGE)
    }
    assert short == {}


def calls_of_note() -> list[tuple[str, ast.Call]]:
    """Calls of `note` of the catalogue in the statistics, with the file they are in."""
    found = []
    for path in sorted((SOURCE / "stats").rglob("*.py")):
        calls = (n for n in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if isinstance(n, ast.Call))
        found += [(path.name, c) for c in calls if getattr(c.func, "id", "") == "note"]
    return found


def test_every_note_of_the_statistics_is_in_the_catalogue_and_filled():
    templates = note_catalogue.NOTES | note_catalogue.WARNINGS
    used = set()
    for name, call in calls_of_note():
        key = template_of(call)
        assert key in templates, (name, call.lineno)
        assert {k.arg for k in call.keywords} == fields(templates[key]), (name, key)
        used.add(key)
    assert used == set(templates)
    assert not set(note_catalogue.NOTES) & set(note_catalogue.WARNINGS)


def test_the_statistics_know_no_words():
    for path in sorted((SOURCE / "stats").rglob("*.py")):
        assert "_core.language" not in path.read_text(encoding="utf-8"), path


# -- the catalogues ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", FOREIGN)
def test_every_sentence_is_translated(name):
    assert sorted((set(SAID) | WORDS) - set(catalogue(name))) == []


@pytest.mark.parametrize("name", FOREIGN)
def test_no_translation_is_left_over(name):
    assert sorted(set(catalogue(name)) - set(SAID) - WORDS) == []


@pytest.mark.parametrize("name", FOREIGN)
def test_translations_have_the_fields_of_the_template(name):
    wrong = {t: s for t, s in catalogue(name).items() if fields(t) != fields(s)}
    assert wrong == {}


@pytest.mark.parametrize("name", FOREIGN)
def test_translations_end_as_the_template_ends(name):
    """A sentence stays a sentence, a question a question, a label a label."""
    ends = (".", "?", ":")
    wrong = {t: s for t, s in catalogue(name).items() if (t[-1] in ends or s[-1] in ends) and t[-1] != s[-1]}
    assert wrong == {}


@pytest.mark.parametrize("name", FOREIGN)
def test_catalogue_files_are_sorted_one_entry_per_line(name):
    path = SOURCE / "_core" / "locales" / f"{name}.json"
    text = path.read_text(encoding="utf-8")
    pairs = json.loads(text, object_pairs_hook=list)
    assert [key for key, _ in pairs] == sorted({key for key, _ in pairs})
    assert text == json.dumps(dict(pairs), ensure_ascii=False, indent=2) + "\n"


@pytest.mark.parametrize(("name", "shown", "equal"), [("es", "demostró", "iguales"), ("pt", "emonstrou", "iguais")])
def test_not_shown_to_differ_is_never_said_as_equal(name, shown, equal):
    told = catalogue(name)
    open_ = [t for t in SAID if "o difference in" in t and "was shown" in t]
    assert len(open_) >= 4
    for template in open_:
        assert shown in told[template]
        assert equal not in told[template]
    denials = [t for t in SAID if "does not make them equal" in t]
    assert len(denials) >= 5
    for template in denials:
        assert equal in told[template]
        assert "no los hace" in told[template] or "não os torna" in told[template]


# -- speaking ----------------------------------------------------------------------------------------------------------


def test_language_holds_inside_the_block_only():
    before = current_language()
    with language("es"):
        assert current_language() == "es"
        assert translate("threshold") == "umbral"
        with language("pt"):
            assert translate("{names} and {last}", names="a", last="b") == "a e b"
        assert translate("threshold") == "umbral"
    assert current_language() == before
    assert translate("threshold") == "threshold"


def test_language_is_left_when_the_block_fails():
    with pytest.raises(RuntimeError), language("es"):
        raise RuntimeError
    assert current_language() == "en"


@pytest.mark.parametrize("missing", [{}, {"A new sentence about {x}.": ""}])
def test_a_missing_translation_is_said_in_english(monkeypatch, missing):
    monkeypatch.setattr(speech, "catalogue", lambda name: missing)
    with language("es"):
        assert translate("A new sentence about {x}.", x=3) == "A new sentence about 3."


@pytest.mark.parametrize("speak", [set_language, lambda name: language(name).__enter__()])
def test_an_unknown_language_is_refused(speak):
    with pytest.raises(bakeoff.ParameterError, match="'fr'"):
        speak("fr")
    assert current_language() == "en"


@pytest.mark.parametrize(
    ("found", "spoken"), [("es_MX", "es"), ("pt_BR", "pt"), ("en_GB", "en"), ("fr_FR", "en"), (None, "en"), ("C", "en")]
)
def test_the_locale_chooses_a_language_we_speak(monkeypatch, found, spoken):
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(speech.locale, "getlocale", lambda: (found, "UTF-8"))
    assert language_of_locale() == spoken


def test_the_variables_choose_even_where_the_locale_is_not_installed(monkeypatch):
    monkeypatch.setattr(speech.locale, "getlocale", lambda: ("en_US", "UTF-8"))
    monkeypatch.delenv("LC_ALL", raising=False)
    monkeypatch.delenv("LC_MESSAGES", raising=False)
    monkeypatch.setenv("LANG", "pt_BR.UTF-8")
    assert language_of_locale() == "pt"
    monkeypatch.setenv("LC_ALL", "es_ES.UTF-8")
    assert language_of_locale() == "es"


# -- what a user sees --------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def predictions():
    truth = [1, 0] * 30
    good = [0.9, 0.2, 0.8, 0.4, 0.7, 0.1, 0.45, 0.3, 0.6, 0.55] * 6
    poor = [0.5, 0.4, 0.3, 0.6, 0.7, 0.2, 0.4, 0.5, 0.6, 0.8] * 6
    return bakeoff.Predictions.from_arrays(truth, y_score={"bueno": good, "malo": poor})


def test_the_verdict_is_spoken_when_it_is_read(predictions):
    comparison = bakeoff.compare(predictions, "auc", rng=0)
    english = comparison.verdict
    with language("es"):
        spanish = comparison.verdict
    with language("pt"):
        portuguese = comparison.verdict
    assert "bueno is better than malo" in english
    assert "bueno es mejor que malo" in spanish
    assert "prueba de DeLong" in spanish
    assert "bueno é melhor que malo" in portuguese
    assert "teste de DeLong" in portuguese


@pytest.mark.parametrize(
    ("name", "headings"),
    [
        ("es", ("La respuesta", "Medidas", "Diferencias y pruebas", "Cómo repetirlo", "Curvas de coste")),
        ("pt", ("A resposta", "Medidas", "Diferenças e testes", "Como repetir", "Curvas de custo")),
    ],
)
def test_the_report_speaks_the_language_asked_for(predictions, tmp_path, name, headings):
    path = bakeoff.report(predictions, lang=name).save(tmp_path / "report.html")
    page = Path(path).read_text(encoding="utf-8")
    assert f'<html lang="{name}">' in page
    for title in headings:
        assert title in page, title
    assert "The answer" not in page
    assert current_language() == "en"


@pytest.mark.parametrize(
    ("module", "key", "spanish"),
    [("explorer", "threshold", "umbral"), ("app", "compareModels", "Comparar los modelos")],
)
def test_a_page_is_handed_every_word_it_has(module, key, spanish):
    english = english_words(module)
    assert len(english) > 40
    assert page_words(module) == {}
    with language("es"):
        assert page_words(module)[key] == spanish
        assert list(page_words(module)) == list(english)


def test_the_report_hands_the_words_to_the_explorer(predictions):
    data = explorer_data(predictions)
    with language("pt"):
        words = data.to_dict()["text"]
    assert words["costFn"] == "Custo de uma omissão"
    assert words["rocTitle"] == "Espaço ROC"


# -- sentences that are read later -------------------------------------------------------------------------------------


SPHERICITY = (
    "{verdict} equal variances of all differences (Mauchly, p {p}; Greenhouse–Geisser ε = {epsilon:.2f}). "
    "The p-value is corrected by ε either way."
)


def sphericity() -> Text:
    return Text(SPHERICITY, verdict=Text("there is no evidence against"), p="= 0.2", epsilon=0.75)


def test_a_text_is_rendered_in_the_language_of_its_reader():
    made = sphericity()
    assert str(made).startswith("there is no evidence against equal variances")
    with language("es"):
        assert str(made).startswith("los datos son compatibles con")
        assert f"{made:>300}".strip() == render(made) == made.in_("es")
        assert "Geisser = 0,75" in str(made)
        assert made.english.startswith("there is no evidence")
    assert made.in_("pt") not in (made.english, made.in_("es"))


def test_a_text_is_a_value_and_no_string():
    made = sphericity()
    assert not isinstance(made, str)
    assert made == sphericity()
    assert len({made, sphericity(), made.as_role("caution")}) == 2
    assert made.role == "plain"
    assert made.as_role("caution").role == "caution"
    assert pickle.loads(pickle.dumps(made.as_role("lead"))) == made.as_role("lead")
    assert repr(Text("{n} rows", n=2)) == "Text('2 rows')"
    with pytest.raises(AttributeError):
        made.role = "lead"
    with pytest.raises(TypeError):
        made + "more"


@pytest.mark.parametrize(
    ("value", "spec", "es", "pt"),
    [
        (0.031, ".3f", "0,031", "0,031"),
        (2357, ",", "2357", "2.357"),  # Spanish groups from five digits on
        (21615.5, ",.1f", "21\N{NO-BREAK SPACE}615,5", "21.615,5"),
        (-1234567, ",", "-1\N{NO-BREAK SPACE}234\N{NO-BREAK SPACE}567", "-1.234.567"),
        (1.5e-7, ".2e", "1,50e-07", "1,50e-07"),
    ],
)
def test_numbers_stand_in_the_marks_of_the_reader(value, spec, es, pt):
    made = speech.numeral(value, spec)
    assert (made.in_("es"), made.in_("pt"), made.english) == (es, pt, format(value, spec))
    assert Text("{n:" + spec + "} rows", n=value).in_("es") == f"{es} rows"


def test_names_stand_in_the_quotation_marks_of_the_reader():
    made = Text("{name!r}", name="a 1.5")
    assert (made.english, made.in_("es"), made.in_("pt")) == ("'a 1.5'", "«a 1.5»", "“a 1.5”")


def test_what_a_person_reads_has_a_comma_and_what_a_program_reads_a_point(predictions):
    found = bakeoff.evaluate(predictions, "auc", rng=0)
    with language("es"):
        assert not re.search(r"\d\.\d", str(found))
        assert re.search(r"\[0,\d+;\s0,\d+\]", str(found))
        assert re.search(r"\d\.\d", json.dumps(found.to_dict()))


def test_texts_are_joined_in_the_language_of_their_reader():
    made = joined([Text("{n} rows", n=2), "{x}", label("threshold")], " / ")
    assert made.english == "2 rows / {x} / threshold"
    assert made.in_("es") == "2 filas / {x} / umbral"
    assert joined([]).english == ""


@pytest.mark.parametrize("text", [Text("{n} rows", n=2), "2 rows"])
def test_a_note_has_english_for_programs_and_words_for_its_reader(text):
    note = Note("few", text, "warning")
    with language("es"):
        assert note.message == "2 rows"
        assert str(note) == f"advertencia [few]: {render(text)}"
        assert jsonable(note) == {"code": "few", "message": "2 rows", "level": "warning"}
        with pytest.warns(bakeoff.BakeoffWarning, match=re.escape(render(text))):
            emit([note])


def test_words_of_tables_are_spoken_and_names_of_models_are_not():
    with language("pt"):
        assert heading("dataset") == "conjunto de dados"
        assert heading("my model") == "my model"
        assert render("no difference shown") == "nenhuma diferença demonstrada"


@pytest.mark.parametrize("name", FOREIGN)
def test_notes_of_a_report_are_spoken(predictions, name, tmp_path):
    context = bakeoff.OperatingContext(prevalence=0.1)
    path = bakeoff.report(predictions, context, lang=name).save(tmp_path / "r.html")
    page = path.read_text(encoding="utf-8")
    assert "labels-from-scores" in page
    assert "are taken from their scores" not in page
    assert "one test set of 2 models" not in page.lower()


def test_the_command_line_speaks_spanish(tmp_path):
    rows = "\n".join(f"d{i},{0.8 + i / 100},{0.7 + i / 90}" for i in range(8))
    (tmp_path / "scores.csv").write_text(f"dataset,a,b\n{rows}\n", encoding="utf-8")
    program = "from bakeoff.cli import main; main()"
    command = [sys.executable, "-c", program, "--lang", "es", "compare", "scores.csv"]
    environment = {**os.environ, "PYTHONIOENCODING": "utf-8"}
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stderr
    assert "En 8 conjuntos de datos a es mejor que b" in done.stdout
    assert "Prueba: " in done.stdout
    assert "Over 8 data sets" not in done.stdout


def test_the_language_that_was_set_holds_in_every_thread():
    heard = []
    set_language("pt")
    try:
        thread = threading.Thread(target=lambda: heard.append(str(Text("{n} rows", n=2))))
        thread.start()
        thread.join()
    finally:
        set_language("en")
    assert heard == ["2 linhas"]


def test_the_variable_sets_the_language_of_a_session():
    shown = "import bakeoff; print(bakeoff.Text('{n} rows', n=2))"
    env = {**os.environ, "BAKEOFF_LANG": "es"}
    assert subprocess.run([sys.executable, "-c", shown], env=env, capture_output=True, text=True).stdout == "2 filas\n"
