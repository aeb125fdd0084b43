"""Numbered sources for Markdown: markers such as ``[1]`` become links, the sources a list under the text."""

from mdit_citations.citations import Citations
from mdit_citations.options import Options
from mdit_citations.plugin import citations_plugin
from mdit_citations.problems import Problem, ProblemCode
from mdit_citations.source_list import SourceList
from mdit_citations.sources import Source, Sources, parse_sources

__all__ = [
    "Citations",
    "Options",
    "Problem",
    "ProblemCode",
    "Source",
    "SourceList",
    "Sources",
    "citations_plugin",
    "parse_sources",
]
