"""Variants of the formats that the real logs do not show: other versions, several prompts, copies, missing parts."""

from __future__ import annotations

import csv
import gzip
import hashlib
import json
import shutil
import zipfile
from pathlib import Path
from typing import Any

import pytest

import bakeoff
from bakeoff import EvidenceError, ParameterError

LOGS = Path(__file__).parents[2] / "golden" / "logs"


def put(place: Path, content: Any) -> Path:
    place.parent.mkdir(parents=True, exist_ok=True)
    if isinstance(content, str):
        place.write_text(content, encoding="utf-8")
    elif place.suffix == ".jsonl":
        place.write_text("\n".join(map(json.dumps, content)), encoding="utf-8")
    else:
        place.write_text(json.dumps(content), encoding="utf-8")
    return place


def values(evidence: bakeoff.Predictions, model: str) -> dict[str, float]:
    rows = evidence.table()
    return dict(zip(map(str, rows.instance), rows.values(model).tolist(), strict=True))


# -- lm-eval ----------------------------------------------------------------------------------------------------------


def sample(doc_id: int, **more: Any) -> dict[str, Any]:
    return {"doc_id": doc_id, "doc": {"q": f"q{doc_id}"}, "resps": [], "filtered_resps": [], **more}


def test_lm_eval_without_results_takes_the_folder_and_numbers(tmp_path) -> None:
    for model, right in {"small": [1, 0, 1], "large": [True, True, False]}.items():
        put(tmp_path / model / "samples_arc_easy.jsonl", [sample(i, acc=r) for i, r in enumerate(right)])
    evidence = bakeoff.read(tmp_path)
    assert (set(evidence.models), evidence.datasets) == ({"small", "large"}, ("arc_easy",))
    assert values(evidence, "large") == {"0": 1.0, "1": 1.0, "2": 0.0}


def test_lm_eval_pairs_by_what_a_document_says(tmp_path) -> None:
    """Another version of the data set numbers its documents anew; two equal documents are two items."""
    here = [sample(i, acc=1, doc_hash=h) for i, h in enumerate("aabc")]
    there = [sample(i, acc=0, doc_hash=h) for i, h in enumerate("xaabc")]
    put(tmp_path / "one" / "samples_t.jsonl", here)
    put(tmp_path / "two" / "samples_t.jsonl", there)
    pairing = bakeoff.read(tmp_path).pairing
    assert (pairing.items, pairing.paired) == (5, 4)


def test_lm_eval_less_is_better_where_the_results_say_so(tmp_path) -> None:
    results = {"results": {}, "configs": {}, "versions": {}, "higher_is_better": {"t": {"ter": False}}}
    for model, score in {"good": 0.1, "poor": 0.6}.items():
        stamp = "2026-01-01T00-00-00.000000"
        lines = [sample(i, metrics=["ter"], ter=score + (i % (7 if model == "good" else 5)) / 50) for i in range(60)]
        put(tmp_path / model / f"samples_t_{stamp}.jsonl", lines)
        put(tmp_path / model / f"results_{stamp}.json", {**results, "model_name": f"acme/{model}"})
    evidence = bakeoff.read(tmp_path)
    for measure in (None, "mean_outcome"):
        assert "acme/good is better than acme/poor" in bakeoff.compare(evidence, measure, rng=0).verdict
    gate = bakeoff.gate(evidence, baseline="acme/poor", candidate="acme/good", margin=0.1)
    assert gate.passed


def test_lm_eval_of_early_versions_is_a_list_named_after_the_model(tmp_path) -> None:
    results = {"results": {}, "configs": {"arc": {}, "easy": {}, "arc_easy": {}}, "versions": {}}
    for model, right in {"small": [1, 0, 1], "large": [1, 1, 0]}.items():
        lines = [sample(i, acc=r) for i, r in enumerate(right)]
        put(tmp_path / model / f"pretrained__{model}_arc_easy.jsonl", json.dumps(lines, indent=2))
        put(tmp_path / model / "results.json", results)
    evidence = bakeoff.read(tmp_path)
    assert (set(evidence.models), evidence.datasets) == ({"small", "large"}, ("arc_easy",))
    assert evidence.pairing.paired == 3


