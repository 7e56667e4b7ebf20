"""The local web application, `bakeoff serve`: loopback only, a token, no telemetry; uploads are never executed."""

from bakeoff.app._server import create_app, serve

__all__ = ["create_app", "serve"]
