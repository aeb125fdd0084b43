"""Addresses: what may be linked, and when two are one page.

Pure functions over strings; standard library only. ``urllib.parse.urlsplit`` is not used: it keeps a cache
between documents, drops line breaks silently, and accepts different hosts in different Python versions. The
tests assert that it agrees about every address that is linked.
"""

from __future__ import annotations

import ipaddress
import re
import unicodedata
from urllib.parse import quote, unquote

# RFC 3986, appendix B. The scheme is spelt out because `(?i)s` also matches U+017F, the long s.
_ADDRESS = re.compile(
    r"([A-Za-z][A-Za-z0-9+.-]*)://([^/?#]*)([^?#]*)(?:\?([^#]*))?(?:#(.*))?", re.DOTALL
)
# As some versions of markdown-it-py write the brackets of an IPv6 address.
_ESCAPED_IPV6 = re.compile(r"://%5B([0-9A-Fa-f:.]+)%5D", re.IGNORECASE)
_PORT = re.compile(r":([0-9]{0,5})\Z")
_DEFAULT_PORTS = {"http": 80, "https": 443}

# Trimmed: what is left over from typing. Not U+2028 and the like, which nobody types.
WHITE = " \t\n\v\f\r\xa0\u1680\u202f\u205f\u3000" + "".join(map(chr, range(0x2000, 0x200B)))

# Cc, Zs, Zl, Zp, the bidirectional controls, the byte-order mark and lone surrogates (a test compares
# this with unicodedata), then the delimiters of RFC 3986, appendix C, and the backslash, which browsers
# read as a slash.
INVISIBLE = (
    "\x00-\x20\x7f-\xa0\u061c\u1680\u2000-\u200a\u200e\u200f\u2028-\u202f\u205f\u2066-\u2069\u3000\ufeff"
    "\ud800-\udfff\ufffe\uffff"
)
FORBIDDEN = re.compile(rf'[{INVISIBLE}<>"\\]+')

# Decides nearly every address alone. It may refuse what the careful path accepts, never the reverse.
_ORDINARY = re.compile(
    r"[Hh][Tt][Tt][Pp][Ss]?://"
    r"(?=[A-Za-z0-9_.-]{1,253}(?:[:/?#]|\Z))[A-Za-z0-9_-]{1,63}(?:\.[A-Za-z0-9_-]{1,63})*"
    r"(?::[0-9]{1,4})?(?:[/?#][!#-;=?-\[\]-~]*)?"
)

_DOTS = re.compile("[.\u3002\uff0e\uff61]")
_LABEL = re.compile(r"[a-z0-9_-]{1,63}")
_NOT_IN_LABEL = re.compile(r"[\x00-\x2c\x2e\x2f\x3a-\x5e\x60\x7b-\x7f]")

_ESCAPABLE = re.compile(r"%([0-9A-Fa-f]{2})|%|[^A-Za-z0-9;/?:@&=+$,\-_.!~*'()#%]+")
_UNRESERVED = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")

# Click and campaign identifiers, as the lists of Firefox, Brave, ClearURLs and the analytics products
# themselves name them. `ref` and `source` name a branch on a git host.
_TRACKER = re.compile(
    r"(?i)(?:utm_|mtm_|hsa_)[^=]*|gclid|dclid|fbclid|msclkid|twclid|ttclid|yclid|ysclid"
    r"|irclickid|gclsrc|gad_source|gbraid|wbraid|igshid|igsh|li_fat_id|mc_[ce]id|mkt_tok|_ga|_gl|_hsenc|_hsmi"
    r"|pk_(?:campaign|kwd|source|medium|content)|oly_(?:enc|anon)_id|vero_id|wickedid|srsltid"
    r"|ref_(?:src|url)"
)
_REFERRER = re.compile(r"(?i)ref|source")
_GIT_HOST = re.compile(r"(?:^|\.)(?:git|codeberg\.|bitbucket\.|forgejo\.|sr\.ht)")