def test_lm_eval_scores_written_as_text_and_ends_of_lines_within_text(tmp_path) -> None:
    for model, right in {"a": ["1.0", "0.0", "true", "n/a"], "b": ["0", "0", "no", "1"]}.items():
        lines = [sample(i, metrics=["em"], em=r, doc={"q": f"q{i}\u2028\u0085\x0b"}) for i, r in enumerate(right)]
        text = "\n".join(json.dumps(line, ensure_ascii=False) for line in lines)
        put(tmp_path / model / "samples_t.jsonl", text)
    evidence = bakeoff.read(tmp_path)
    assert list(values(evidence, "a").values())[:3] == [1.0, 0.0, 1.0]
    assert evidence.pairing.missing == {"a": 1, "b": 0}


def test_lm_eval_takes_the_filter_that_all_models_have(tmp_path) -> None:
    for model, names in {"a": ("strict", "loose"), "b": ("other", "loose")}.items():
        lines = [sample(i, acc=float(f == "loose"), filter=f) for i in range(4) for f in names]
        put(tmp_path / model / "samples_t.jsonl", lines)
    evidence = bakeoff.read(tmp_path)
    assert set(evidence.models) == {"a", "b"}
    assert bakeoff.evaluate(evidence, "mean_outcome")["b", "mean_outcome"].estimate == 1.0
    strict = bakeoff.read(tmp_path, filter="strict")
    assert strict.models == ("a",)
    assert any("no answer of b has a score acc (strict)" in note.message for note in strict.notes)


def test_lm_eval_results_that_are_compressed_name_the_model(tmp_path) -> None:
    shutil.copytree(LOGS / "lm_eval" / "two_models", tmp_path / "logs")
    for file in [f for f in (tmp_path / "logs").rglob("*") if f.is_file()]:
        file.with_name(file.name + ".gz").write_bytes(gzip.compress(file.read_bytes()))
        file.unlink()
    assert set(bakeoff.read(tmp_path / "logs").models) == {"acme/alpha", "acme/beta"}


def test_lm_eval_corpus_measures_have_no_items(tmp_path) -> None:
    put(tmp_path / "m" / "samples_t.jsonl", [sample(0, metrics=["bleu"], bleu=["a", "b"]), sample(1, metrics=["bleu"])])
    with pytest.raises(EvidenceError, match="no metric of the log is a number"):
        bakeoff.read(tmp_path)


# -- inspect ----------------------------------------------------------------------------------------------------------


def inspect_log(model: str, scores: list[Any], **more: Any) -> dict[str, Any]:
    samples = [
        {"id": i, "epoch": 1, "input": [{"id": f"{model}{i}", "role": "user", "content": f"q{i}"}], "scores": s}
        for i, s in enumerate(scores)
    ]
    header = {"version": 2, "status": "success", "eval": {"task": "t", "model": model}, "results": {}}
    return {**header, "samples": samples, **more}


def test_inspect_scores_of_every_kind(tmp_path) -> None:
    kinds = ["C", "P", "I", "N", True, False, 0.25, "yes", "no", "0.75", None, float("nan")]
    put(tmp_path / "a.json", inspect_log("a", [{"s": {"value": v}} for v in kinds]))
    evidence = bakeoff.read(tmp_path / "a.json")
    assert list(values(evidence, "a").values()) == [1, 0.5, 0, 0, 1, 0, 0.25, 1, 0, 0.75]
    assert evidence.pairing.missing == {"a": 2}


def test_inspect_a_scorer_that_gives_several_numbers(tmp_path) -> None:
    for model in "ab":
        put(tmp_path / f"{model}.json", inspect_log(model, [{"judge": {"value": {"tone": 1, "facts": 0.5}}}] * 4))
    for metric in ("facts", "judge/facts"):
        assert set(values(bakeoff.read(tmp_path, metric=metric), "a").values()) == {0.5}
    with pytest.raises(ParameterError, match="judge/tone"):
        bakeoff.read(tmp_path, metric="style")


