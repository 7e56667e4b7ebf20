"""The command line: one file a command, put together in `_app`.

A command's file defines ``register(app)``. Inputs that several commands share are in `_options` and `_inputs`,
what they print goes through `_output`. A user's mistake is one sentence and exit status 2, never a traceback.
"""

from __future__ import annotations


def main() -> None:
    """Run the command line (the ``bakeoff`` script)."""
    from bakeoff.cli._app import run

    run()
