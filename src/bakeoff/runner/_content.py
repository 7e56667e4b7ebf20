"""The content of a model: everything that decides its answers, as one hash that is the same in every process.

Values count by what they hold, never by their address or the text they print. Objects without a rule of their own count
by what pickling would keep of them, which is also what a copy or a worker process gets. Code of the user's own counts
with all it uses (`_code`), code of installed packages by name and the package's version. What none of this can see
raises `Unseen`.
"""

from __future__ import annotations

import copyreg
import enum
import functools
import inspect
import logging
import os
import random
import sys
import types
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import numpy as np

from bakeoff._core.frames import is_frame
from bakeoff.runner._code import (
    BrokenModule,
    code_parts,
    compiled_module,
    import_own,
    is_installed,
    is_passed_on,
    is_patched,
    is_under_its_name,
    package_version,
    patches,
    qualified_name,
    source_parts,
    used_attributes,
    used_globals,
    used_imports,
)
from bakeoff.runner._digest import digest, hash_table

# What scikit-learn's clone hands on besides the parameters.
_CLONED = ("_metadata_request", "_sklearn_output_config", "_skl_callbacks")
_DISPATCHER: Any = functools.singledispatch(lambda value: value)
# Of a class: bookkeeping of Python and of its libraries, which decides nothing (or is repeated in the methods).
_NO_CONTENT = {
    "__module__", "__dict__", "__weakref__", "__doc__", "__qualname__", "__firstlineno__", "__static_attributes__",
    "__slotnames__", "__abstractmethods__", "_abc_impl", "__annotations__", "__annotate_func__",
    "__annotations_cache__", "__dataclass_fields__", "__dataclass_params__", "__match_args__", "__orig_bases__",
    "__parameters__", "__slots__", "__pydantic_core_schema__", "__pydantic_serializer__", "__pydantic_validator__",
    "__pydantic_setattr_handlers__", "_value2member_map_",
}  # fmt: skip
_LONG = 10_000  # bits of a whole number that is not written in decimals
_C_METHODS = (
    types.GetSetDescriptorType, types.MemberDescriptorType, types.MethodDescriptorType, types.WrapperDescriptorType,
    types.ClassMethodDescriptorType,
)  # fmt: skip


class Unseen(Exception):
    """Something in a model whose content cannot be seen; the text says where and what."""


