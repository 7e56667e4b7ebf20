"""Commands whose help names tests: they are looked up in the catalogue when the help is shown, not before."""

from __future__ import annotations

from typing import Any

from typer.core import TyperCommand


def named(text: str) -> str:
    """Fill ``{tests}``, ``{posthocs}`` and ``{plannable}`` from the catalogue of tests."""
    if "{" not in text:
        return text
    from bakeoff.comparison import POSTHOCS, catalogue, plannable

    lists = {"tests": catalogue(), "posthocs": POSTHOCS, "plannable": plannable()}
    return text.format(**{name: ", ".join(names) for name, names in lists.items()})


class NamingCommand(TyperCommand):
    """A command with names of the catalogue in the help of its options."""

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Write the help with the names filled in."""
        for parameter in self.params:
            if getattr(parameter, "help", None):
                parameter.help = named(parameter.help)  # type: ignore[attr-defined]  # arguments and options have it
        super().format_help(ctx, formatter)