# `host/path?query` of the forms in which a site offers one page, and the form they are compared in.
_YOUTUBE = r"(?:(?:www\.|m\.|music\.)?youtube(?:-nocookie)?\.com|youtu\.be)"
_ARXIV = r"(?:www\.|export\.)?arxiv\.org/(?:abs|pdf|html|format|ps)/"
_ARXIV_END = r"(?:v[0-9]+)?(?:\.pdf)?/?(?:\?.*)?"
_SITES = tuple(
    (re.compile(pattern), form)
    for pattern, form in (
        (_YOUTUBE + r"/watch/?\?(?:[^&]*&)*?v=([\w-]+)(?:&.*)?", r"www.youtube.com/watch?v=\1"),
        (
            _YOUTUBE + r"/(?:shorts|embed|live|v)/(?!videoseries)([\w-]+)/?(?:\?.*)?",
            r"www.youtube.com/watch?v=\1",
        ),
        (r"youtu\.be/(?!watch)([\w-]+)/?(?:\?.*)?", r"www.youtube.com/watch?v=\1"),
        (_ARXIV + r"([0-9]{4}\.[0-9]{4,5})" + _ARXIV_END, r"arxiv.org/abs/\1"),
        (_ARXIV + r"([a-z-]+)(?:\.[A-Z]{2})?/([0-9]{7})" + _ARXIV_END, r"arxiv.org/abs/\1/\2"),
        (
            r"(?:www\.)?githubissues\.com/([^/?]+)/([^/?]+)/([0-9]+)/?(?:\?.*)?",
            r"github.com/\1/\2/issues/\3",
        ),
    )
)
# Lines of code (GitHub, GitLab, cgit, Mercurial, Bitbucket) and hash routes.
_ANCHOR_KEPT = re.compile(r"[LRln][0-9].*|(?:lines?|cl)-[0-9].*|!.*|[^/]*/.*", re.DOTALL)


_ORDINARY_HOST = re.compile(
    r"https?://(?!www\.)([a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){1,3})(?=[/?#]|\Z)"
)


def linkable(url: str) -> str | None:
    """Return the address to link, trimmed and otherwise as written, or None when it must not be linked.

    Linked are ``http`` and ``https`` addresses (RFC 3986) with a host a browser can look up (WHATWG URL,
    "host parsing": DNS name of at most 253 characters, IDNA name, IPv6 address in brackets) and a port up
    to 65535. Refused are user names and passwords, white space, control and bidirectional characters, lone
    surrogates, backslashes, and the delimiters ``<``, ``>`` and ``"`` of RFC 3986 appendix C: no host needs
    them, and not every output format escapes a quote (it is active in LaTeX). Nothing is raised.
    """
    if _ORDINARY.fullmatch(url):
        return url
    return _linkable_carefully(url.strip(WHITE))


def canonical(url: str) -> str:
    """Return the form in which addresses are compared; it is never linked or shown.

    Equal are (RFC 3986 section 6.2) scheme and host in any case, default ports, ``%7E`` and ``~``, dot
    segments and an empty path; IDNA hosts and characters in either spelling, so that an address equals what
    markdown-it makes of it; repeated slashes; and addresses that differ in trackers, in the place within the
    page (but not in names with a dot, lines of code and hash routes), or in the way YouTube, arXiv and
    GitHub name one page. Schemes, parameter order, path case and trailing slashes are never merged.

    Idempotent. Raises nothing: what is no http address without user info is returned trimmed.
    """
    url = _ESCAPED_IPV6.sub(r"://[\1]", url.strip(WHITE), count=1)
    parts = _parts(url)
    if parts is None:
        return url
    scheme, host, port, path, query, fragment = parts
    if port is not None and port != _DEFAULT_PORTS[scheme]:
        host = f"{host}:{port}"
    referrers = not _GIT_HOST.search(host)
    parameters = [
        parameter
        for parameter in _normal_escapes(query).split("&")
        if parameter and not _is_tracker(parameter.partition("=")[0], referrers=referrers)
    ]
    page = (
        host
        + _normal_path(_normal_escapes(path))
        + ("?" if parameters else "")
        + "&".join(parameters)
    )
    for pattern, form in _SITES:
        if match := pattern.fullmatch(page):
            return f"{scheme}://{match.expand(form)}"
    anchor = _normal_escapes(fragment).partition(":~:")[0]
    named = "." in anchor and "=" not in anchor
    return f"{scheme}://{page}" + (f"#{anchor}" if named or _ANCHOR_KEPT.fullmatch(anchor) else "")


def same_page(a: str, b: str) -> bool:
    """Whether two addresses name one page: their canonical forms are equal."""
    return canonical(a) == canonical(b)