class Content:
    """Hashes values; remembers the packages it met.

    Attributes
    ----------
    packages
        Installed package → version, of all code that was met.
    """

    def __init__(self) -> None:
        self.packages: dict[str, str] = {}
        self._known: dict[tuple[int, str | None, bool], str] = {}
        self._open: dict[int, int] = {}  # object that is being hashed → how deep it stands
        self._kept: list[Any] = []  # an address may stand for another object once the first is gone
        self._trail: list[str] = []
        self._version: str | None = None
        self._clones = True  # whether estimators met here are cloned before they are used, which forgets their fits

    def answer_for(self, version: str | None) -> None:
        """Let a version stand for what cannot be seen from here on; None raises."""
        self._version = version

    def of(self, value: Any) -> str:
        """Return the hash of a value."""
        plain = _plain(value)
        if plain is not None:
            return plain
        key = id(value), self._version, self._clones
        if key in self._known:
            return self._known[key]
        if id(value) in self._open:  # a cycle: it counts by what it points back to
            return digest("cycle", *self._cycle(value))
        self._open[id(value)] = len(self._open)
        self._kept.append(value)
        try:
            self._known[key] = self._of_object(value)
        finally:
            del self._open[id(value)]
        return self._known[key]

    def _cycle(self, value: Any) -> tuple[str, ...]:
        if isinstance(value, (types.FunctionType, type)):
            return value.__qualname__, *code_parts(value)
        return type(value).__qualname__, str(len(self._open) - self._open[id(value)])

    def _of_object(self, value: Any) -> str:
        kind = type(value)
        if (name := _of_this_process(value)) is not None:
            return digest("of the process", name)
        if kind is dict:
            return self._mapping(value)
        if kind in (list, tuple):
            return self._sequence(value)
        if kind in (set, frozenset):
            return self._set(value)
        for kinds, rule in _RULES:
            if isinstance(value, kinds):
                with self._under(clones=False):
                    return rule(self, value)
        with self._under(version_of(value)):
            if self._clones and _is_cloned(value):
                return self._estimator(value)
            with self._under(clones=False):
                return self._frame(value) if is_frame(value) else self._reduced(value)

    @contextmanager
    def _under(self, version: str | None = None, *, clones: bool = True) -> Iterator[None]:
        """What is inside an object with a version is answered for by that version where it is not seen."""
        before = self._version, self._clones
        self._version, self._clones = version or self._version, clones and self._clones
        try:
            yield
        finally:
            self._version, self._clones = before

    def _at(self, place: str, value: Any) -> str:
        self._trail.append(place)
        try:
            return self.of(value)
        finally:
            self._trail.pop()

    def _unseen(self, value: Any, reason: str) -> str:
        if self._version is not None:
            return digest("version", self._version, qualified_name(type(value)))
        place = ".".join(self._trail)
        what = f"a {type(value).__module__}.{type(value).__qualname__}"
        raise Unseen(f"{place} is {what}: {reason}" if place else f"{what}: {reason}")

    # -- containers and objects -------------------------------------------------------------------------------------

    def _mapping(self, value: Mapping[Any, Any]) -> str:
        """Hash by keys, in an order of the keys' own: that of a dict does not count."""
        keys = sorted(((self._of_one(k), k) for k in value), key=lambda pair: pair[0])
        return digest("map", *(part for h, k in keys for part in (h, self._at(_place(k), value[k]))))

    def _sequence(self, value: Iterable[Any]) -> str:
        parts = [self._at(f"[{i}]", v) for i, v in enumerate(value)]
        return digest("sequence", type(value).__name__, *parts)

    def _set(self, value: Iterable[Any]) -> str:
        return digest("set", type(value).__name__, *sorted(self._of_one(v) for v in value))

    def _of_one(self, value: Any) -> str:
        """Hash one of several without an order, by itself: what was met on the way to another must not matter."""
        known = len(self._known)
        found = self.of(value)
        while len(self._known) > known:
            self._known.popitem()
        return found

    def _frame(self, value: Any) -> str:
        """Hash a frame: its table, and what pandas keeps besides: names of its axes, attributes."""
        axes = (getattr(value, "index", None), value.columns)
        names = [list(getattr(axis, "names", None) or ()) for axis in axes]
        named = names if any(name is not None for axis in names for name in axis) else None
        attributes = getattr(value, "attrs", None)
        more = [self.of(part) for part in (named, attributes) if part]
        return digest("frame", hash_table(value, self.of), *more)

    def _array(self, value: np.ndarray[Any, Any]) -> str:
        kind = digest("array", type(value).__name__, str(value.shape), *self._array_class(value))
        if isinstance(value, np.ma.MaskedArray):
            return digest(kind, self.of(value.filled()), self.of(np.ma.getmaskarray(value)), self.of(value.fill_value))
        value = np.asarray(value)
        if value.dtype.names:  # field by field: bytes between them mean nothing
            return digest(kind, self.of(value.dtype), *(self._array(value[name]) for name in value.dtype.names))
        if value.dtype.hasobject or value.dtype.char in "gG":  # nor do those that fill up a long double
            return digest(kind, str(value.dtype), self._sequence(value.ravel().tolist()))
        return digest(kind, str(value.dtype.descr), np.ascontiguousarray(value).tobytes())

    def _array_class(self, value: np.ndarray[Any, Any]) -> list[str]:
        """What a subclass of arrays that is not NumPy's own adds: its code and its attributes."""
        if type(value).__module__.partition(".")[0] == "numpy":
            return []
        return [self.of(type(value)), self._mapping(getattr(value, "__dict__", {}))]

    def _scalar(self, value: np.generic) -> str:
        if value.dtype.char == "V":  # its text leaves out the middle of long fields
            return digest("scalar", self.of(np.asarray(value)))
        if value.dtype.char in "gGO":
            return digest("scalar", repr(value))
        return digest("scalar", value.dtype.str, value.tobytes())

    def _estimator(self, value: Any) -> str:
        """Hash what a clone has: class, parameters, what `clone` hands on, and the version given to the object."""
        try:
            parameters = dict(value.get_params(deep=False))
        except Exception as problem:  # whatever a class of others does there
            return self._unseen(value, f"get_params failed with {type(problem).__name__}: {problem}")
        more = {name: vars(value)[name] for name in (*_CLONED, "version") if name in getattr(value, "__dict__", {})}
        return digest(
            "estimator", self.of(type(value)), self._mapping(parameters), *([self._mapping(more)] if more else [])
        )

    def _generator(self, value: np.random.Generator) -> str:
        state = self._mapping(value.bit_generator.state)
        spawned = getattr(value.bit_generator.seed_seq, "n_children_spawned", 0)  # which generator it spawns next
        return digest("generator", state, *([str(spawned)] if spawned else []))

    def _reduced(self, value: Any) -> str:
        """Hash what pickling keeps: how the object is made again, its state and its items."""
        try:
            reducer = copyreg.dispatch_table.get(type(value))
            reduced = value.__reduce_ex__(4) if reducer is None else reducer(value)
        except Exception as problem:  # whatever a class of others does to say that it cannot be pickled
            return self._unseen(value, " ".join(str(problem).split()) or type(problem).__name__)
        if isinstance(reduced, str):
            if is_installed(value):
                return digest("global", self._package(value), reduced)
            state = {n: v for n, v in getattr(value, "__dict__", {}).items() if n not in _NO_CONTENT}
            return digest("global", self.of(type(value)), reduced, self._mapping(state))
        maker, arguments, state, items, pairs = (*reduced, None, None, None)[:5]
        if isinstance(value, OrderedDict):  # unlike in a dict, the order is part of it
            items, pairs = list(value), dict(value)
        return digest(
            "object",
            self.of(type(value)),
            self.of(maker),
            self._sequence(arguments),
            self.of(state),
            "" if items is None else self._sequence(list(items)),
            "" if pairs is None else self._mapping(dict(pairs)),
        )

    # -- code -------------------------------------------------------------------------------------------------------

    def _package(self, thing: Any) -> str:
        """Name an installed thing, and remember its package's version."""
        name, version = package_version(thing)
        if version:
            self.packages[name] = version
        module, patched = compiled_module(thing), patches(thing)
        more = [*(() if module is None else code_parts(module)), *([self._mapping(patched)] if patched else [])]
        return digest("installed", qualified_name(thing), version, *more)

    def _module(self, value: types.ModuleType) -> str:
        if is_installed(value):
            return self._package(value)
        parts = source_parts(value)
        if not parts:  # made while the program runs
            content = {n: v for n, v in vars(value).items() if not n.startswith("__")}
            parts = (self._mapping(content),)
        return digest("module", value.__name__, *parts)

    def _class(self, value: type) -> str:
        if is_installed(value) and is_under_its_name(value):
            return self._package(value)
        content = {n: v for n, v in sorted(vars(value).items()) if n not in _NO_CONTENT}
        with self._under(version_of(value)):
            members = (part for n, v in content.items() for part in (n, self._at(f"{value.__name__}.{n}", v)))
            made_of = [self.of(base) for base in (type(value), *value.__bases__) if base is not type]
            module = compiled_module(value)
            return digest("class", value.__qualname__, *made_of, *members, *(code_parts(module) if module else ()))

    def _function(self, value: types.FunctionType) -> str:
        """Hash a function: its code, what was bound to it, and the globals and modules that it uses."""
        if value.__code__ is _DISPATCHER.__code__:
            return digest("dispatcher", self._mapping(value.registry))  # type: ignore[attr-defined]  # singledispatch's
        bound = self._bound(value)
        if is_installed(value):
            return digest(self._package(value), *bound, *(() if is_under_its_name(value) else code_parts(value)))
        imports = used_imports(value)
        used, modules = [], [(name, whole, self._imported(name, value)) for name, whole in imports]
        for name, thing in used_globals(value):
            self._trail[:], before = [f"{value.__module__}.{name}"], self._trail[:]
            used += [name, self._used(thing, value)]
            if isinstance(thing, types.ModuleType) and is_passed_on(value, name):
                used.append(self.of(thing))
            self._trail[:] = before
        for name, whole, module in modules:
            used += [name, self._of_import(name, module, value)]
            if whole and isinstance(module, types.ModuleType):
                used.append(self.of(module))
        return digest("function", value.__qualname__, *code_parts(value), *bound, *used)

    def _bound(self, value: types.FunctionType) -> list[str]:
        cells = [_cell_content(cell) for cell in value.__closure__ or ()]
        names = value.__code__.co_freevars
        return [
            self.of(value.__defaults__),
            self.of(value.__kwdefaults__),
            *(self._at(name, cell) for name, cell in zip(names, cells, strict=True)),
            self._mapping(vars(value)),
        ]

    def _used(self, thing: Any, by: types.FunctionType) -> str:
        """Hash a global that a function uses; of a module of the user's own, the parts that it may use."""
        if not isinstance(thing, types.ModuleType):
            return self.of(thing)
        if is_installed(thing):
            patched = {n: v for n, v in used_attributes(by, thing) if is_patched(v)}
            return digest(self.of(thing), self._mapping(patched)) if patched else self.of(thing)
        if id(thing) in self._open:  # two modules that import each other
            return digest("module", thing.__name__)
        self._open[id(thing)] = len(self._open)
        parts = [p for n, v in used_attributes(by, thing) for p in (n, self._used(v, by))]
        del self._open[id(thing)]
        return digest("module", thing.__name__, *parts)

    def _imported(self, name: str, by: types.FunctionType) -> types.ModuleType | str | None:
        """Import a module of the user's own; a text where a version answers for one that cannot be imported."""
        try:
            return import_own(name)
        except BrokenModule as problem:
            return self._unseen(by, str(problem))

    def _of_import(self, name: str, module: types.ModuleType | str | None, by: types.FunctionType) -> str:
        if isinstance(module, str):
            return module
        if module is None:
            name, version = package_version(name)
            if version:
                self.packages[name] = version
            return digest("import", name, version)
        return self._used(module, by)

    def _built_in(self, value: types.BuiltinFunctionType) -> str:
        owner = value.__self__
        if owner is None or isinstance(owner, types.ModuleType):
            return self._package(value)
        return digest("method", value.__name__, self._at("__self__", owner))

    def _ufunc(self, value: np.ufunc) -> str:
        import scipy.special

        for home in (np, scipy.special):
            if getattr(home, value.__name__, None) is value:
                return digest("ufunc", value.__name__, self._package(home))
        return self._unseen(value, "the function behind it cannot be seen")

    def _wrapper(self, value: Any) -> str:
        """Hash what a property, a class method, a cached function … wraps."""
        parts = (getattr(value, name, None) for name in ("fget", "fset", "fdel", "__func__", "func", "__wrapped__"))
        return digest("wrapper", type(value).__name__, *(self.of(p) for p in parts))

    def _c_method(self, value: Any) -> str:
        owner = value.__objclass__
        whose = qualified_name(owner) if is_installed(owner) else owner.__qualname__
        return digest("descriptor", type(value).__name__, whose, value.__name__)


