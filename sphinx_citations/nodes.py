"""The docutils nodes, and how HTML builders write them.

Each node that reaches a writer is a kind of docutils node that all writers know; Sphinx's translators look
for a method along the classes of a node, so only HTML, which has roles and labels, gets methods of its own.
"""

from __future__ import annotations

from copy import copy
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx


class citation_mark(nodes.Inline, nodes.TextElement):  # noqa: N801 - docutils' writers go by such names
    """A citation as it is read: what a superscript will be made of when the builder is known.

    ``numbers`` are the sources, ``space`` the white space before it in a heading, ``place`` the count of
    the superscript in its document, ``docname`` that document. Its text is as written, which smart quotes
    look at; whoever asks a title for its text (ids, tables of contents) gets none.
    """

    def astext(self) -> str:
        """Nothing, for all that is named after a text."""
        return ""


class sources_place(nodes.General, nodes.Element):  # noqa: N801
    """Where the list of sources of ``docname`` will stand."""


class citation_superscript(nodes.superscript):  # noqa: N801
    """A superscript of links to sources."""

    tagname = "superscript"

    def astext(self) -> str:
        """Nothing: the search index asks titles for their text."""
        return ""


class source_reference(nodes.reference):  # noqa: N801
    """A link to a source, to its entry, or back; ``html`` are further attributes."""

    tagname = "reference"

    _as_written: tuple[str, dict[str, Any], list[nodes.Node]] | None = None

    def note_written(self, html: str) -> None:
        """Note *html* as the whole link, for as long as nothing in the node is changed. Copies lose it."""
        attributes = {name: copy(value) for name, value in self.attributes.items()}
        self._as_written = html, attributes, self.children.copy()

    @property
    def written(self) -> str:
        """The whole link as HTML, if that is known; empty otherwise."""
        if self._as_written is None:
            return ""
        html, attributes, children = self._as_written
        return html if (attributes, children) == (self.attributes, self.children) else ""


class source_title(nodes.inline):  # noqa: N801
    """The title of a source."""

    tagname = "inline"


class sources_list(nodes.container):  # noqa: N801
    """The list of sources; ``html`` are attributes, or ``written`` is all of it as HTML."""

    tagname = "container"


class sources_heading(nodes.rubric):  # noqa: N801
    """The heading of the list, ``level`` 1 to 6, or 0 for a paragraph; ``collapsed`` for a summary."""

    tagname = "rubric"


def setup_nodes(app: Sphinx) -> None:
    """Make the nodes known to *app*."""
    app.add_node(citation_mark)
    app.add_node(sources_place)
    app.add_node(citation_superscript)
    app.add_node(source_reference, html=(_visit_reference, _depart_reference))
    app.add_node(source_title, html=(_visit_title, _depart_title))
    app.add_node(sources_list, html=(_visit_list, _depart_list))
    app.add_node(sources_heading, html=(_visit_heading, _depart_heading))


def _visit_reference(self: Any, node: source_reference) -> None:
    if written := node.written:
        self.body.append(written)
        raise nodes.SkipNode
    # As in Sphinx's own method, an address goes before an id.
    outside = "refuri" in node
    attributes = {
        "class": f"reference {'external' if outside else 'internal'}",
        "href": node["refuri"] if outside else f"#{node['refid']}",
        **node.get("html", {}),
    }
    # Those that Sphinx's own method writes.
    for attribute, name in (("title", "reftitle"), ("target", "target"), ("rel", "rel")):
        if value := node.get(name):
            attributes[attribute] = value
    self.body.append(self.starttag(node, "a", "", **attributes))


def _depart_reference(self: Any, _node: nodes.Element) -> None:
    self.body.append("</a>")


def _visit_title(self: Any, node: nodes.Element) -> None:
    self.body.append(self.starttag(node, "cite", ""))


def _depart_title(self: Any, _node: nodes.Element) -> None:
    self.body.append("</cite>")


def _visit_list(self: Any, node: nodes.Element) -> None:
    if "written" in node:
        self.body.append(node["written"])
        raise nodes.SkipNode
    self.body.append(self.starttag(node, "section", **node["html"]))
    if node["collapsed"]:
        self.body.append("<details>\n")


def _depart_list(self: Any, node: nodes.Element) -> None:
    self.body.append("</details>\n</section>\n" if node["collapsed"] else "</section>\n")


def _visit_heading(self: Any, node: nodes.Element) -> None:
    level = node["level"]
    tag = "summary" if node["collapsed"] else f"h{level}" if level else "p"
    hidden = {"data-search-exclude": ""} if level and not node["collapsed"] else {}
    self.body.append(self.starttag(node, tag, "", **hidden))
    self.context.append(f"</{tag}>\n")


def _depart_heading(self: Any, _node: nodes.Element) -> None:
    self.body.append(self.context.pop())