def test_inspect_a_log_that_was_not_finished(tmp_path) -> None:
    log = inspect_log("a", [{"s": {"value": "C"}}] * 3)
    with zipfile.ZipFile(tmp_path / "a.eval", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("_journal/start.json", json.dumps({"version": 2, "eval": log["eval"]}))
        for one in log["samples"]:
            archive.writestr(f"samples/{one['id']}_epoch_1.json", json.dumps(one))
    evidence = bakeoff.read(tmp_path / "a.eval")
    assert evidence.n == 3
    assert any("status 'started'" in note.message for note in evidence.notes)


def test_inspect_words_that_it_does_not_know_are_told(tmp_path) -> None:
    put(tmp_path / "a.json", inspect_log("a", [{"s": {"value": v}} for v in ("pass", "C", "fail", "0.5")]))
    evidence = bakeoff.read(tmp_path / "a.json")
    assert list(values(evidence, "a").values()) == [0, 1, 0, 0.5]
    assert any("'pass', 'fail' are words" in note.message for note in evidence.notes)


def test_inspect_a_set_of_runs_has_files_without_items(tmp_path) -> None:
    for model in "ab":
        put(tmp_path / f"{model}.json", inspect_log(model, [{"s": {"value": "C"}}] * 3))
    put(tmp_path / "eval-set.json", {"eval_set_id": "x", "tasks": []})
    put(tmp_path / "logs.json", {"a.json": {"status": "success", "eval": {"task": "t", "model": "a"}}})
    evidence = bakeoff.read(tmp_path)
    assert (evidence.models, set(evidence.source.skipped)) == (("a", "b"), {"eval-set.json", "logs.json"})
    put(tmp_path / "package.json", {"name": "x"})
    with pytest.raises(EvidenceError, match=r"package\.json"):
        bakeoff.read(tmp_path)


# -- promptfoo --------------------------------------------------------------------------------------------------------


def result(provider: str, prompt: str, number: int, score: float, **more: Any) -> dict[str, Any]:
    return {
        "provider": {"id": provider}, "prompt": {"raw": f"{prompt} {number}", "label": prompt}, "vars": {"n": number},
        "score": score, "success": score > 0.5, "namedScores": {}, "gradingResult": {"pass": True}, **more,
    }  # fmt: skip


def test_promptfoo_several_prompts_are_several_models(tmp_path) -> None:
    results = [result("gpt", p, n, s) for n in range(3) for p, s in (("short", 1.0), ("long", 0.0))]
    put(tmp_path / "out.json", {"version": 2, "results": {"version": 2, "results": results, "stats": {}}})
    assert bakeoff.read(tmp_path / "out.json").models == ("[gpt] short", "[gpt] long")


def test_promptfoo_one_provider_with_two_settings_is_two_models(tmp_path) -> None:
    """They have one id and one prompt: only the column of the tool's table tells them from repeats."""
    results = [result("gpt", "p", n, float(c), promptIdx=c) for n in range(3) for c in (0, 1)]
    put(tmp_path / "out.json", {"results": {"results": results}})
    evidence = bakeoff.read(tmp_path / "out.json")
    assert values(evidence, "gpt (2)") == {"0": 1.0, "1": 1.0, "2": 1.0}
    assert evidence.models == ("gpt (1)", "gpt (2)")


def test_promptfoo_tests_without_variables_are_their_descriptions(tmp_path) -> None:
    results = [
        result(p, "p", 0, 1.0, vars={}, testCase={"description": d}) for d in ("short", "long", "rude") for p in "ab"
    ]
    put(tmp_path / "out.json", {"results": {"results": results}})
    assert values(bakeoff.read(tmp_path / "out.json"), "b") == {"short": 1.0, "long": 1.0, "rude": 1.0}


def test_promptfoo_a_metric_that_nobody_has_is_not_the_first(tmp_path) -> None:
    results = [{**result(p, "p", n, 1.0), "score": None} for n in range(3) for p in "ab"]
    put(tmp_path / "out.json", {"results": {"results": results}})
    assert values(bakeoff.read(tmp_path / "out.json"), "a") == {"0": 1.0, "1": 1.0, "2": 1.0}


def test_promptfoo_before_failure_reasons(tmp_path) -> None:
    """An old log tells a provider's error by a grading that never took place."""
    failed = result("b", "p", 2, 0.0, error="timeout", gradingResult=None)
    wrong = result("b", "p", 1, 0.0, error="Expected 1", gradingResult={"pass": False})
    results = [result("a", "p", n, 1.0) for n in range(3)] + [result("b", "p", 0, 1.0), wrong, failed]
    put(tmp_path / "out.json", {"results": {"results": results}})
    evidence = bakeoff.read(tmp_path / "out.json")
    assert evidence.pairing.missing == {"a": 0, "b": 1}


def test_promptfoo_table_whose_cells_tell_the_outcome(tmp_path) -> None:
    with (tmp_path / "out.csv").open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["question", "[a [0.2]] {{question}}", "[b] {{question}}"])
        writer.writerow(["1 + 1", "[PASS] 2", "[FAIL] Expected 2\n---\n3"])
        writer.writerow(["1 + 2", "[PASS] 3", "[ERROR] timeout"])
    evidence = bakeoff.read(tmp_path / "out.csv")
    assert values(evidence, "a [0.2]") == {"1 + 1": 1.0, "1 + 2": 1.0}
    assert evidence.pairing.missing == {"a [0.2]": 0, "b": 1}


