"""HELM: a run's folder, with ``run_spec.json``, ``scenario_state.json`` and ``per_instance_stats.json``."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from bakeoff.evidence.logs._record import Format, Log, Opened, Record, Value, canonical, has, number

_BOOKKEEPING = ("num_", "inference_", "training_", "max_prob", "finish_reason_", "batch_size", "prompt_", "estimated_")
_MODEL = re.compile(r"[:,]?(model|model_deployment)=[^,]*")


def _read(opened: Opened) -> Iterable[Log]:
    spec = opened.beside("run_spec.json") or {}
    adapter = spec.get("adapter_spec") or {}
    name = str(spec.get("name") or opened.path.resolve().parent.name)
    model = str(adapter.get("model") or adapter.get("model_deployment") or name)
    task = _MODEL.sub("", name).rstrip(":") or name
    asked = _asked(opened)
    first = [m for one in spec.get("metric_specs") or [] for m in (one.get("args") or {}).get("names") or []]
    splits = {_split(entry["stats"]) for entry in opened.head}
    kept = "test" if "test" in splits else None  # HELM reports each split by itself
    perturbed = any(entry.get("perturbation") for entry in opened.head)
    records = []
    for entry in opened.head:
        change = _change(entry.get("perturbation"))
        place = str(entry["instance_id"]), change
        split = _split(entry["stats"])
        if kept is not None and split != kept:
            continue
        changed = str((entry.get("perturbation") or {}).get("name", "")) if change else ""
        about = {"split": split}
        if perturbed:
            about |= {"perturbation": changed or "original", "instance": place[0]}
        records.append(
            Record(
                task, model, " ".join(part for part in place if part), _values(entry["stats"], first),
                attempt=entry.get("train_trial_index"), shown=" ".join(part for part in (place[0], changed) if part),
                text=asked.get(place), about=about, copy_of=place[0],
            )
        )  # fmt: skip
    told = (
        *[f"{name}: only the split 'test' was read, as HELM reports each by itself."] * (len(splits) > 1),
        *[f"{name}: perturbed copies of an instance are no new cases, and are kept together as a group."] * perturbed,
    )
    yield Log(opened.name, "", records, told=told)


def _asked(opened: Opened) -> dict[tuple[str, str], str]:
    state = opened.beside("scenario_state.json") or {}
    instances = [one["instance"] for one in state.get("request_states") or [] if has(one.get("instance"), "id")]
    return {
        (str(i["id"]), _change(i.get("perturbation"))): canonical((i.get("input") or {}).get("text")) for i in instances
    }


def _change(perturbation: Any) -> str:
    """What was done to the input of a copy, with its settings; nothing for the original."""
    return canonical(perturbation) if perturbation else ""


def _split(stats: Sequence[Mapping[str, Any]]) -> str:
    return next((str(s["name"]["split"]) for s in stats if s["name"].get("split")), "")


def _values(stats: Sequence[Mapping[str, Any]], first: Sequence[str]) -> dict[str, Value]:
    """Statistics by name, those that the run asked for first; one that counted nothing was not scored."""
    values: dict[str, Value] = {}
    for stat in stats:
        name, count = str(stat["name"]["name"]), stat.get("count")
        mean = number(stat.get("mean"))
        if mean is None and count:
            mean = number(stat.get("sum", 0) / count)
        if values.get(name) is None:
            values[name] = mean
    order = [name for name in first if name in values] or [n for n in values if not n.startswith(_BOOKKEEPING)]
    return {name: values[name] for name in (*order, *(n for n in values if n not in order))}


def _is_stat(value: Any) -> bool:
    return has(value, "name", "count", "sum") and has(value["name"], "name")


def _claims(opened: Opened) -> bool:
    if opened.kind != "json" or not isinstance(opened.head, list):
        return False
    return has(opened.first, "instance_id", "stats") and isinstance(opened.first["stats"], list)


def _part(opened: Opened) -> bool:
    head = opened.head
    if isinstance(head, list):
        return bool(head) and _is_stat(head[0])
    return (
        has(head, "adapter_spec", "scenario_spec")
        or has(head, "adapter_spec", "request_states")
        or has(head, "name", "description", "tags", "definition_path")
    )


HELM = Format(
    name="helm",
    files="a run's folder: run_spec.json, scenario_state.json, per_instance_stats.json",
    recognised="a list of entries with instance_id and stats",
    claims=_claims,
    read=_read,
    part=_part,
    how="keep the run's per_instance_stats.json",
    beside=(
        "summary.json",
        "run_specs.json",
        "runs.json",
        "runs_to_run_suites.json",
        "groups.json",
        "groups_metadata.json",
        "groups/*.json",
        "costs.json",
        "schema.json",
    ),
)
