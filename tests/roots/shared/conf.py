project = "Shared"
extensions = ["myst_parser", "sphinx_citations"]
citations_sources_file = "_sources.yaml"
exclude_patterns = ["_*"]
