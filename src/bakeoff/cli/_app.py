"""Putting the commands together, and turning errors into sentences and exit statuses."""

from __future__ import annotations

import errno
import importlib
import importlib.util
import os
import re
import sys
import tempfile
import traceback
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from functools import partial
from typing import Annotated, Any

import typer
from typer import Option
from typer.core import TyperGroup

from bakeoff._core.error_words import Said
from bakeoff._core.errors import BakeoffError, BakeoffWarning
from bakeoff._core.language import (
    LANGUAGES,
    Text,
    current_language,
    language_of_locale,
    render,
    set_language,
    translate,
)
from bakeoff._core.text import shorten
from bakeoff.cli._names import NamingCommand
from bakeoff.cli._output import Listened, fail

# In the order of the help page. A module has a function of the command's name and `EXAMPLE`, or makes its own `group`.
_COMMANDS = "demo run store count evaluate compare decide gate plan advise report serve measures"

# Extra → what it is for, and the modules that show that it is there.
_EXTRAS = {
    "learn": (Text("SMOTE and samplers in bakeoff.learners"), ("imblearn",)),
    "plot": (Text("figures for print (matplotlib)"), ("matplotlib",)),
    "app": (Text("bakeoff serve, the web application"), ("starlette", "uvicorn", "python_multipart")),
    "cluster": (Text("runs on a Dask cluster"), ("distributed",)),
    "duckdb": (Text("counting in DuckDB files"), ("duckdb",)),
    "ibis": (Text("counting in Postgres, Snowflake and others by Ibis"), ("ibis",)),
    "spark": (Text("counting in Spark and Databricks"), ("pyspark",)),
}

BAD_INPUT = 2
UNEXPECTED = 3
INTERRUPTED = 130
_OF_THE_DISK = (errno.ENOSPC, errno.EROFS)


class _Carried(Exception):
    """What a command raised, carried past Typer, which takes some exceptions for an answer of its own (status 1)."""


class _Commands(TyperGroup):
    """The commands; what they raise comes out as it is, also the end of a pipe and of a program."""

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """A command by its name, with its help in the language of the reader."""
        return spoken(super().get_command(ctx, cmd_name))

    def get_help(self, ctx: Any) -> str:
        """The help in the language of the reader."""
        spoken(self, headings=False)
        return _headed(super().get_help(ctx))

    def make_context(self, *arguments: Any, **options: Any) -> Any:
        """Read the options that every command takes."""
        with _usage_in_words():
            return super().make_context(*arguments, **options)

    def invoke(self, ctx: Any) -> Any:
        """Call a command."""
        try:
            with _usage_in_words():
                return super().invoke(ctx)
        except (EOFError, OSError, typer.Abort, SystemExit) as problem:
            raise _Carried from problem


@contextmanager
def _usage_in_words() -> Iterator[None]:
    """Let Typer's own errors (an unknown option, a missing argument) speak the language of the reader."""
    try:
        yield
    except Exception as problem:
        if hasattr(problem, "format_message") and current_language() != "en":
            vars(problem)["show"] = partial(typer.echo, _usage_error(problem), err=True)
        raise


def _usage_error(problem: Any) -> str:
    """What Typer would print, in the language of the reader."""
    lines = []
    if getattr(problem, "ctx", None) is not None:
        help_page = translate("Try '{command} -h' for help.", command=problem.ctx.command_path)
        lines = [_headed(problem.ctx.get_usage()), help_page, ""]
    return "\n".join([*lines, f"{translate('Error')}: {Said(problem.format_message())}"])


def spoken(command: Any, *, headings: bool = True) -> Any:
    """Put the help of a command, its options and its own commands into the active language."""
    if command is None or current_language() == "en":
        return command
    for part in (command, *command.params):
        if getattr(part, "help", None):
            part.help = render(part.help)
    for inner in getattr(command, "commands", {}).values():
        spoken(inner)
    if headings:
        plain = command.get_help
        command.get_help = lambda ctx: _headed(plain(ctx))
    return command


_HEADINGS = (
    Text("Usage"), Text("Options"), Text("Arguments"), Text("Commands"), Text("Example"), Text("Examples"),
    Text("Show this message and exit."),
)  # fmt: skip


_IN_BRACKETS = (Text("required"), Text("default"), Text("env var"))


def _headed(text: str) -> str:
    """Put into the active language what Typer writes itself."""
    for word in _HEADINGS:
        end = "" if word.template.endswith(".") else ":"
        text = re.sub(rf"(?m)(^|  ){re.escape(word.template)}{end}", rf"\g<1>{word}{end}", text)
    for word in _IN_BRACKETS:
        text = re.sub(rf"(?<=[\[ ]){re.escape(word.template)}(?=[:\]])", str(word), text)
    return text