# -- deepeval ---------------------------------------------------------------------------------------------------------


def test_deepeval_cases_without_names_are_their_input(tmp_path) -> None:
    def case(place: int, asked: str, score: float | None, **more: Any) -> dict[str, Any]:
        metric = {"name": "Right [GEval]", "score": score, "success": bool(score), **more}
        return {"name": f"test_case_{place}", "input": asked, "success": bool(score), "metricsData": [metric]}

    asked = ["a", "b", "c"]
    put(tmp_path / "one.json", {"testCases": [case(i, q, 1.0) for i, q in enumerate(asked)], "identifier": "one"})
    other = [case(i, q, 0.0) for i, q in enumerate(asked[::-1])]
    other[0] = case(0, "c", None, error="judge failed")
    put(tmp_path / "two.json", {"testCases": other, "hyperparameters": {"model": "two"}})
    evidence = bakeoff.read(tmp_path, metric="Right")
    assert set(evidence.models) == {"one", "two"}
    assert evidence.pairing.missing == {"one": 0, "two": 1}
    assert evidence.pairing.paired == 2


def test_deepeval_a_score_that_is_no_number_is_missing_and_a_case_needs_a_name(tmp_path) -> None:
    metric = {"name": "Right", "success": True}
    cases = [{"name": f"q{i}", "input": str(i), "metricsData": [{**metric, "score": float("nan")}]} for i in range(2)]
    cases[0]["metricsData"][0]["score"] = "0.5"
    put(tmp_path / "a.json", {"testCases": cases, "identifier": "a"})
    evidence = bakeoff.read(tmp_path / "a.json")
    assert (values(evidence, "a"), evidence.pairing.missing) == ({"q0": 0.5}, {"a": 1})
    put(tmp_path / "a.json", {"testCases": [{"metricsData": []}]})
    with pytest.raises(EvidenceError, match="neither a name nor an input"):
        bakeoff.read(tmp_path / "a.json")


# -- helm -------------------------------------------------------------------------------------------------------------


def test_helm_perturbed_copies_are_items_of_one_instance(tmp_path) -> None:
    def stat(name: str, value: float) -> dict[str, Any]:
        return {"name": {"name": name, "split": "test"}, "count": 1, "sum": value, "mean": value}

    for model, right in {"a": [1, 0, 1, 1], "b": [0, 0, 1, 0]}.items():
        entries = [
            {"instance_id": f"id{i // 2}", "train_trial_index": 0, "stats": [stat("tokens", 9), stat("em", r)],
             **({"perturbation": {"name": "typos", "p": 0.1}} if i % 2 else {})}
            for i, r in enumerate(right)
        ]  # fmt: skip
        spec = {
            "name": f"sums:k=1,model=acme_{model}", "adapter_spec": {"model": f"acme/{model}"}, "scenario_spec": {},
            "metric_specs": [{"args": {"names": ["em"]}}],
        }  # fmt: skip
        put(tmp_path / model / "run_spec.json", spec)
        put(tmp_path / model / "per_instance_stats.json", entries)
    evidence = bakeoff.read(tmp_path)
    assert (evidence.datasets, evidence.pairing.items) == (("sums:k=1",), 4)
    assert values(evidence, "acme/a") == {"id0": 1, "id0 typos": 0, "id1": 1, "id1 typos": 1}
    assert evidence.table().n_groups == 2  # copies of an instance are no new cases
    assert set(evidence.table().slices["perturbation"].names) == {"original", "typos"}
    assert bakeoff.read(tmp_path, groups="instance").table().n_groups == 2