Rule = Callable[[Content, Any], str]
# The first that fits; exact types for those whose subclasses may hold more.
_RULES: tuple[tuple[Any, Rule], ...] = (
    (enum.Enum, lambda content, v: digest("enum", content.of(type(v)), v.name or "", content._at("value", v.value))),
    (type, Content._class),
    (types.FunctionType, Content._function),
    (
        types.MethodType,
        lambda content, v: digest("method", content.of(v.__func__), content._at("__self__", v.__self__)),
    ),
    (types.BuiltinFunctionType, Content._built_in),
    (types.ModuleType, Content._module),
    (np.ufunc, Content._ufunc),
    (_C_METHODS, Content._c_method),
    ((property, staticmethod, classmethod, functools.cached_property, functools._lru_cache_wrapper), Content._wrapper),
    (np.ndarray, Content._array),
    (np.generic, Content._scalar),
    (np.random.RandomState, lambda content, v: digest("generator", content._mapping(v.get_state(legacy=False)))),
    (np.random.Generator, Content._generator),
    (memoryview, lambda content, v: digest("memory", v.format, str(v.shape), v.tobytes())),
    (logging.Logger, lambda content, v: digest("logger")),  # what is logged decides nothing
    (types.MappingProxyType, Content._mapping),
)


def version_of(value: Any) -> str | None:
    """Return the version that a user gave to an object or its class, as a text or a whole number."""
    version = inspect.getattr_static(value, "version", None)
    return str(version) if type(version) in (str, int) else None


