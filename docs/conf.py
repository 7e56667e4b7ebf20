"""Configuration of the guide: MyST pages whose examples run when it is built."""

from __future__ import annotations

import logging
import os
import sys
import tempfile
from pathlib import Path

from bakeoff import __version__

sys.path.insert(0, str(Path(__file__).parent / "_extensions"))
from sample import sample_report

# Pages call the command line in %%bash cells: that of this environment, in English, on lines of readable length.
os.environ["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}"
os.environ.update(BAKEOFF_LANG="en", COLUMNS="110", NO_COLOR="1")

# Kernels that run the pages say nothing below an error (they would warn that they listen on a local port).
_ipython = tempfile.TemporaryDirectory()
_profile = Path(_ipython.name) / "profile_default"
_profile.mkdir()
(_profile / "ipython_kernel_config.py").write_text("c.IPKernelApp.log_level = 40")
os.environ["IPYTHONDIR"] = _ipython.name

project = "bakeoff"
copyright = "2026, the bakeoff developers"
release = version = __version__

extensions = [
    "myst_nb",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.napoleon",
    "sphinx.ext.viewcode",
    "measure_facts",
    "offline_math",
]
exclude_patterns = ["_build", "_extensions", "adr", "gallery", "images"]
html_theme = "furo"
html_title = "bakeoff"
html_math_renderer = "mathml"  # from _extensions: formulas are read without a network
html_static_path = ["_static"]
_extra = tempfile.TemporaryDirectory()
html_extra_path = [_extra.name]  # a live report and explorer, made when the guide is built
sample_report(Path(_extra.name) / "sample-report.html")
html_css_files = ["guide.css"]
html_js_files = [("exercises.js", {"defer": "defer"}), ("guide.js", {"defer": "defer"})]
templates_path: list[str] = []

nb_execution_mode = "force"
nb_execution_timeout = 180
nb_execution_raise_on_error = True
nb_merge_streams = True
nb_render_markdown_format = "myst"  # tables made by a cell are tables
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
napoleon_custom_sections = [("Attributes", "params_style")]  # several names may share a line
# Attribute types in docstrings are words, not cross-references; short names such as `n` would be ambiguous ones.
suppress_warnings = ["mystnb.unknown_mime_type", "ref.python"]

logging.getLogger("traitlets").setLevel(logging.WARNING)  # nbclient tells of every page it runs
