"""The configuration values, taken from the core's options, and what a build is like."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass, field, fields, replace
from functools import cached_property
from gettext import NullTranslations, translation
from pathlib import Path
from typing import Any, get_args, get_type_hints
from weakref import WeakKeyDictionary

from sphinx.application import Sphinx
from sphinx.builders.singlehtml import SingleFileHTMLBuilder
from sphinx.config import Config
from sphinx.errors import ConfigError

from mdit_citations import Options, Problem, Sources
from mdit_citations.labels import Labels, labels_for
from mdit_citations.options import check_switch, try_shared_sources
from sphinx_citations.conf_py import PREFIX, ConfPy

CATALOG = "sphinx_citations"
"""The name of a message catalogue (``.po``) in which a project may translate the words of the list."""


@dataclass(frozen=True)
class Settings:
    """What holds for all pages of a build."""

    options: Options
    """As configured; `shared` has the sources."""
    shared: Sources
    problems: list[Problem]
    """What is wrong with the shared sources."""
    sources_file: Path | None
    language: str
    locale_dirs: tuple[Path, ...]
    verbose: bool
    """Whether hints are shown."""
    html: bool
    """Whether the builder writes HTML."""
    epub: bool
    joins: bool
    """Whether it makes one document of all pages, or may."""
    prints_addresses: bool
    """Whether it writes the address of every external link into the text."""
    plain: bool
    """Whether its output is plain text, where nothing can be raised or followed."""
    latex: bool
    texinfo: bool
    cards: bool
    """Whether pages have the script."""
    provenance: bool
    """Whether they say for machines what they cite."""
    _list_options: dict[str, Options] = field(default_factory=dict)

    def list_options(self, language: str = "") -> Options:
        """The options for the list of a page in *language* (empty: the project's), words and all.

        The words are those configured, else those of the project's catalogue, else the language's.
        """
        if language in self._list_options:
            return self._list_options[language]
        options = self.options
        translate = self._catalog.gettext
        title = options.list_title
        if title is not None:
            title = translate(title)
        words = labels_for(language or self.language, options.labels)
        if options.labels is None and not language:
            english = Labels()
            for word in fields(Labels):
                text = getattr(english, word.name)
                if (translated := translate(text)) != text:
                    words = replace(words, **{word.name: translated})
        options = Options.of(options, labels=asdict(words), list_title=title)
        self._list_options[language] = options
        return options

    @cached_property
    def link_options(self) -> Options:
        """The options for the links of superscripts."""
        if self.options.list and self.prints_addresses:
            # The address would stand in the middle of a sentence; in the list it is at home.
            return Options.of(self.options, link_to="list")
        return self.options

    @cached_property
    def _catalog(self) -> NullTranslations:
        """The project's catalogue, which Sphinx has compiled when pages are written."""
        catalogs = [
            translation(CATALOG, directory, [self.language], fallback=True)
            for directory in self.locale_dirs
            if self.language
        ]
        first, *others = catalogs or [NullTranslations()]
        for other in others:
            first.add_fallback(other)
        return first


_SWITCHES = ("cards", "provenance")
"""Options of this host, for what stands around the text of an HTML page."""

_settings: WeakKeyDictionary[Config, Settings] = WeakKeyDictionary()


def settings_of(config: Config) -> Settings:
    """The settings of the application that has this configuration."""
    return _settings[config]


def add_config_values(app: Sphinx) -> None:
    """Add ``citations_`` and its name for every option; a page must be read again when one changes."""
    hints = get_type_hints(Options)
    for option in fields(Options):
        # `Options` says what is wrong, and Sphinx's check knows no `Mapping`. But ``-D`` has to be told
        # where 0 and 1 are false and true.
        union = get_args(hints[option.name])
        types = frozenset(union) if bool in union else Any
        app.add_config_value(PREFIX + option.name, option.default, "env", types=types)
    for name in _SWITCHES:
        app.add_config_value(PREFIX + name, default=False, rebuild="html", types=Any)


def read_settings(app: Sphinx, conf_py: ConfPy) -> Settings:
    """Check the configuration and read the shared sources, for the builder of *app*.

    Raises ``ConfigError`` for a value that is not allowed. A file that can't be read is a problem.
    """
    config, builder = app.config, app.builder
    given = {option.name: config[PREFIX + option.name] for option in fields(Options)}
    switches = {name: config[PREFIX + name] for name in _SWITCHES}
    if wrong := list(_wrong_values(given | switches, conf_py)):
        raise ConfigError("\n".join(wrong))
    file = None
    if given["sources_file"] is not None:
        file = given["sources_file"] = Path(app.confdir) / given["sources_file"]
    options = Options.of(**given)
    shared, problems = try_shared_sources(options)
    epub = builder.name == "epub"
    browsers = builder.format == "html" and not epub
    prints = {
        "epub": config.epub_show_urls in {"inline", "footnote"},
        "texinfo": True,
        "latex": config.latex_show_urls not in {"no", False},
    }
    settings = Settings(
        options=Options.of(options, sources=None, sources_file=None),
        shared=shared,
        problems=problems,
        sources_file=file,
        language=config.language or "",
        locale_dirs=tuple(Path(app.srcdir) / directory for directory in config.locale_dirs),
        verbose=app.verbosity > 0,
        html=builder.format == "html",
        epub=epub,
        joins=epub
        or builder.format in {"latex", "texinfo", "man"}
        or isinstance(builder, SingleFileHTMLBuilder),
        prints_addresses=prints.get(builder.name, False),
        plain=builder.format in {"text", "man"},
        latex=builder.format == "latex",
        texinfo=builder.format == "texinfo",
        cards=browsers and config.citations_cards,
        provenance=browsers and config.citations_provenance,
    )
    _settings[config] = settings
    return settings


def _wrong_values(given: dict[str, Any], conf_py: ConfPy) -> Iterator[str]:
    for option, value in given.items():
        try:
            if option in _SWITCHES:
                check_switch(option, value)
            else:
                Options.of(**{option: value})
        except (ValueError, TypeError) as error:
            name = PREFIX + option
            place = conf_py.place(name)
            yield f"{place}{': ' * bool(place)}{name}: {str(error).removeprefix(f'option {option}: ')}"
