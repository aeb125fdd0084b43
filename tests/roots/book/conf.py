project = "Weather"
author = "The observers"
version = release = "1.0"
copyright = "2026, the observers"  # noqa: A001 - Sphinx's name for it
extensions = ["sphinx_citations", "myst_parser", "sphinx_design"]
exclude_patterns = ["_*"]
myst_enable_extensions = [
    "attrs_inline",
    "colon_fence",
    "deflist",
    "dollarmath",
    "fieldlist",
    "substitution",
    "tasklist",
]
myst_heading_anchors = 3
myst_substitutions = {"claim": "a claim [2]"}
latex_elements = {"papersize": "a4paper"}
man_pages = [("index", "weather", "Weather", "The observers", 7)]