def site(url: str) -> str:
    """Return the host to show a reader: lower case, without ``www.`` and user info; ``""`` without a host.

    The port is kept unless it is the scheme's own. An IDNA host is shown as it was written.
    """
    if ordinary := _ORDINARY_HOST.match(url):
        return ordinary[1]
    match = _ADDRESS.fullmatch(url.strip(WHITE))
    host_port = _host_port(match[2].rpartition("@")[2]) if match else None
    if match is None or host_port is None:
        return ""
    written, _, port = host_port
    host = written.lower().rstrip(".")
    if host.startswith("www.") and "." in host[4:]:
        host = host[4:]
    return host if port in (None, _DEFAULT_PORTS.get(match[1].lower())) else f"{host}:{port}"


def _linkable_carefully(url: str) -> str | None:
    return None if FORBIDDEN.search(url) or _parts(url) is None else url


def _parts(url: str) -> tuple[str, str, int | None, str, str, str] | None:
    """Scheme, canonical host, port, path, query, fragment of an http address without user info."""
    match = _ADDRESS.fullmatch(url)
    if not match or (scheme := match[1].lower()) not in _DEFAULT_PORTS:
        return None
    host_port = _host_port(match[2])
    if host_port is None:
        return None
    return scheme, host_port[1], host_port[2], match[3], match[4] or "", match[5] or ""


def _host_port(authority: str) -> tuple[str, str, int | None] | None:
    """Host as written (escapes decoded), canonical host, port; None for user info and bad hosts."""
    match = _PORT.search(authority)
    port = int(match[1]) if match and match[1] else None
    written = authority[: match.start()] if match else authority
    if len(written) > 254 or (port or 0) > 65535:  # noqa: PLR2004 (DNS: 253 and a final dot)
        return None
    if written.startswith("[") and written.endswith("]") and "%" not in written:
        try:
            return written, f"[{ipaddress.IPv6Address(written[1:-1])}]", port
        except ValueError:
            return None
    try:
        written = unquote(written, errors="strict")
    except UnicodeError:
        return None
    labels = _DOTS.split(written)
    if len(labels) > 1 and not labels[-1]:
        labels.pop()
    names = [_label(label) for label in labels]
    if None in names:
        return None
    return written, ".".join(name for name in names if name), port


def _label(label: str) -> str | None:
    """One label of a host in its ASCII form, lower case (IDNA, without its tables of single scripts)."""
    lower = label.lower()
    if not label.isascii():
        return _idna(label)
    if not _LABEL.fullmatch(lower):
        return None
    if lower.startswith("xn--"):
        try:
            name = lower[4:].encode("ascii").decode("punycode")
        except ValueError:
            return lower
        return (not name.isascii() and _idna(name, ascii_form=lower)) or lower
    return lower


def _idna(label: str, ascii_form: str | None = None) -> str | None:
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", label).lower())
    if folded.isascii():
        return ascii_form or _label(folded)
    if _NOT_IN_LABEL.search(folded) or any(
        unicodedata.category(char) in {"Cc", "Cf", "Cs", "Zl", "Zp", "Zs"} for char in folded
    ):
        return None
    encoded = "xn--" + folded.encode("punycode").decode("ascii")
    return encoded if _LABEL.fullmatch(encoded) else None


def _normal_escapes(text: str) -> str:
    return _ESCAPABLE.sub(_normal_escape, text)


def _normal_escape(match: re.Match[str]) -> str:
    if match[1] is None:
        return percent_encode(match)
    char = chr(int(match[1], 16))
    return char if char in _UNRESERVED else match[0].upper()


def percent_encode(match: re.Match[str]) -> str:
    """What a pattern matched, percent-encoded as UTF-8 (RFC 3986 section 2.1)."""
    return quote(match[0], safe="", errors="surrogatepass")


def _normal_path(path: str) -> str:
    """RFC 3986 section 5.2.4 (dot segments), then repeated slashes as one."""
    segments: list[str] = []
    parts = path.split("/")[1:]
    for part in parts:
        if part == "..":
            del segments[-1:]
        elif part != ".":
            segments.append(part)
    if parts and parts[-1] in {".", ".."}:
        segments.append("")
    return re.sub("/{2,}", "/", "/" + "/".join(segments))


def _is_tracker(name: str, *, referrers: bool) -> bool:
    return bool(_TRACKER.fullmatch(name) or (referrers and _REFERRER.fullmatch(name)))
