"""The command line: one file a command, put together in `_app`.

A command's file defines a function of its name, and ``EXAMPLE``; `_app` lists the commands. Options that several share
are tables in `_options`, read in `_inputs`; what they print goes through `_output`. A user's mistake is one sentence
and exit status 2, never a traceback.
"""

from __future__ import annotations


def main() -> None:
    """Run the command line (the ``bakeoff`` script)."""
    from bakeoff.cli._app import run

    run()
