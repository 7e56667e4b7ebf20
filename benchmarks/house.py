"""How many places know the same thing: the counts that issue 13 watches, read from the source.

    python -m benchmarks.house              the counts
    python -m benchmarks.house --places     where each thing was found, too
    python -m benchmarks.house --lines      code lines by package, and those of files that serve later features only
    python -m benchmarks.house --json       for a machine

Everything is read from the syntax tree, so strings and comments that only look like code do not count.
"""

from __future__ import annotations

import argparse
import ast
import io
import json
import re
import tokenize
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from fnmatch import fnmatch
from functools import cached_property
from pathlib import Path

from bakeoff.comparison import catalogue

SOURCE = Path(__file__).parents[1] / "src" / "bakeoff"
# The optional ways of computing a measure at the time of the audit; any attribute of a `measure` counts as well.
FORMS = ("from_confusion", "from_tally", "terms", "combine", "from_rows", "over_weights", "proportion")

# Code lines of the first build (commit e8f26e1, before any file was moved), by package.
FIRST = {
    "_core": 545, "app": 460, "cli": 1105, "comparison": 3758, "decision": 2699, "evidence": 1750, "figures": 1220,
    "intervals": 774, "learners": 1215, "measures": 906, "protocols": 502, "report": 764, "runner": 3480, "stats": 6157,
}  # fmt: skip
# Files of which the first build had no counterpart, by what they were written for. A feature added inside an older file
# is not seen here, so that what is left is still more than the first build's features.
LATER = {
    "shown working": ("steps/*",),
    "logs of evaluations": ("evidence/logs/*", "integrations/*", "cli/_count.py"),
    "sums, items, attempts": (
        "measures/_additive.py", "evidence/_items.py", "evidence/_outcomes.py", "intervals/_attempts.py",
        "comparison/_plan_attempts.py", "comparison/_flips.py",
    ),
    "slices": (
        "evidence/_slicing.py", "intervals/_by_slice.py", "intervals/_slice*.py", "comparison/_slices.py",
        "comparison/_by.py", "decision/_decide_slices.py",
    ),
    "counts that travel, engines": (
        "evidence/_travel.py", "evidence/_engine.py", "evidence/_databases.py", "evidence/_fitted.py",
        "evidence/_counted.py", "evidence/_stored.py", "evidence/_counts_file.py", "evidence/seals.py",
    ),
    "what users pass": (
        "evidence/_direction.py", "evidence/_marks.py", "evidence/_roles.py", "evidence/_wide.py",
        "evidence/_target.py", "evidence/_text.py", "evidence/_answers.py",
    ),
    "the interval rule and its routes": (
        "intervals/_rule.py", "intervals/_fold_rule.py", "intervals/_class_mix.py", "intervals/_nested.py",
        "comparison/tests/rule.py",
        "comparison/tests/labels.py", "comparison/_margin_datasets.py", "comparison/_plan_areas.py",
        "stats/resample/_nested_cv.py", "decision/_cross_fit.py", "decision/_out_of_bag.py",
        "decision/_every_context.py",
    ),
    "calibration, decision curves, classes": (
        "decision/_validation.py", "decision/_decision_curves.py", "intervals/_per_class.py",
    ),
    "paper mode, decision card": (
        "report/_paper*.py", "report/_latex.py", "report/_bibliography.py", "report/_card.py",
    ),
    "store checked and repaired": (
        "runner/_claims.py", "runner/_code.py", "runner/_content.py", "runner/_digest.py", "runner/_integrity.py",
        "runner/_rebuild.py", "cli/_store.py",
    ),
}  # fmt: skip


@dataclass
class File:
    """One source file: its text, its tree and its lines of each kind."""

    path: Path
    text: str = field(init=False)

    def __post_init__(self) -> None:
        self.text = self.path.read_text(encoding="utf-8")

    @property
    def name(self) -> str:
        return self.path.relative_to(SOURCE).as_posix()

    @property
    def package(self) -> str:
        return self.name.partition("/")[0].removesuffix(".py")

    @cached_property
    def tree(self) -> ast.Module:
        return ast.parse(self.text)

    @cached_property
    def docstrings(self) -> list[ast.Constant]:
        kinds = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
        first = [node.body[0] for node in ast.walk(self.tree) if isinstance(node, kinds) and node.body]
        bare = [statement.value for statement in first if isinstance(statement, ast.Expr)]
        return [value for value in bare if isinstance(value, ast.Constant) and isinstance(value.value, str)]

    @cached_property
    def imports(self) -> list[ast.Import | ast.ImportFrom]:
        return [node for node in ast.walk(self.tree) if isinstance(node, (ast.Import, ast.ImportFrom))]

    @cached_property
    def comment_lines(self) -> set[int]:
        """Lines that hold nothing but a comment."""
        tokens = tokenize.generate_tokens(io.StringIO(self.text).readline)
        return {t.start[0] for t in tokens if t.type == tokenize.COMMENT and t.line.lstrip().startswith("#")}

    def code_lines(self) -> int:
        """Lines without docstrings, comments, blank lines and import statements."""
        left = {i for i, line in enumerate(self.text.splitlines(), 1) if line.strip()} - self.comment_lines
        for node in (*self.docstrings, *self.imports):
            left -= set(range(node.lineno, (node.end_lineno or node.lineno) + 1))
        return len(left)

    def strings(self) -> list[ast.Constant]:
        """Literal strings that are no docstrings."""
        documentation = {id(node) for node in self.docstrings}
        constants = [n for n in ast.walk(self.tree) if isinstance(n, ast.Constant) and isinstance(n.value, str)]
        return [node for node in constants if id(node) not in documentation]


