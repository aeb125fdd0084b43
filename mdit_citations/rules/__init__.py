"""The rules of the markdown-it-py plugin, one in each module; `mdit_citations.plugin` registers them."""
