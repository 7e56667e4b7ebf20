"""Routes of the application, and the server that runs it."""

from __future__ import annotations

import json
import re
import secrets
import socket
import tempfile
import warnings
import webbrowser
from collections.abc import Callable
from pathlib import Path
from typing import Any

from bakeoff._core.errors import BakeoffError, BakeoffWarning, EvidenceError, MissingDependencyError, ParameterError
from bakeoff._core.language import Text, translate
from bakeoff.app._guard import COOKIE, Guard, port_of
from bakeoff.app._pages import home_page, report_policy
from bakeoff.app._stores import find_stores, open_store
from bakeoff.app._uploads import Uploads, evidence_of, told_of
from bakeoff.app._work import Cancelled, Reports, Work

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
        Route("/api/progress/{job}", handlers.progress),
        Route("/api/cancel/{job}", handlers.cancel, methods=["POST"]),
        Route("/api/results", handlers.results),
        Route("/api/result/{identifier}", handlers.result),
        Route("/result/{identifier}", handlers.result_page),
        Route("/api/advise", handlers.advise, methods=["POST"]),
        Route("/api/plan", handlers.plan, methods=["POST"]),
        Route("/api/course", handlers.course, methods=["POST"]),
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
        self.reports = Reports()
        self.works: dict[str, Work] = {}

    async def home(self, request: Any) -> Any:
        from starlette.responses import HTMLResponse, RedirectResponse

        if "token" in request.query_params:  # exchange the token for a cookie, and take it out of the address
            response = RedirectResponse("/", status_code=303)
            # Browsers do not tell the ports of a machine apart: a name with the port lets servers live side by side.
            for name in (COOKIE, f"{COOKIE}-{port_of(request.headers.get('host', ''))}"):
                response.set_cookie(name, self.token, httponly=True, samesite="strict")
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
        return _json({"id": identifier, "name": name, **told_of(table)})

    async def analyse(self, request: Any) -> Any:
        return await _answered(self._analysed, await _body(request))

    def _analysed(self, wanted: dict[str, Any]) -> dict[str, Any]:
        job, work = str(wanted.get("job") or ""), Work()
        self.works[job] = work
        try:
            return self._report_of(wanted, work)
        finally:
            self.works.pop(job, None)

    def _report_of(self, wanted: dict[str, Any], work: Work) -> dict[str, Any]:
        from bakeoff.comparison import compare
        from bakeoff.measures import label_of
        from bakeoff.report import report, watched

        name, table = self.uploads.get(str(wanted.get("id")))
        evidence = evidence_of(name, table, wanted.get("mapping") or {})
        extra: list[Any] = []
        with watched(work.reached):
            if len(evidence.models) > 1:
                work.reached("compare")
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore", BakeoffWarning)  # every warning is a note on the page
                    extra.append(compare(evidence, rng=0, **_compare_options(wanted)))
            made = report(evidence, *extra, title=name, rng=0)
        content = made.to_dict()
        answer = {
            "verdict": content["verdict"], "headline": content["answer"]["headline"], "models": evidence.models,
            "measures": sorted({*_measures_of(evidence)}),
            "labels": {name: label_of(name) for name in _measures_of(evidence)},
            "asked": {key: wanted.get(key) for key in ("id", "mapping", "measure", "control", "level", "margin")},
        }  # fmt: skip
        return self._shown(self.reports.add(name, made, answer))

    def _shown(self, identifier: str) -> dict[str, Any]:
        """The answer and its report, as the page shows them."""
        from bakeoff.report import fragment

        kept = self.reports.get(identifier)
        if kept is None:
            raise EvidenceError("this report is no longer here.", hint="drop the file again")
        html = fragment(kept.report._sections)
        return {"result": identifier, "name": kept.name, "when": kept.when, "html": html, **kept.answer}

    async def progress(self, request: Any) -> Any:
        work = self.works.get(request.path_params["job"])
        return _json(work.told() if work is not None else {"stage": None})

    async def cancel(self, request: Any) -> Any:
        work = self.works.get(request.path_params["job"])
        if work is not None:
            work.wanted = False
        return _json({"cancelled": work is not None})

    async def results(self, request: Any) -> Any:
        return _json({"results": self.reports.listed()})

    async def result(self, request: Any) -> Any:
        return await _answered(lambda _: self._shown(request.path_params["identifier"]), {})

    async def result_page(self, request: Any) -> Any:
        from starlette.responses import PlainTextResponse

        kept = self.reports.get(request.path_params["identifier"])
        if kept is None:
            return PlainTextResponse(translate("This report is no longer here."), status_code=404)
        return _page(kept.report.html, kept.name if "download" in request.query_params else None)

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

    async def course(self, request: Any) -> Any:
        return await _answered(_worked, await _body(request))

    async def report(self, request: Any) -> Any:
        from starlette.concurrency import run_in_threadpool
        from starlette.responses import PlainTextResponse

        from bakeoff.report import report

        try:
            results = await run_in_threadpool(open_store, self.root, request.path_params["name"])
            page = (await run_in_threadpool(report, results, title=request.path_params["name"])).html
        except BakeoffError as problem:
            return PlainTextResponse(str(problem), status_code=400)
        return _page(page, request.path_params["name"] if "download" in request.query_params else None)


def _page(html: str, download: str | None) -> Any:
    """A report as a page of its own, or as a file to keep."""
    from starlette.responses import HTMLResponse

    headers = {"content-security-policy": report_policy(html)}
    if download is not None:
        name = re.sub(r"[^A-Za-z0-9._-]+", "_", Path(download).stem).strip("._")[:80] or "report"
        headers["content-disposition"] = f'attachment; filename="{name}.html"'
    return HTMLResponse(html, headers=headers)


async def _answered(work: Callable[[dict[str, Any]], dict[str, Any]], wanted: dict[str, Any]) -> Any:
    """Do the work of a request on a thread; what it refuses, or cannot read, is answered with a sentence."""
    from starlette.concurrency import run_in_threadpool

    try:
        return _json(await run_in_threadpool(work, wanted))
    except Cancelled:
        return _refused(ParameterError("the work was called off."))
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


def _worked(wanted: dict[str, Any]) -> dict[str, Any]:
    """The lessons, or the working of the table that was typed for one."""
    from bakeoff.app._course import lesson, lessons

    if not wanted.get("lesson"):
        return {"lessons": lessons()}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", BakeoffWarning)  # every warning is a note of the working
        return lesson(str(wanted["lesson"]), str(wanted.get("table", "")))


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

    message, hint = problem.texts
    return JSONResponse({"error": str(message), "hint": hint and str(hint)}, status_code=400)


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
