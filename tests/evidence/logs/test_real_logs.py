"""Logs that the tools themselves wrote: pairing, means, attempts and slices against what was planned for them.

`tests/golden/logs` holds the logs and `expected.json`, made from the plan of the benchmark and not from the logs.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

import bakeoff
from bakeoff import EvidenceError

LOGS = Path(__file__).parents[2] / "golden" / "logs"
EXPECTED = json.loads((LOGS / "expected.json").read_text(encoding="utf-8"))
SETS = [s for s in EXPECTED["sets"] if s.get("outcomes")]
pytestmark = pytest.mark.filterwarnings("ignore::bakeoff.BakeoffWarning")


def name(one: dict) -> str:
    return " ".join([one["path"], *map(str, one.get("read", {}).values())])


@pytest.mark.parametrize("one", SETS, ids=name)
def test_items_pair_and_means_are_the_tools_own(one: dict) -> None:
    evidence = bakeoff.read(LOGS / one["path"], **one["read"])
    wrong = bakeoff.read(LOGS / one["path"], errors="wrong", **one["read"])
    assert evidence.source.format == one["format"]
    pairing = evidence.pairing
    assert (pairing.items, pairing.paired) == (one["items"], one["paired"])
    means, as_wrong = (bakeoff.evaluate(e, "mean_outcome") for e in (evidence, wrong))
    for model, want in one["models"].items():
        assert means[model, "mean_outcome"].estimate == pytest.approx(want["mean"], abs=1e-9)
        assert means[model, "mean_outcome"].estimate == pytest.approx(want["tool_reported"], abs=1e-9)
        assert as_wrong[model, "mean_outcome"].estimate == pytest.approx(want["mean_errors_wrong"], abs=1e-9)
        found = {k: getattr(pairing, k)[model] for k in ("per_model", "missing", "unpaired")}
        assert found == {"per_model": want["items"], "missing": want["missing"], "unpaired": want["unpaired"]}
        for measure in ("pass@2", "pass^2", "pass@3"):
            if measure in want:
                got = bakeoff.evaluate(evidence, measure)[model, measure].estimate
                assert got == pytest.approx(want[measure]["value"], abs=1e-9)


@pytest.mark.parametrize("one", SETS, ids=name)
def test_pairs_are_compared_on_the_items_they_share(one: dict) -> None:
    evidence = bakeoff.read(LOGS / one["path"], **one["read"])
    for want in one["pairs"]:
        both = evidence.select(models=[want["a"], want["b"]])
        pair = bakeoff.compare(both, "mean_outcome", rng=0).pair(want["a"], want["b"])
        assert pair.estimate == pytest.approx(want["difference"], abs=1e-9)
        if "a_only" in want:
            flips = bakeoff.flips(both, want["b"], want["a"])
            assert (flips.n, flips.gained, flips.lost) == (want["n"], want["a_only"], want["b_only"])


@pytest.mark.parametrize("one", [s for s in SETS if "by_subject" in next(iter(s["models"].values()))], ids=name)
def test_what_the_tool_kept_about_an_item_are_slices(one: dict) -> None:
    rows = bakeoff.read(LOGS / one["path"], **one["read"]).table()
    subject = rows.slices["subject"]
    for model, want in one["models"].items():
        for label, expected in want["by_subject"].items():
            own = (subject.code == subject.names.index(label)) & rows.has(model)
            assert int(own.sum()) == expected["n"]
            assert rows.values(model)[own].mean() == pytest.approx(expected["mean"], abs=1e-9)


def test_pairs_of_log_likelihood_and_units_are_sums() -> None:
    one = next(s for s in EXPECTED["sets"] if "perplexity" in s["path"])
    words = bakeoff.read(LOGS / one["path"])
    in_bytes = bakeoff.read(LOGS / one["path"], metric="bits_per_byte")
    for model, want in one["models"].items():
        got = bakeoff.evaluate(words, "perplexity")[model, "perplexity"].estimate
        assert got == pytest.approx(want["word_perplexity"], rel=1e-9)
        got = bakeoff.evaluate(in_bytes, "bits_per_unit")[model, "bits_per_unit"].estimate
        assert got == pytest.approx(want["bits_per_byte"], rel=1e-9)
    assert bakeoff.compare(words).best == "acme/alpha"  # less is better


@pytest.mark.parametrize("one", EXPECTED["bad"], ids=name)
def test_what_cannot_be_read_is_told_in_a_sentence(one: dict) -> None:
    if one["outcome"] == "reads":
        evidence = bakeoff.read(LOGS / one["path"], **one["read"])
        assert (list(evidence.models), evidence.pairing.items) == (one["models"], one["items"])
        assert {"alpha.eval", "notes.txt"} < set(evidence.source.skipped)
        return
    with pytest.raises(EvidenceError) as raised:
        bakeoff.read(LOGS / one["path"])
    for words in one["says"]:
        assert words in str(raised.value)


def test_runs_of_one_model_are_attempts_when_asked_for() -> None:
    evidence = bakeoff.read(LOGS / "bad" / "twice", attempt="file")
    assert evidence.models == ("mockllm/alpha",)
    assert evidence.pairing.attempts["mockllm/alpha"] == 2 * evidence.pairing.items


def test_a_bad_file_in_a_folder_is_left_out_only_when_asked_for(tmp_path) -> None:
    shutil.copytree(LOGS / "inspect" / "json", tmp_path / "logs")
    shutil.copy(LOGS / "bad" / "cut" / "alpha.eval", tmp_path / "logs" / "cut.eval")
    shutil.copy(LOGS / "bad" / "foreign" / "package.json", tmp_path / "logs" / "package.json")
    with pytest.raises(EvidenceError, match=r"cut\.eval.*skip"):
        bakeoff.read(tmp_path / "logs")
    evidence = bakeoff.read(tmp_path / "logs", skip_bad=True)
    assert set(evidence.source.skipped) == {"cut.eval", "package.json"}
    assert "files-skipped" in {note.code for note in evidence.notes}
    assert len(evidence.source.files) == 2


def test_the_source_tells_what_was_read() -> None:
    source = bakeoff.read(LOGS / "lm_eval" / "two_models").source
    assert (source.format, source.version) == ("lm-eval", "0.4.13")
    assert source.tasks == ("sums_gen", "sums_mc")
    assert set(source.metrics) == {"exact_match", "acc", "acc_norm"}
    assert any("strict-match was read" in note for note in source.notes)
    assert set(bakeoff.evidence.formats()) >= {"lm-eval", "inspect", "promptfoo", "deepeval", "helm", "mlflow", "csv"}


def test_groups_are_named_by_a_field_of_the_log() -> None:
    evidence = bakeoff.read(LOGS / "inspect" / "two_models", groups="passage")
    assert 1 < evidence.table().n_groups < 24
    with pytest.raises(bakeoff.ParameterError, match="passage"):
        bakeoff.read(LOGS / "inspect" / "two_models", groups="passages")
