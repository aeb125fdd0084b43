from __future__ import annotations

import importlib.util

collect_ignore_glob = []
if not (importlib.util.find_spec("sphinx") and importlib.util.find_spec("myst_parser")):
    collect_ignore_glob.append("test_*.py")