def sources() -> list[File]:
    return [File(path) for suffix in ("py", "pyi") for path in sorted(SOURCE.rglob(f"*.{suffix}"))]


def owner(node: ast.expr) -> str:
    """The last name before the attribute: ``job.measure.name`` → measure."""
    value = node.value if isinstance(node, ast.Attribute) else node
    return value.attr if isinstance(value, ast.Attribute) else value.id if isinstance(value, ast.Name) else ""


def comparisons(file: File) -> Iterator[tuple[ast.Compare, list[ast.Attribute]]]:
    for node in ast.walk(file.tree):
        if isinstance(node, ast.Compare):
            sides = (node.left, *node.comparators)
            yield node, [side for side in sides if isinstance(side, ast.Attribute)]


def name_tests(file: File) -> list[str]:
    """Where a measure is recognised by its name."""
    return [
        f"{file.name}:{node.lineno}"
        for node, sides in comparisons(file)
        if any(side.attr == "name" and owner(side) == "measure" for side in sides)
    ]


def form_tests(file: File) -> list[str]:
    """Where an optional form of a measure is asked for: ``measure.from_tally is None``."""
    return [
        f"{file.name}:{node.lineno}"
        for node, sides in comparisons(file)
        if isinstance(node.ops[0], (ast.Is, ast.IsNot))
        and any(side.attr in FORMS or owner(side) == "measure" for side in sides)
    ]


def private_imports(file: File) -> list[str]:
    """Imports of a private file or name of another package."""
    found = []
    for node in file.imports:
        if not isinstance(node, ast.ImportFrom) or not (node.module or "").startswith("bakeoff."):
            continue
        other, *inside = (node.module or "").split(".")[1:]
        names = [alias.name for alias in node.names]
        private = any(p.startswith("_") for p in inside) or any(n.startswith("_") for n in names)
        if other not in (file.package, "_core") and private:
            found.append(f"{file.name}:{node.lineno}")
    return found


def repeated_examples(files: list[File]) -> dict[str, int]:
    """Lines of docstring examples (imports aside) that stand in three docstrings or more, and how often."""
    lines = Counter(
        line
        for file in files
        for node in file.docstrings
        for line in {found.strip() for found in re.findall(r"^\s*>>> (.+)$", str(node.value), flags=re.MULTILINE)}
        if not line.startswith(("import ", "from "))
    )
    return {line: n for line, n in lines.most_common() if n >= 3}


def found_places(files: list[File]) -> dict[str, list[str]]:
    """What is counted → where it was found."""
    return {
        "measure.name compared": [place for f in files for place in name_tests(f)],
        "measure.<form> is None": [place for f in files for place in form_tests(f)],
        "private imports of another package": [place for f in files for place in private_imports(f)],
        "dict[str, Any]": [f.name for f in files for _ in re.finditer(r"dict\[str, Any\]", f.text)],
    }


def counts(files: list[File]) -> dict[str, int]:
    repeated = repeated_examples(files)
    examples = [node for f in files for node in f.docstrings if ">>> " in str(node.value)]
    return {
        "files": len(files),
        "code lines": sum(f.code_lines() for f in files),
        "comment lines": sum(len(f.comment_lines) for f in files),
        **{name: len(places) for name, places in found_places(files).items()},
        "docstrings with an example": len(examples),
        "example lines in three docstrings or more": len(repeated),
        "  their repetitions": sum(repeated.values()),
    }


def account(files: list[File]) -> dict[str, dict[str, int]]:
    """Code lines by package: of the first build, now, and now without the files of later features."""
    later = [pattern for patterns in LATER.values() for pattern in patterns]
    found: dict[str, dict[str, int]] = {}
    for file in files:
        row = found.setdefault(file.package, {"first": FIRST.get(file.package, 0), "now": 0, "of older features": 0})
        row["now"] += file.code_lines()
        row["of older features"] += 0 if any(fnmatch(file.name, p) for p in later) else file.code_lines()
    return found


def print_account(files: list[File]) -> None:
    rows = account(files)
    rows["all"] = {name: sum(row[name] for row in rows.values()) for name in ("first", "now", "of older features")}
    print(f"{'code lines':14}{'first':>8}{'now':>8}{'of older features':>20}")
    for package, row in rows.items():
        print(f"{package:14}{row['first']:8,}{row['now']:8,}{row['of older features']:20,}")
    print("\nfiles of later features:")
    for feature, patterns in LATER.items():
        lines = sum(f.code_lines() for f in files if any(fnmatch(f.name, p) for p in patterns))
        print(f"    {feature:40}{lines:8,}")


def files_naming_tests(files: list[File]) -> dict[str, list[str]]:
    """Name of a test → the files in which it stands as a literal."""
    return {test: [f.name for f in files if any(s.value == test for s in f.strings())] for test in catalogue()}


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--places", action="store_true")
    parser.add_argument("--lines", action="store_true")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args(arguments)
    files = sources()
    if options.lines:
        print_account(files)
        return 0
    found, named = counts(files), files_naming_tests(files)
    if options.json:
        print(json.dumps({"counts": found, "files naming a test": {test: len(v) for test, v in named.items()}}))
        return 0
    for name, n in found.items():
        print(f"{name:44}{n:8,}")
    print("files in which a test's name stands as a literal:")
    print("   ", ", ".join(f"{test} {len(v)}" for test, v in named.items()))
    if options.places:
        for name, places in {**found_places(files), **named}.items():
            print(f"\n{name}", *(f"    {place}" for place in places), sep="\n")
        print("\nrepeated examples", *(f"    {n} × {line}" for line, n in repeated_examples(files).items()), sep="\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
