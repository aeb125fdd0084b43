"""The docutils nodes, and how HTML builders write them.

Each node that reaches a writer is a kind of docutils node that all writers know; Sphinx's translators look
for a method along the classes of a node, so only HTML, which has roles and labels, gets methods of its own.
"""

from __future__ import annotations

from copy import copy
from typing import Any, NamedTuple

from docutils import nodes
from sphinx.application import Sphinx


class Written(NamedTuple):
    """HTML that has been written in advance for a node that looks like this."""

    html: str
    attributes: dict[str, Any]
    children: list[nodes.Node]

    @classmethod
    def of(cls, node: nodes.Element, html: str) -> Written:
        """*html* for *node*, and for all that look the same."""
        attributes = {name: copy(value) for name, value in node.attributes.items()}
        return cls(html, attributes, node.children.copy())

    def is_of(self, node: Any) -> bool:
        """Whether *node*, an element, looks like that; texts are equal when their characters are."""
        return (self.attributes, self.children) == (node.attributes, node.children)


class made_later(nodes.Element):  # noqa: N801
    """What is made when the builder is known."""


class citation_mark(made_later, nodes.Inline, nodes.TextElement):  # noqa: N801 - docutils' writers go by such names
    """A citation as it is read: what a superscript will be made of when the builder is known.

    ``numbers`` are the sources, ``space`` the white space before it in a heading, ``place`` the count of
    the superscript in its document, ``docname`` that document. Its text is as written, which smart quotes
    look at; whoever asks a title for its text (ids, tables of contents) gets none.
    """

    def astext(self) -> str:
        """Nothing, for all that is named after a text."""
        return ""


class sources_place(made_later, nodes.General):  # noqa: N801
    """Where the list of sources of ``docname`` will stand."""


class citation_digits(nodes.inline):  # noqa: N801
    """Raised digits, with links to sources, where no superscript is wanted."""

    tagname = "inline"

    def astext(self) -> str:
        """Nothing: the search index asks titles for their text."""
        return ""


class citation_superscript(nodes.superscript):  # noqa: N801
    """A superscript of links to sources."""

    tagname = "superscript"

    written: Written | None = None
    """All of it, for as long as neither it nor a link in it is changed. Copies lose it."""

    def astext(self) -> str:
        """Nothing: the search index asks titles for their text."""
        return ""


class source_reference(nodes.reference):  # noqa: N801
    """A link to a source, to its entry, or back; ``html`` are further attributes, in HTML."""

    tagname = "reference"

    written: Written | None = None
    """The whole link, for as long as nothing in the node is changed. Copies lose it."""


class source_title(nodes.inline):  # noqa: N801
    """The title of a source."""

    tagname = "inline"


class sources_list(nodes.container):  # noqa: N801
    """The list of sources; ``html`` are attributes, or ``around`` what is written before and behind it."""

    tagname = "container"


class sources_heading(nodes.rubric):  # noqa: N801
    """The heading of the list, ``level`` 1 to 6, or 0 for a paragraph; ``collapsed`` for a summary."""

    tagname = "rubric"


class source_entry(nodes.paragraph):  # noqa: N801
    """An entry: its links, and between them what else is written of it."""

    tagname = "paragraph"


class source_html(nodes.Inline, nodes.Element):  # noqa: N801
    """A piece of an entry that is HTML already, ``html``.

    No `raw`, whose text Sphinx's search would read, and which costs a node more.
    """


def setup_nodes(app: Sphinx) -> None:
    """Make the nodes known to *app*."""
    app.add_node(citation_mark)
    app.add_node(sources_place)
    app.add_node(citation_digits)
    app.add_node(citation_superscript, html=(_visit_superscript, _depart_superscript))
    app.add_node(source_reference, html=(_visit_reference, _depart_reference))
    app.add_node(source_title, html=(_visit_title, _depart_title))
    app.add_node(sources_list, html=(_visit_list, _depart_list))
    app.add_node(source_entry, html=(_visit_entry, _depart_entry))
    app.add_node(source_html, html=(_visit_html, None))
    app.add_node(sources_heading, html=(_visit_heading, _depart_heading))


def _visit_superscript(self: Any, node: citation_superscript) -> None:
    # Sphinx would spend more on one of these than on the words around it.
    if (written := node.written) and written.is_of(node) and all(map(_is_untouched, node.children)):
        self.body.append(written.html)
        raise nodes.SkipNode
    self.body.append(self.starttag(node, "sup", ""))


def _is_untouched(node: nodes.Node) -> bool:
    written: Written | None = getattr(node, "written", None)
    return isinstance(node, nodes.Text) or bool(written and written.is_of(node))


def _depart_superscript(self: Any, _node: nodes.Element) -> None:
    self.body.append("</sup>")


def _visit_reference(self: Any, node: source_reference) -> None:
    if (written := node.written) and written.is_of(node):
        self.body.append(written.html)
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
    if "around" in node:
        self.body.append(node["around"][0])
        return
    self.body.append(self.starttag(node, "section", **node["html"]))
    if node["collapsed"]:
        self.body.append("<details>\n")


def _depart_list(self: Any, node: nodes.Element) -> None:
    if "around" in node:
        self.body.append(node["around"][1])
        return
    self.body.append("</details>\n</section>\n" if node["collapsed"] else "</section>\n")


def _visit_entry(_self: Any, _node: nodes.Element) -> None:
    """Its pieces have the tags."""


def _depart_entry(_self: Any, _node: nodes.Element) -> None:
    """So too at its end."""


def _visit_html(self: Any, node: nodes.Element) -> None:
    self.body.append(node["html"])
    raise nodes.SkipNode


def _visit_heading(self: Any, node: nodes.Element) -> None:
    level = node["level"]
    tag = "summary" if node["collapsed"] else f"h{level}" if level else "p"
    hidden = {"data-search-exclude": ""} if level and not node["collapsed"] else {}
    self.body.append(self.starttag(node, tag, "", **hidden))
    self.context.append(f"</{tag}>\n")


def _depart_heading(self: Any, _node: nodes.Element) -> None:
    self.body.append(self.context.pop())