def test_helm_summaries_of_a_suite_stand_next_to_its_runs(tmp_path) -> None:
    shutil.copytree(LOGS / "helm" / "two_models", tmp_path / "suite")
    put(tmp_path / "suite" / "runs.json", [{"run_spec": {}}])
    put(tmp_path / "suite" / "groups" / "core.json", [{"title": "Core", "rows": []}])
    shown = [{"instance_id": "id1", "predicted_text": "7", "train_trial_index": 0, "stats": {"exact_match": 1}}]
    put(next((tmp_path / "suite").glob("*alpha")) / "display_predictions.json", shown)
    evidence = bakeoff.read(tmp_path / "suite")
    assert (evidence.pairing.paired, set(evidence.source.skipped)) == (8, {"runs.json", "groups/core.json"})


# -- every-eval-ever --------------------------------------------------------------------------------------------------


def test_every_eval_ever_a_shortened_file_is_seen_by_its_checksum(tmp_path) -> None:
    shutil.copytree(LOGS / "every_eval_ever" / "two_models", tmp_path / "eee")
    short = next((tmp_path / "eee").rglob("*_samples.jsonl"))
    whole = short.read_bytes()
    short.write_bytes(b"\n".join(whole.split(b"\n")[:10]))
    with pytest.raises(EvidenceError, match="checksum"):
        bakeoff.read(tmp_path / "eee")
    assert hashlib.sha256(whole).hexdigest() in next(short.parent.glob("*.json")).read_text(encoding="utf-8")


def test_every_eval_ever_without_instances_says_how_to_have_them(tmp_path) -> None:
    shutil.copytree(LOGS / "every_eval_ever" / "two_models", tmp_path / "eee")
    for file in (tmp_path / "eee").rglob("*.jsonl"):
        file.unlink()
    with pytest.raises(EvidenceError, match="include_samples"):
        bakeoff.read(tmp_path / "eee")


# -- mlflow -----------------------------------------------------------------------------------------------------------


def test_mlflow_tables_alone_are_named_after_their_file(tmp_path) -> None:
    for model, right in {"old": [1, 0], "new": [1, 1]}.items():
        table = {"columns": ["inputs", "exact/v1/score", "latency"], "data": [["a", right[0], 3], ["b", right[1], 4]]}
        put(tmp_path / f"{model}.json", table)
    one = bakeoff.read(tmp_path / "new.json")
    assert (one.models, one.source.metrics) == (("new",), ("exact", "latency"))
    assert values(one, "new") == {"a": 1.0, "b": 1.0}


def test_mlflow_deleted_runs_are_left_out_and_parameters_may_name_models(tmp_path) -> None:
    shutil.copytree(LOGS / "mlflow" / "evaluate", tmp_path / "mlruns")
    assert set(bakeoff.read(tmp_path / "mlruns", model="params.model").models) == {"alpha", "beta"}
    meta = next(p for p in (tmp_path / "mlruns").rglob("meta.yaml") if "run_name: beta" in p.read_text())
    meta.write_text(meta.read_text().replace("active", "deleted"))
    assert bakeoff.read(tmp_path / "mlruns").models == ("alpha",)


def test_mlflow_runs_keep_other_tables_and_files(tmp_path) -> None:
    shutil.copytree(LOGS / "mlflow" / "evaluate", tmp_path / "mlruns")
    for folder in list((tmp_path / "mlruns").rglob("artifacts")):
        put(folder / "model" / "input_example.json", {"columns": ["x"], "data": [[1], [2]]})
        put(folder / "config.json", {"a": 1})
    evidence = bakeoff.read(tmp_path / "mlruns")
    assert (evidence.models, evidence.pairing.paired) == (("alpha", "beta"), 16)


