"""Routes of the application, and the server that runs it."""

from __future__ import annotations

import json
import secrets
import socket
import tempfile
import warnings
import webbrowser
from collections.abc import Callable
from pathlib import Path
from typing import Any

from bakeoff._core.errors import BakeoffError, BakeoffWarning, MissingDependencyError, ParameterError
from bakeoff._core.language import Text, translate
from bakeoff.app._guard import COOKIE, Guard
from bakeoff.app._pages import home_page, report_policy
from bakeoff.app._stores import find_stores, open_store
from bakeoff.app._uploads import Uploads, evidence_of, guess

MAX_BODY = 256 * 2**20
_STATIC = {".js": "text/javascript", ".css": "text/css"}


def create_app(root: Path | str | None = None, *, token: str | None = None, max_body: int = MAX_BODY) -> Any:
    """Build the ASGI application; `root` is a store or a folder of stores.

    Examples
    --------
    >>> import uvicorn
    >>> from bakeoff.app import create_app
    >>> uvicorn.run(create_app("runs"), host="127.0.0.1", port=8000)  # doctest: +SKIP
    """
    try:
        from starlette.applications import Starlette
        from starlette.routing import Route
    except ImportError:
        raise MissingDependencyError.for_extra("starlette", "app", "bakeoff serve") from None
    folder = tempfile.TemporaryDirectory(prefix="bakeoff-app-")
    handlers = _Handlers(
        None if root is None else Path(root), Uploads(Path(folder.name)), token or secrets.token_urlsafe(24)
    )
    routes = [
        Route("/", handlers.home),
        Route("/static/{name}", handlers.static),
        Route("/api/stores", handlers.stores),
        Route("/api/upload", handlers.upload, methods=["POST"]),
        Route("/api/analyse", handlers.analyse, methods=["POST"]),
        Route("/api/advise", handlers.advise, methods=["POST"]),
        Route("/api/plan", handlers.plan, methods=["POST"]),
        Route("/report/{name:path}", handlers.report),
    ]
    app = Starlette(routes=routes, exception_handlers={Exception: _broken})
    app.state.folder = folder  # lives as long as the application
    app.state.token = handlers.token
    app.add_middleware(Guard, token=handlers.token, max_body=max_body)
    return app


class _Handlers:
    def __init__(self, root: Path | None, uploads: Uploads, token: str) -> None:
        self.root = root
        self.uploads = uploads
        self.token = token

    async def home(self, request: Any) -> Any:
        from starlette.responses import HTMLResponse, RedirectResponse

        if "token" in request.query_params:  # exchange the token for a cookie, and take it out of the address
            response = RedirectResponse("/", status_code=303)
            response.set_cookie(COOKIE, self.token, httponly=True, samesite="strict")
            return response
        return HTMLResponse(home_page())

    async def static(self, request: Any) -> Any:
        from starlette.responses import PlainTextResponse, Response

        from bakeoff.figures import web_text

        name = request.path_params["name"]
        suffix = Path(name).suffix
        if suffix not in _STATIC or not name.removesuffix(suffix).replace("-", "").isalnum():
            return PlainTextResponse("not found", status_code=404)
        try:
            text = web_text(name)
        except FileNotFoundError:
            return PlainTextResponse("not found", status_code=404)
        return Response(text, media_type=_STATIC[suffix])

    async def stores(self, request: Any) -> Any:
        from starlette.concurrency import run_in_threadpool

        return _json({"stores": await run_in_threadpool(find_stores, self.root)})

    async def upload(self, request: Any) -> Any:
        from starlette.concurrency import run_in_threadpool

        async with request.form(max_files=1, max_fields=2) as form:
            file = form.get("file")
            if file is None or isinstance(file, str):
                return _refused(ParameterError("no file was sent."))
            content = await file.read()
            name = file.filename or "upload"
        try:
            identifier, table = await run_in_threadpool(self.uploads.add, name, content)
        except BakeoffError as problem:
            return _refused(problem)
        preview = {c: [None if v is None else str(v) for v in table[c].head(5).to_list()] for c in table.columns}
        return _json({"id": identifier, "name": name, "rows": len(table), "preview": preview, "guess": guess(table)})

    async def analyse(self, request: Any) -> Any:
        return await _answered(self._analysed, await _body(request))

    def _analysed(self, wanted: dict[str, Any]) -> dict[str, Any]:
        from bakeoff.comparison import compare
        from bakeoff.report import fragment, report

        name, table = self.uploads.get(str(wanted.get("id")))
        evidence = evidence_of(name, table, wanted.get("mapping") or {})
        extra: list[Any] = []
        if len(evidence.models) > 1:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", BakeoffWarning)  # every warning is a note on the page
                extra.append(compare(evidence, rng=0, **_compare_options(wanted)))
        made = report(evidence, *extra, title=name, rng=0)
        found = {"verdict": made.to_dict()["verdict"], "measures": sorted({*_measures_of(evidence)})}
        return {"html": fragment(made._sections), "models": evidence.models, **found}

    async def advise(self, request: Any) -> Any:
        from bakeoff.comparison import Question, guide

        wanted = await _body(request)
        given = wanted.get("answers")
        answers = {str(k): str(v) for k, v in given.items()} if isinstance(given, dict) else {}
        said, node = guide().follow(answers)
        if isinstance(node, Question):
            options = [{"code": a.code, "text": a.text} for a in node.answers]
            return _json({"said": said, "question": {"code": node.code, "text": node.text, "answers": options}})
        return _json(
            {"said": said, "advice": {k: getattr(node, k) for k in ("test", "title", "reason", "then", "by_name")}}
        )

    async def plan(self, request: Any) -> Any:
        return await _answered(_planned, await _body(request))

    async def report(self, request: Any) -> Any:
        from starlette.concurrency import run_in_threadpool
        from starlette.responses import HTMLResponse, PlainTextResponse

        from bakeoff.report import report

        try:
            results = await run_in_threadpool(open_store, self.root, request.path_params["name"])
            page = (await run_in_threadpool(report, results, title=request.path_params["name"])).html
        except BakeoffError as problem:
            return PlainTextResponse(str(problem), status_code=400)
        return HTMLResponse(page, headers={"content-security-policy": report_policy(page)})


