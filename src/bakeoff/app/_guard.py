"""The guard of the server: only this machine, only this browser session, nothing loaded from outside."""

from __future__ import annotations

import hmac
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any
from urllib.parse import urlsplit

from bakeoff._core.language import LANGUAGES, current_language, language

COOKIE = "bakeoff-token"
LANGUAGE_COOKIE = "bakeoff-language"
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; "
    "connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]


class _TooLarge(Exception):
    """A body grew past the limit while it was read."""


class Guard:
    """ASGI middleware: checks Host, Origin and token before the application sees a request.

    A page of another site can make the browser send requests here (and, by DNS rebinding, under another host name):
    the Host must be loopback, an Origin must be our own, and every request but the first must carry the token, which
    only the address printed in the terminal gives away.
    """

    def __init__(self, app: Any, *, token: str, max_body: int) -> None:
        self.app = app
        self.token = token
        self.max_body = max_body

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        refusal = self._refusal(scope)
        if refusal is not None:
            await _answer(_with_headers(send), *refusal)
            return
        try:
            with language(_language_of(scope)):
                await self.app(scope, self._limited(receive), _with_headers(send))
        except _TooLarge:  # bodies are read before anything is answered
            await _answer(_with_headers(send), 413, self._limit)

    @property
    def _limit(self) -> str:
        return f"uploads are limited to {self.max_body / 2**20:.3g} MB"

    def _refusal(self, scope: Scope) -> tuple[int, str] | None:
        headers = {k.decode("latin-1").lower(): v.decode("latin-1") for k, v in scope["headers"]}
        host = headers.get("host", "")
        if _hostname(host) not in ("127.0.0.1", "localhost", "::1"):
            return 400, "this application answers to its loopback address only"
        origin = headers.get("origin")
        if origin is not None and origin.partition("://")[2] != host:
            return 403, "requests from other sites are refused"
        size = headers.get("content-length", "0")
        if not size.isdigit() or int(size) > self.max_body:
            return 413, self._limit
        if not self._knows_token(scope, headers):
            return 403, "open the address that `bakeoff serve` printed, with its token"
        return None

    def _knows_token(self, scope: Scope, headers: dict[str, str]) -> bool:
        cookies = _cookies(scope)
        query = scope.get("query_string", b"").decode("latin-1")
        own = f"{COOKIE}-{port_of(headers.get('host', ''))}"
        given = [
            cookies.get(COOKIE, ""),
            cookies.get(own, ""),
            query.removeprefix("token=") if scope["path"] == "/" else "",
        ]
        return any(hmac.compare_digest(g.encode(), self.token.encode()) for g in given)

    def _limited(self, receive: Receive) -> Receive:
        """Stop a body that grows past the limit whatever its Content-Length said."""
        seen = 0

        async def limited() -> MutableMapping[str, Any]:
            nonlocal seen
            message = await receive()
            seen += len(message.get("body", b""))
            if seen > self.max_body:
                raise _TooLarge
            return message

        return limited


def port_of(host: str) -> str:
    """The port of a Host header, which names this server among those of the machine."""
    return host.rpartition(":")[2] if ":" in host else "80"


def _cookies(scope: Scope) -> dict[str, str]:
    text = "; ".join(v.decode("latin-1") for k, v in scope["headers"] if k.decode("latin-1").lower() == "cookie")
    return dict(part.strip().partition("=")[::2] for part in text.split(";"))


def _language_of(scope: Scope) -> str:
    """The language chosen on the page, else that of the process."""
    chosen = _cookies(scope).get(LANGUAGE_COOKIE, "")
    return chosen if chosen in LANGUAGES else current_language()


def _hostname(host: str) -> str | None:
    try:
        return urlsplit(f"//{host}").hostname
    except ValueError:  # not an address at all
        return None


def _with_headers(send: Send) -> Send:
    async def wrapped(message: MutableMapping[str, Any]) -> None:
        if message["type"] == "http.response.start":
            present = {k.lower() for k, _ in message["headers"]}
            extra = {
                b"content-security-policy": POLICY.encode(),
                b"x-content-type-options": b"nosniff",
                b"referrer-policy": b"no-referrer",
                b"cache-control": b"no-store",
                b"cross-origin-opener-policy": b"same-origin",
            }
            message["headers"] = [*message["headers"], *((k, v) for k, v in extra.items() if k not in present)]
        await send(message)

    return wrapped


async def _answer(send: Send, status: int, text: str) -> None:
    body = text.encode()
    headers = [(b"content-type", b"text/plain; charset=utf-8"), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
