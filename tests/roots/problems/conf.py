project = "Problems"
extensions = ["myst_parser", "sphinx_citations"]
myst_enable_extensions = ["colon_fence"]
exclude_patterns = ["_*"]
