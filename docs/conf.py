"""Configuration of the guide: MyST pages whose examples run when it is built."""

from __future__ import annotations

from bakeoff import __version__

project = "bakeoff"
copyright = "2026, the bakeoff developers"
release = version = __version__

extensions = ["myst_nb", "sphinx.ext.autodoc", "sphinx.ext.autosummary", "sphinx.ext.napoleon", "sphinx.ext.viewcode"]
exclude_patterns = ["_build", "adr", "gallery", "images"]
html_theme = "furo"
html_title = "bakeoff"
html_static_path: list[str] = []
templates_path: list[str] = []

nb_execution_mode = "force"
nb_execution_timeout = 180
nb_execution_raise_on_error = True
nb_merge_streams = True
myst_enable_extensions = ["dollarmath", "colon_fence", "deflist"]
myst_heading_anchors = 3
autodoc_typehints = "none"
autodoc_member_order = "bysource"
napoleon_numpy_docstring = True
napoleon_google_docstring = False
default_role = "code"  # single backticks in docstrings are code
nitpicky = False
napoleon_use_param = False
napoleon_use_rtype = False
napoleon_use_ivar = True
# Attribute types in docstrings are words, not cross-references; short names such as `n` would be ambiguous ones.
suppress_warnings = ["mystnb.unknown_mime_type", "ref.python"]
