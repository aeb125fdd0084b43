project = "Notebooks"
extensions = ["myst_nb", "sphinx_citations"]
nb_execution_mode = "off"
source_suffix = {".md": "myst-nb", ".ipynb": "myst-nb"}