def _is_cloned(value: Any) -> bool:
    """Tell whether scikit-learn's own `clone` makes the copies of an estimator, and not a method of its class."""
    own = getattr(type(value), "__sklearn_clone__", None)
    return hasattr(value, "get_params") and (own is None or own.__qualname__ == "BaseEstimator.__sklearn_clone__")


def _plain(value: Any) -> str | None:
    """Hash numbers, texts and the like, which need no memory of what is being hashed; None for everything else."""
    kind = type(value)
    if value is None or value is ... or value is NotImplemented or kind is bool:
        return digest("constant", repr(value))
    if kind is float:
        return digest("float", value.hex())
    if kind in (int, complex, str, bytes, bytearray, range):
        raw = value.encode(errors="surrogatepass") if kind is str else bytes(value) if kind is bytearray else None
        if kind is int and value.bit_length() > _LONG:
            raw = hex(value).encode()
        return digest(kind.__name__, repr(value) if raw is None else raw)
    return None


def _place(key: Any) -> str:
    """Name a key in a sentence; Python does not write out very long numbers."""
    return hex(key)[:40] if type(key) is int and key.bit_length() > _LONG else str(key)[:40]


def _of_this_process(value: Any) -> str | None:
    """Name what every process has one of: generators that each unit seeds anew, the environment, the streams."""
    if type(value) is random.SystemRandom:
        return "random.SystemRandom"
    every = {"random": random._inst, "numpy.random": np.random.mtrand._rand, "os.environ": os.environ}
    every |= {name: getattr(sys, name) for name in ("stdin", "stdout", "stderr")}
    return next((name for name, thing in every.items() if value is thing), None)


def _cell_content(cell: types.CellType) -> Any:
    try:
        return cell.cell_contents
    except ValueError:  # not filled yet
        return None