async def _answered(work: Callable[[dict[str, Any]], dict[str, Any]], wanted: dict[str, Any]) -> Any:
    """Do the work of a request on a thread; what it refuses, or cannot read, is answered with a sentence."""
    from starlette.concurrency import run_in_threadpool

    try:
        return _json(await run_in_threadpool(work, wanted))
    except BakeoffError as problem:
        return _refused(problem)
    except (KeyError, TypeError, ValueError) as problem:
        return _refused(ParameterError(f"the request was not understood: {problem}."))


def _planned(wanted: dict[str, Any]) -> dict[str, Any]:
    from bakeoff.comparison import plan
    from bakeoff.figures import figure_of

    names = ("measure", "difference", "power", "n_rows", "baseline", "prevalence", "correlation", "n_models")
    made = plan(**{k: wanted[k] for k in names if wanted.get(k) not in (None, "")})
    return {"text": made.verdict, "needed": made.needed, "figure": figure_of(made).to_dict()}


def _compare_options(wanted: dict[str, Any]) -> dict[str, Any]:
    options: dict[str, Any] = {k: str(wanted[k]) for k in ("measure", "control") if wanted.get(k)}
    if wanted.get("level") not in (None, ""):
        options["confidence_level"] = float(wanted["level"])
    if wanted.get("margin") not in (None, "", 0, "0"):
        options["margin"] = float(wanted["margin"])
    return options


def _measures_of(evidence: Any) -> list[str]:
    from bakeoff.evidence import Predictions
    from bakeoff.measures import default_measures

    if not isinstance(evidence, Predictions):
        return []
    return [m.name for rows in evidence for m in default_measures(rows)]


async def _body(request: Any) -> dict[str, Any]:
    try:
        data = json.loads(await request.body() or b"{}")
    except ValueError:
        return {}
    return data if isinstance(data, dict) else {}


def _json(data: Any) -> Any:
    from starlette.responses import Response

    from bakeoff._core.result import jsonable

    body = json.dumps(jsonable(_in_words(data)), ensure_ascii=False, allow_nan=False)
    return Response(body, media_type="application/json")


def _in_words(data: Any) -> Any:
    """Render the texts of an answer, which the page shows to a person, in the active language."""
    if isinstance(data, Text):
        return str(data)
    if isinstance(data, dict):
        return {key: _in_words(value) for key, value in data.items()}
    return [_in_words(value) for value in data] if isinstance(data, (list, tuple)) else data


async def _broken(request: Any, problem: Exception) -> Any:
    """Answer what nobody foresaw with a sentence; the traceback goes to the terminal."""
    from starlette.responses import JSONResponse

    text = translate("Something went wrong in the server; the terminal it runs in says what.")
    return JSONResponse({"error": text, "hint": ""}, status_code=500)


def _refused(problem: BakeoffError) -> Any:
    from starlette.responses import JSONResponse

    return JSONResponse({"error": problem.message, "hint": problem.hint}, status_code=400)


def serve(root: Path | str | None = None, *, port: int = 0, open_page: bool = True) -> None:
    """Run the application on loopback until interrupted, and print its address.

    Examples
    --------
    >>> from bakeoff.app import serve
    >>> serve("runs", port=8000)  # doctest: +SKIP
    """
    try:
        import uvicorn
    except ImportError:
        raise MissingDependencyError.for_extra("uvicorn", "app", "bakeoff serve") from None
    with _listener(port) as listener:
        app = create_app(root)
        address = f"http://127.0.0.1:{listener.getsockname()[1]}/?token={app.state.token}"
        print(translate("bakeoff is at {address} (Ctrl-C stops it)", address=address), flush=True)  # noqa: T201 (a server says where it is)
        if open_page:
            webbrowser.open(address)
        server = uvicorn.Server(uvicorn.Config(app, log_level="warning", lifespan="off"))
        try:
            server.run(sockets=[listener])
        finally:
            app.state.folder.cleanup()


def _listener(port: int) -> socket.socket:
    """Listen on a port of this machine; whoever reads the address may come at once, and waits until the app is up."""
    listener = socket.socket()
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind(("127.0.0.1", port))
    except (OSError, OverflowError) as problem:
        listener.close()
        reason = {PermissionError: "is not open to this user", OverflowError: "does not exist: ports end at 65535"}
        raise ParameterError(
            f"port {port} {reason.get(type(problem), 'is in use')}.", hint="leave --port out to take any free one"
        ) from None
    listener.listen()
    return listener
