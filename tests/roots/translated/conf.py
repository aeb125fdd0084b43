project = "Translated"
extensions = ["myst_parser", "sphinx_citations"]
language = "de"
locale_dirs = ["locale"]
gettext_compact = False
myst_heading_anchors = 2
