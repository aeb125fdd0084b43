"""Numbered sources for MkDocs, ProperDocs, Zensical and Python-Markdown."""