def make_app() -> typer.Typer:
    """Build the Typer application with every command."""
    app = typer.Typer(
        name="bakeoff",
        cls=_Commands,
        help="Which model should I use, by how much is it better, can I trust that, and does it change with my costs?",
        no_args_is_help=True,
        add_completion=False,
        pretty_exceptions_enable=False,
        rich_markup_mode=None,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback()(_globals)
    for name in _COMMANDS.split():
        module = importlib.import_module(f"bakeoff.cli._{name}")
        if hasattr(module, "group"):
            app.add_typer(module.group(), name=name)
        else:
            kind = getattr(module, "Command", NamingCommand)
            app.command(name, epilog=module.EXAMPLE, cls=kind)(getattr(module, name))
    return app


def _version(wanted: bool) -> None:
    if wanted:
        from bakeoff import __version__
        from bakeoff.stats.resample import active_path

        typer.echo(f"bakeoff {__version__} ({active_path()} kernels)")
        for name, (purpose, modules) in _EXTRAS.items():
            missing = [m for m in modules if importlib.util.find_spec(m) is None]
            state = translate("installed") if not missing else f"pip install 'bakeoff[{name}]'"
            typer.echo(f"  {name:<8} {purpose:<40} {state}")
        raise typer.Exit


def _speak(lang: str | None) -> None:
    if lang is not None and lang not in LANGUAGES:
        raise typer.BadParameter(f"must be one of {', '.join(LANGUAGES)}, not {lang!r}", param_hint="--lang")
    set_language(lang or language_of_locale())


def _globals(
    lang: Annotated[
        str | None,
        Option(
            "--lang",
            callback=_speak,
            is_eager=True,
            envvar="BAKEOFF_LANG",
            help="Language of the answers: en, es or pt.",
        ),
    ] = None,
    version: Annotated[
        bool,
        Option(
            "--version", callback=_version, is_eager=True, help="Show the version, the kernels in use and the extras."
        ),
    ] = False,
) -> None:
    """What every command takes; the callbacks have done it."""


def run(arguments: list[str] | None = None) -> None:
    """Run and exit.

    0 fine, 1 the gate failed or some runs failed, 2 bad usage or input, 3 bakeoff itself failed, 130 interrupted.
    """
    warnings.simplefilter("ignore", BakeoffWarning)  # notes are printed with the results
    app = make_app()
    with redirect_stdout(Listened(sys.stdout)) as out, redirect_stderr(Listened(sys.stderr)):
        try:
            try:
                app(args=arguments)
            finally:
                out.flush()
        except SystemExit:
            raise
        except BaseException as problem:  # the last resort: a pipeline must tell a tool that broke from an answer
            sys.exit(_explained(problem.__cause__ if isinstance(problem, _Carried) else problem))


def _explained(problem: BaseException | None) -> int:
    """Say what stopped a command, in one sentence, and return the status to leave with."""
    if isinstance(problem, BakeoffError):
        message, hint = problem.texts
        fail(str(message), None if hint is None else str(hint))
        return BAD_INPUT
    if isinstance(problem, KeyboardInterrupt):
        fail(translate("interrupted."))
        return INTERRUPTED
    if isinstance(problem, PermissionError) and problem.filename is not None:
        fail(translate("permission denied: {path}", path=problem.filename))
        return BAD_INPUT
    if isinstance(problem, OSError) and (problem.filename is not None or problem.errno in _OF_THE_DISK):
        fail(f"{problem.strerror or problem}: {problem.filename or ''}".strip(": "))
        return BAD_INPUT
    _fail_unexpectedly(problem or RuntimeError())
    return UNEXPECTED


def _fail_unexpectedly(problem: BaseException) -> None:
    """Say in one sentence what nobody foresaw, and keep the details in a file."""
    details = "".join(traceback.format_exception(problem))
    try:
        handle, name = tempfile.mkstemp(prefix="bakeoff-", suffix=".txt")
        with os.fdopen(handle, "w", encoding="utf-8", errors="backslashreplace") as file:
            file.write(details)
    except OSError:  # nowhere to keep them
        name = "stderr"
        print(details, file=sys.stderr)  # noqa: T201 (this is the command line)
    said = shorten(" ".join(f"{type(problem).__name__}: {problem}".split()), 200)
    if isinstance(problem, MemoryError):
        message = translate("there is not enough memory for this: {problem}", problem=said)
    else:
        message = translate("an unexpected error stopped the command: {problem}", problem=said)
    fail(message, translate("this is no answer, and may be a mistake in bakeoff; details are in {path}", path=name))