def test_mlflow_answers_of_judges_are_words(tmp_path) -> None:
    table = {"columns": ["inputs", "correct/value"], "data": [["a", "yes"], ["b", "no"], ["c", None]]}
    put(tmp_path / "new.json", table)
    assert values(bakeoff.read(tmp_path / "new.json"), "new") == {"a": 1.0, "b": 0.0}


# -- alike for all ----------------------------------------------------------------------------------------------------


def test_compressed_logs_are_read(tmp_path) -> None:
    with gzip.open(tmp_path / "sums.json.gz", "wb") as file:
        file.write((LOGS / "promptfoo" / "one_file" / "sums.json").read_bytes())
    assert bakeoff.read(tmp_path / "sums.json.gz").models == ("alpha", "beta")


@pytest.mark.parametrize(
    ("name", "content"),
    [("samples_t.jsonl", [sample(0, acc=1), {"resps": []}]),
     ("a.json", {"eval": {"task": "t", "model": "m"}, "samples": [{"id": 1, "scores": [1]}]}),
     ("out.json", {"results": {"results": [3]}}), ("run.json", {"testCases": [3]}),
     ("per_instance_stats.json", [{"instance_id": "a", "stats": [{}]}]),
     ("s.jsonl", [{"evaluation_id": "e", "sample_id": 1, "evaluation": {}}, {"evaluation_id": "e"}]),
     ("t.json", {"columns": ["item", "right/score"], "data": [["a"]]})],
)  # fmt: skip
def test_entries_of_another_form_are_told_in_a_sentence(name, content, tmp_path) -> None:
    with pytest.raises(EvidenceError, match=r"is not as .* writes it"):
        bakeoff.read(put(tmp_path / name, content))


def test_a_format_that_it_is_not(tmp_path) -> None:
    with pytest.raises(EvidenceError, match="is no log of helm"):
        bakeoff.read(LOGS / "promptfoo" / "one_file" / "sums.json", format="helm")
    with pytest.raises(EvidenceError, match="holds no logs of helm"):
        bakeoff.read(LOGS / "inspect" / "json", format="helm")
    with pytest.raises(ParameterError, match="format must be one of"):
        bakeoff.read(LOGS / "inspect" / "json", format="inspekt")


@pytest.mark.parametrize(
    ("asked", "says"),
    [({"task": "sum"}, "sums_gen"), ({"filter": "strict"}, "strict-match"), ({"metric": "f1"}, "exact_match"),
     ({"model": "gamma"}, "acme/alpha"), ({"errors": "ignore"}, "missing"), ({"item": "number"}, "question"),
     ({"value": "x"}, "no use for")],
)  # fmt: skip
def test_what_is_not_there_is_told_with_what_is(asked, says) -> None:
    with pytest.raises(ParameterError, match=says):
        bakeoff.read(LOGS / "lm_eval" / "two_models", **asked)


def test_models_and_items_may_be_chosen() -> None:
    evidence = bakeoff.read(LOGS / "lm_eval" / "two_models", task="sums_mc", model="acme/alpha", item="id")
    assert evidence.models == ("acme/alpha",)
    assert "q000" in values(evidence, "acme/alpha")
    assert bakeoff.read(LOGS / "inspect" / "epochs", drop_missing=True).pairing.missing["mockllm/beta"] == 0


def test_arguments_of_logs_are_no_use_to_a_table(tmp_path) -> None:
    table = put(tmp_path / "scores.csv", "dataset,a,b\nx,1,2\ny,2,3\n")
    with pytest.raises(ParameterError, match="task"):
        bakeoff.read(table, task="x")
    assert bakeoff.read(table).source.format == "csv"


# -- which way is better ----------------------------------------------------------------------------------------------


