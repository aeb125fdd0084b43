"""The docutils nodes, and how HTML builders write them.

Each node that reaches a writer is a kind of docutils node that all writers know; Sphinx's translators look
for a method along the classes of a node, so only HTML, which has roles and labels, gets methods of its own.
"""

from __future__ import annotations

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
    """A link to a source, to its entry, or back; ``html`` are further attributes.

    ``written`` is the whole link as HTML, for as long as nobody adds an attribute.
    """

    tagname = "reference"


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


_UNCHANGED = len(source_reference(refuri="", reftitle="", html={}, written="").attributes)


def _visit_reference(self: Any, node: nodes.Element) -> None:
    written = node.get("written")
    if written and len(node.attributes) == _UNCHANGED:
        self.body.append(written)
        raise nodes.SkipNode
    inside = "refid" in node
    attributes = {
        "class": f"reference {'internal' if inside else 'external'}",
        "href": f"#{node['refid']}" if inside else node["refuri"],
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
