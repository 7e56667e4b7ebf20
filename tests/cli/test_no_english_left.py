"""Every command, a report and the results of Python, in Spanish and Portuguese: no word of the English ones is left.

The list of words is made, not chosen by eye: a word of the English sentences that no translation uses is an English
word; `english_words.txt` adds the most frequent ones, so that a sentence that escaped the catalogues is seen too.
"""

from __future__ import annotations

import html
import re
import warnings
from collections.abc import Callable, Iterator
from functools import cache, partial
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import bakeoff
from bakeoff import stats
from bakeoff._core.language import catalogue, language, set_language
from bakeoff.cli._app import run
from bakeoff.comparison import catalogue as known_tests
from bakeoff.measures import catalogue as measures

TONGUES = ("es", "pt")
COMMON = set(Path(__file__).with_name("english_words.txt").read_text(encoding="utf-8").split())
KEPT = {"bootstrap", "ranking", "recall", "odds", "logit", "hold", "out", "fold", "folds", "post", "hoc", "omnibus"}
KEPT |= {"data", "malignant", "kernels", "seed"}  # a default name, and a class of the demonstration
KEPT |= {"calibration", "flips"}  # names of functions
KEPT |= {"fnr"}  # a symbol in a formula, as FPR and TPR are
KEPT |= {"cluster", "average", "precision"}  # an extra; the English name in brackets, which a narrow table breaks
CODES = (*known_tests(), *(m.name for m in measures().measures))  # what is typed stays as it is
BINARY = "--truth y --positive si --score rf --score nb"
FOUR = "--truth y --positive si " + " ".join(f"--score m{i}" for i in range(4))
CLASSES = "--truth tipo --score a=a_bajo,a_medio,a_alto --pred b"
COMMANDS = (
    f"evaluate preds.csv {BINARY}",
    f"evaluate preds.csv {BINARY} --fold pliegue",
    f"evaluate preds.csv {BINARY} -m expected_cost --context prevalence=0.1,cost-fp=1,cost-fn=5",
    f"evaluate classes.csv {CLASSES} -m accuracy -m recall_macro --confusion --per-class",
    "evaluate values.csv --truth y --value cerca --value lejos",
    "evaluate scores.csv --measure accuracy",
    f"compare preds.csv {BINARY} --fold pliegue --why",
    f"compare preds.csv {BINARY} --margin 0.02 --why",
    f"compare preds.csv {FOUR}",
    f"compare missing.csv {BINARY} --drop-missing -m auc",
    "compare scores.csv --measure accuracy --why",
    "compare scores.csv --measure accuracy --test anova",
    "compare few.csv --measure accuracy",
    f"decide preds.csv {BINARY} --prevalence 0.1 --cost-fp 1 --cost-fn 5 --ranges",
    f"decide preds.csv {BINARY} --prevalence 0.01:0.2 --cost-fp 1 --cost-fn 5",
    "gate preds.csv --truth y --positive si --baseline nb --candidate rf -m auc --margin 0.01",
    "plan --measure auc --difference 0.01 --baseline 0.9 --prevalence 0.1",
    "plan --measure accuracy --difference 0.02 --baseline 0.85 --rows 500",
    "advise --models 3 --datasets 1 --rows 800 --task binary",
    "advise --models 4 --datasets 14",
    "advise --guide",
    f"evaluate preds.csv {BINARY} --steps",
    f"evaluate classes.csv {CLASSES} -m accuracy -m recall_macro -m kappa --confusion --steps",
    "evaluate values.csv --truth y --value cerca --value lejos --steps",
    f"compare preds.csv {BINARY} --fold pliegue --steps",
    f"compare preds.csv {BINARY} -m auc --steps",
    f"compare preds.csv {BINARY} -m accuracy --steps",
    "compare scores.csv --measure accuracy --steps",
    "compare scores.csv --measure accuracy --test anova --steps",
    "compare scores.csv --measure accuracy --test anova --posthoc nemenyi --steps",
    "compare scores.csv --measure accuracy --test friedman --posthoc bonferroni-dunn --control arbol --steps",
    f"decide preds.csv {BINARY} --prevalence 0.1 --cost-fp 1 --cost-fn 5 --steps",
    "gate preds.csv --truth y --positive si --baseline nb --candidate rf -m auc --margin 0.01 --steps",
    "plan --measure auc --difference 0.01 --baseline 0.9 --prevalence 0.1 --steps",
    "advise --models 4 --datasets 14 --control arbol --steps",
    "measures --steps",
    f"report preds.csv {BINARY} --steps -o informe.html",
    f"count preds.csv {BINARY} -o cuentas2.counts --steps",
    "measures",
    "run experiment.toml --plan",
    "run experiment.toml --store tienda",
    "store list tienda",
    "store verify tienda",
    f"count preds.csv {BINARY} -o cuentas.parquet",
    "demo --folder demo",
    "--version",
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    place, rng, n = tmp_path_factory.mktemp("idiomas"), np.random.default_rng(5), 240
    truth = rng.integers(0, 2, n)

    def score(strength: float) -> np.ndarray:
        return (1 / (1 + np.exp(-rng.normal((truth - 0.5) * strength)))).round(3)

    table = {"y": np.where(truth == 1, "si", "no"), "rf": score(2.4), "nb": score(1.6), "pliegue": np.arange(n) % 5}
    table |= {f"m{i}": score(0.5 + 0.3 * i) for i in range(4)}
    pl.DataFrame(table).write_csv(place / "preds.csv")
    gaps = [None if i % 40 == 7 else v for i, v in enumerate(table["rf"].tolist())]
    pl.DataFrame({**table, "rf": gaps}).write_csv(place / "missing.csv", null_value="NA")
    kinds = ["bajo", "medio", "alto"]
    kind = rng.integers(0, 3, n)
    chance = rng.dirichlet([1, 1, 1], n) + 0.8 * np.eye(3)[kind]
    chance = (chance / chance.sum(axis=1, keepdims=True)).round(6)
    chance[:, 2] = 1 - chance[:, 0] - chance[:, 1]
    labels = np.where(rng.random(n) < 0.6, kind, rng.integers(0, 3, n))
    classes = {"tipo": [kinds[k] for k in kind], **{f"a_{c}": chance[:, j] for j, c in enumerate(kinds)}}
    pl.DataFrame({**classes, "b": [kinds[k] for k in labels]}).write_csv(place / "classes.csv")
    value = rng.normal(10, 3, n).round(3)
    near, far = ((value + rng.normal(0, s, n)).round(3) for s in (1, 2))
    pl.DataFrame({"y": value, "cerca": near, "lejos": far}).write_csv(place / "values.csv")
    wide = {m: rng.normal(0.75 + 0.02 * i, 0.04, 12).round(3) for i, m in enumerate(("arbol", "bayes", "bosque"))}
    pl.DataFrame({"dataset": [f"d{i}" for i in range(12)], **wide}).write_csv(place / "scores.csv")
    pl.DataFrame({"dataset": ["d1", "d2", "d3"], **{m: v[:3] for m, v in wide.items()}}).write_csv(place / "few.csv")
    (place / "experiment.toml").write_text(
        'seed = 0\n[protocol]\nname = "KFold"\nn_splits = 3\n[models.nb]\nclass = "sklearn.naive_bayes.GaussianNB"\n'
        '[datasets.iris]\nsource = "sklearn:iris"\n',
        encoding="utf-8",
    )
    return place


# -- the list of words -------------------------------------------------------------------------------------------------

_WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?")
_NO_PROSE = re.compile(  # what is the same in every language: code, options, codes, files, quoted names
    r"^\s*\w+ = [\w.]+\(.*$|^\s*(?:import|from) \w.*$|^\s*bakeoff .*$|"
    rf"^(?:{'|'.join(map(re.escape, CODES))})(?= {{2,}})|"
    r"`[^`]*`|\[[a-z0-9-]+\]|--?[a-z][\w-]*(?:[= ][\w.:,=-]+)?|\S+\.(?:csv|toml|html|parquet|json|py)\b|https?://\S+|"
    r"\bbakeoff[ .][\w.]+(?:\([^)]*\))?|\w+_\w+|\w+\([^)]*\)|«[^»]*»|“[^”]*”|'[^']*'|\([a-z0-9 -]+\)|\w+\.\w+|"
    r"\w+-(?:[\w]+-?)+"
)


def words_of(text: str) -> set[str]:
    return {w.lower() for w in _WORD.findall(_NO_PROSE.sub(" ", text))}


@cache
def english_words(tongue: str) -> frozenset[str]:
    """Words of the English sentences that no sentence of the language has, and the most common ones."""
    pairs = catalogue(tongue)
    ours = set().union(*(words_of(re.sub(r"\{[^}]*\}", " ", key)) for key in pairs))
    theirs = set().union(*(words_of(re.sub(r"\{[^}]*\}", " ", text)) for text in pairs.values()))
    return frozenset(w for w in (ours | COMMON) - theirs - KEPT if len(w) > 2)


def left(text: str, tongue: str) -> dict[str, str]:
    """English words of a text, each with the line it stands in."""
    found: dict[str, str] = {}
    for line in text.splitlines():
        found.update((word, line.strip()[:160]) for word in words_of(line) & english_words(tongue))
    return found


@pytest.mark.parametrize(("tongue", "sentence"), [("es", "La regla da un valor p."), ("pt", "Os dados não decidem.")])
def test_the_list_knows_english_from_the_other_languages(tongue, sentence):
    assert {"the", "with", "threshold", "difference", "always"} <= english_words(tongue)
    assert len(english_words(tongue)) > 700
    assert left(sentence, tongue) == {}
    assert set(left(f"{sentence}\nThe difference is small.", tongue)) >= {"the", "difference"}


# -- what is read ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("tongue", ["es", pytest.param("pt", marks=pytest.mark.slow)])
@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_has_no_english(folder, command, tongue, monkeypatch, capsys):
    monkeypatch.chdir(folder)
    try:
        with pytest.raises(SystemExit) as ended:
            run(["--lang", tongue, *command.split()])
    finally:
        set_language("en")
    said = capsys.readouterr()
    assert ended.value.code in (0, 1), said.err
    assert left(said.out + said.err, tongue) == {}


COMMANDS_OF_THE_PROGRAM = ("", "demo", "run", "count", "evaluate", "compare", "decide", "gate", "plan", "advise",
                           "report", "serve", "measures", "store", "store drop")  # fmt: skip


@pytest.mark.parametrize("tongue", TONGUES)
def test_help_has_no_english(tongue, capsys):
    """Up to the examples, which are commands with a word on each."""
    found = {}
    for command in COMMANDS_OF_THE_PROGRAM:
        try:
            with pytest.raises(SystemExit):
                run(["--lang", tongue, *command.split(), "--help"])
        finally:
            set_language("en")
        said = re.split(r"\n *(?:Ejemplos?|Exemplos?):", capsys.readouterr().out)[0]
        said = "\n".join(line for line in said.splitlines() if not line.startswith("Uso:"))
        said = re.sub(r"<[^>]*>|\[(?:predeterminado|padrão): [^\]]*\]|\{[^}]*\}", " ", said)
        found.update(left(re.sub(r"(?m)^  \w+ ", " ", said), tongue))
    typed = {"name", "folds", "scores", "outcomes", "graded", "predictions", "slice", "file", "kind", "fitted",
             "labels", "probabilities", "values", "greater", "less", "multiclass", "host", "processes", "regression",
             "select", "from", "auto", "binary", "serial", "counts", "aligned", "permutation", "sign"}  # fmt: skip
    assert {word: line for word, line in found.items() if word not in typed} == {}


def prose_of(page: str) -> str:
    """What a page shows: its text and the labels that are read aloud, without code, scripts and styles."""
    page = re.sub(r"<(script|style|pre|code)\b.*?</\1>", " ", page, flags=re.DOTALL)
    aloud = re.findall(r'(?:aria-label|title|alt|placeholder)="([^"]*)"', page)
    return html.unescape("\n".join([*aloud, re.sub(r"<[^>]*>", "\n", page)]))


@pytest.mark.parametrize("tongue", TONGUES)
def test_a_report_has_no_english(folder, tongue, tmp_path):
    found = bakeoff.Predictions.read(
        folder / "preds.csv", y_true="y", y_score=["rf", "nb"], pos_label="si", fold="pliegue")  # fmt: skip
    context = bakeoff.OperatingContext(prevalence=0.1, cost_fp=1, cost_fn=5)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", bakeoff.BakeoffWarning)
        page = bakeoff.report(found, context, lang=tongue).save(tmp_path / "informe.html").read_text(encoding="utf-8")
    assert left(prose_of(page), tongue) == {}
    assert not re.search(r"\b0\.\d{2}", prose_of(page))


def _scores(path: Path, measure: str) -> bakeoff.Scores:
    table = pl.read_csv(path)
    return bakeoff.Scores.from_wide(table.drop("dataset").to_numpy(), models=table.columns[1:], measure=measure)


@pytest.mark.parametrize("tongue", TONGUES)
def test_results_printed_in_python_have_no_english(folder, tongue):
    scores = _scores(folder / "scores.csv", measure="accuracy")
    found = bakeoff.Predictions.read(folder / "preds.csv", y_true="y", y_score=["rf", "nb"], pos_label="si")
    context = bakeoff.OperatingContext(prevalence=0.1, cost_fp=1, cost_fn=5)
    with language(tongue), warnings.catch_warnings():
        warnings.simplefilter("ignore", bakeoff.BakeoffWarning)
        made = [
            bakeoff.evaluate(found, rng=0), bakeoff.compare(found, rng=0), bakeoff.decide(found, context, rng=0),
            bakeoff.compare(scores), bakeoff.roc(found), bakeoff.cost_curves(found, rng=0),
        ]  # fmt: skip
        said = "\n".join(map(str, made))
    assert left(said, tongue) == {}


# -- every kind of result, in every form -------------------------------------------------------------------------------


def _evidence(rng: np.random.Generator) -> dict[str, bakeoff.Predictions | bakeoff.Scores]:
    """Small evidence of every kind, with what each can hold: folds, groups, weights, slices, gaps, ties."""
    n, names = 60, ("rojo", "verde", "azul")
    truth = rng.random(n) < 0.4
    score = {
        m: (1 / (1 + np.exp(rng.normal(0.8 * (1 + i) * (0.5 - truth), 1.2)))).round(3) for i, m in enumerate(names)
    }
    said = {m: np.where(v > 0.5, "si", "no") for m, v in score.items()}
    y, fold = np.where(truth, "si", "no"), np.arange(n) % 5
    make = bakeoff.Predictions.from_arrays
    values = rng.normal(10, 3, n)
    two = {m: score[m] for m in names[:2]}
    wide = np.clip(0.75 + 0.02 * np.arange(3) + rng.normal(0, 0.05, (9, 3)), 0, 1).round(3)
    gaps = wide.copy()
    gaps[2, 1] = np.nan
    from_wide = bakeoff.Scores.from_wide
    folds = [
        ("d", m, j, round(float(v), 3)) for m, column in zip(names, wide.T, strict=True) for j, v in enumerate(column)
    ]
    long = pl.DataFrame(folds, schema=["dataset", "model", "fold", "v"], orient="row")
    return {
        "scores": make(y, y_score=score, pos_label="si"), "labels": make(y, y_pred=said, pos_label="si"),
        "folds": make(y, y_score=two, pos_label="si", fold=fold),
        "labels, folds": make(y, y_pred={m: said[m] for m in names[:2]}, pos_label="si", fold=fold),
        "groups": make(y, y_score=two, pos_label="si", groups=np.arange(n) // 5),
        "weights": make(y, y_pred=said, pos_label="si", sample_weight=rng.uniform(0.5, 2, n)),
        "values": make(values, y_value={m: values + rng.normal(0, 1 + i, n) for i, m in enumerate(names)}),
        "slices": make(y, y_score=two, pos_label="si", slices={"zona": rng.choice(["norte", "sur"], n)}),
        "few": make(y[:9], y_pred={m: v[:9] for m, v in said.items()}, pos_label="si"),
        "alike": make(y, y_score={"rojo": score["rojo"], "verde": score["rojo"]}, pos_label="si"),
        "table": from_wide(wide, models=names, measure="accuracy"),
        "gaps": from_wide(gaps, models=names, measure="rmse"),
        "few sets": from_wide(wide[:3, :2], models=names[:2], measure="accuracy"),
        "scores of folds": bakeoff.Scores.from_frame(long, model="model", value="v", fold="fold", measure="auc"),
    }  # fmt: skip


def _made(evidence: bakeoff.Predictions | bakeoff.Scores) -> Iterator[Callable[[], object]]:
    few: dict[str, object] = {"n_resamples": 40, "rng": 0}
    first, second = evidence.models[:2]
    context = bakeoff.OperatingContext(prevalence=0.1, cost_fp=1, cost_fn=5)
    yield lambda: evidence
    yield lambda: evidence.design
    for test in ("auto", *known_tests()):
        yield partial(bakeoff.compare, evidence, test=test, **few)
    yield partial(bakeoff.compare, evidence, margin=0.05, **few)
    yield partial(bakeoff.compare, evidence, alternative="greater", **few)
    yield partial(bakeoff.compare, evidence, control=second, **few)
    yield lambda: bakeoff.compare(evidence, **few).pairs[0]
    yield partial(bakeoff.evaluate, evidence, **few)
    yield lambda: bakeoff.evaluate(evidence, **few).entries[0]
    yield lambda: bakeoff.evaluate(evidence, **few).per_class
    yield lambda: bakeoff.evaluate(evidence, by="zona", **few).slices
    yield partial(bakeoff.gate, evidence, baseline=first, candidate=second, margin=0.1, rng=0)
    yield partial(bakeoff.flips, evidence, first, second)
    yield partial(bakeoff.decide, evidence, context, rng=0)
    yield partial(bakeoff.roc, evidence)
    yield partial(bakeoff.cost_curves, evidence, rng=0)
    yield partial(bakeoff.decision_curves, evidence, **few)
    yield partial(bakeoff.calibration, evidence, rng=0)
    yield partial(bakeoff.plan, evidence, difference=0.02)
    yield partial(bakeoff.plan, evidence)


EVERY = _evidence(np.random.default_rng(31))
QUICK = [("folds", "es"), ("table", "pt")]
SLOW = [(kind, tongue) for kind in EVERY for tongue in TONGUES if (kind, tongue) not in QUICK]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("kind", "tongue"), [*QUICK, *(pytest.param(*s, marks=pytest.mark.slow) for s in SLOW)])
def test_no_kind_of_result_has_english_in_any_form(kind, tongue):
    """Printed, as HTML, with its working, or refused: what cannot be had says so in the reader's language."""
    found: dict[str, str] = {}
    with language(tongue):
        for make in _made(EVERY[kind]):
            try:
                result = make()
            except bakeoff.BakeoffError as problem:
                found.update(left(str(problem), tongue))
                continue
            except (AttributeError, TypeError):  # scores have no items, and rows no slices of this name
                continue
            if result is None:
                continue
            shown = [str(result), prose_of(result._repr_html_())]
            shown += [result.steps().text(None)] if hasattr(result, "steps") else []
            found.update((w, line) for text in shown for w, line in left(text, tongue).items())
    assert found == {}


@pytest.mark.parametrize("tongue", TONGUES)
def test_results_of_arrays_have_no_english(tongue):
    rng = np.random.default_rng(8)
    x, right = rng.normal(0.8, 0.05, (9, 4)), rng.random((40, 2)) < 0.7
    with language(tongue):
        made = [
            stats.mcnemar(*right.T), stats.wilcoxon(x[:, 0], x[:, 1]), stats.paired_t(x[:, 0], x[:, 1]),
            stats.repeated_measures_anova(x), stats.friedman(x), stats.nemenyi(x), stats.sign_test(x[:, 0], x[:, 1]),
            stats.cohen_kappa_from_table([[9, 1], [2, 8]]), stats.binomial_interval(7, 9), stats.cochran_q(right),
            stats.tost(x[:, 0], x[:, 1], margin=0.1), stats.bayes_correlated_t(x[:, 0] - x[:, 1], rho=0.1, rope=0.01),
            stats.critical_values("z"), stats.dunnett(x, 0), stats.delong_interval(right[:, 0], rng.random(40)),
        ]  # fmt: skip
        shown = [text for r in made for text in (str(r), prose_of(r._repr_html_()), r.steps().text(None))]
        assert {w: line for text in shown for w, line in left(text, tongue).items()} == {}