def test_lm_eval_pairs_of_true_and_predicted_class_are_no_likelihoods(tmp_path) -> None:
    """F1 and MCC keep [true, predicted] per document; only what the tool aggregates as a likelihood is one."""
    for model in "ab":
        lines = [sample(i, metrics=["f1", "acc"], f1=[i % 2, 1], acc=float(i % 2)) for i in range(6)]
        put(tmp_path / "f1" / model / "samples_cb.jsonl", lines)
        put(tmp_path / "mcc" / model / "samples_cola.jsonl", [sample(i, mcc=[i % 2, 1]) for i in range(6)])
        pairs = [sample(i, word_perplexity=[-9.0 - i, 4], perplexity=-2.0 - i) for i in range(6)]
        put(tmp_path / "likely" / model / "samples_wiki.jsonl", pairs)
    assert bakeoff.read(tmp_path / "f1").source.metrics == ("acc",)
    with pytest.raises(EvidenceError, match="no metric of the log is a number"):
        bakeoff.read(tmp_path / "mcc")
    for metric in ("word_perplexity", "perplexity"):  # likelihoods without results are known by their sign
        assert bakeoff.read(tmp_path / "likely", metric=metric).table().task == "sums"


def test_less_is_better_by_the_name_of_a_metric_or_as_asked(tmp_path) -> None:
    for model, share in {"good": 0.1, "bad": 0.6}.items():
        scores = (
            {"wer": share + i % len(model) / 100, "quality": 9 - share + i % len(model) / 9, "refused": share > i / 40}
            for i in range(40)
        )
        lines = [sample(i, **score) for i, score in enumerate(scores)]
        put(tmp_path / model / "samples_asr.jsonl", lines)
    assert bakeoff.compare(bakeoff.read(tmp_path, metric="wer")).best == "good"
    unknown = bakeoff.read(tmp_path, metric="quality")
    assert [note.code for note in unknown.notes] == ["direction-assumed"]
    with pytest.raises(ParameterError, match="whether more or less"):
        bakeoff.gate(unknown, baseline="bad", candidate="good", margin=0.1)
    for metric in ("quality", "refused"):
        asked = bakeoff.read(tmp_path, metric=metric, greater_is_better=False)
        assert bakeoff.compare(asked).best == ("bad" if metric == "quality" else "good")
        assert not asked.notes
    put(
        tmp_path / "good" / "results.json",
        {"results": {}, "configs": {}, "versions": {}, "higher_is_better": {"asr": {"wer": False}}},
    )
    with pytest.raises(ParameterError, match="of wer less is better, as the log tells"):
        bakeoff.read(tmp_path, metric="wer", greater_is_better=True)


def test_deepeval_tells_by_its_threshold_which_way_is_better(tmp_path) -> None:
    """Of toxicity a score above the threshold fails: less is better."""
    for model, level in {"good": 0.1, "bad": 0.7}.items():
        cases = []
        for i in range(40):
            score = level + i % len(model) / 20
            bias = {"name": "Bias", "threshold": 0.5, "score": score, "success": score <= 0.5}
            fit = {"name": "Relevancy", "threshold": 0.5, "score": 1 - score, "success": score <= 0.5}
            cases.append({"name": f"c{i}", "input": f"q{i}", "metricsData": [bias, fit]})
        put(tmp_path / f"{model}.json", {"testCases": cases, "hyperparameters": {"model": model}})
    for metric_name in ("Bias", "Relevancy"):
        assert bakeoff.compare(bakeoff.read(tmp_path, metric=metric_name)).best == "good"


def test_every_eval_ever_takes_the_first_metric_of_the_aggregate(tmp_path) -> None:
    results = [{"evaluation_result_id": name} for name in ("acc", "f1")]
    about = {"evaluation_id": "e", "model_info": {"id": "m"}, "evaluation_results": results}
    lines = [
        {"evaluation_id": "e", "sample_id": str(i), "evaluation_result_id": name, "evaluation": {"score": 1.0}}
        for i in range(3) for name in ("f1", "acc")
    ]  # fmt: skip
    put(tmp_path / "u_samples.jsonl", lines)
    put(tmp_path / "u.json", {**about, "detailed_evaluation_results": {"file_path": "u_samples.jsonl"}})
    assert bakeoff.read(tmp_path).source.metrics == ("acc", "f1")


@pytest.mark.parametrize("asked", [{}, {"task": "t"}, {"metric": "m"}, {"format": "inspect"}, {"format": "helm"}])
def test_a_log_that_is_not_there(asked, tmp_path) -> None:
    with pytest.raises(EvidenceError, match="there is no file"):
        bakeoff.read(tmp_path / "nothing.json", **asked)
