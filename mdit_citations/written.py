"""Addresses in text: found in it, shown without secrets, written as a Markdown destination.

Pure functions over strings; standard library only.
"""

from __future__ import annotations

import re
from urllib.parse import unquote

from mdit_citations.urls import FORBIDDEN, INVISIBLE, WHITE, percent_encode

# User info: after any `//`; in an authority with odd slashes; with a `/`, `?` or `#` in the password, told
# by what is no port after the colon; without any slashes. Tried in this order, the last two as a last resort.
_NESTED_USER_INFO = re.compile(r"(?<=//)[^/?#]*@")
_SLASHES = r"\A(\s*(?:https?:[/\\]*|[a-z][a-z0-9+.-]*:[/\\]+|[/\\]{2,})(?![/\\]))"
_USER_INFO = (
    re.compile(_SLASHES + r"[^/?#]*@", re.IGNORECASE),
    re.compile(_SLASHES + r"[^/?#:@\[]*:(?![0-9]*(?:[/?#]|\Z)).*@", re.IGNORECASE | re.DOTALL),
    re.compile(r"\A(\s*)(?!(?:mailto|xmpp|sips?|acct):)[^/?#:@\s]+:[^/?#@]*@", re.IGNORECASE),
)
_PARAMETER = re.compile(r"[?&;#]([^=&;#?]*)=")
_VALUE_END = re.compile(r"[&#]")
_SECRET = re.compile(
    r".*(?:token|secret|password|passwd|passphrase|signature|credentials?|apikey|accesskey|secretkey"
    r"|privatekey|accesskeyid|sessionid|sessid|subscriptionkey)|pwd|pass|sig|auth|authorization|key|jwt|sid",
    re.DOTALL,
)

_START = re.compile(r"(?<![A-Za-z0-9])https?://(?=[^\s/?#])", re.IGNORECASE | re.ASCII)
_BRACKETS = dict(zip(")]}）］」』】》〉”»", "([{（［「『【《〈“«", strict=True))  # noqa: RUF001
_BRACKET_CLASS = re.escape("".join(_BRACKETS) + "".join(_BRACKETS.values()))
_RUN = re.compile(
    rf'[^{INVISIBLE}<>"\\`|,;{_BRACKET_CLASS}]+|[,;]+(?!https?://)|[{_BRACKET_CLASS}]',
    re.IGNORECASE,
)
_TRAILING = ".,;:!?'\"*_‘’…。，、；：！？" + "".join(_BRACKETS.values())  # noqa: RUF001

_NOT_IN_DESTINATION = re.compile(rf'[{INVISIBLE}<>"\\\[\]^`{{|}}]+')
_ENTITY = re.compile(r"&(?=#?[A-Za-z0-9]+;)")
_AUTHORITY = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://[^/?#]*")


def redacted(url: str) -> str:
    """Return the address as a reader may see it, secrets replaced by ``***`` and the rest as written.

    Secrets are user info (RFC 3986 section 3.2.1), in any scheme and in addresses within the address, and
    the values of parameters named like a token, password, key or signature (OAuth, the signed addresses of
    AWS, Google and Azure), in query, fragment and path parameters. It parses nothing, so that a broken
    address is no way around it; where it is in doubt it hides too much.
    """
    return _redact(url, nested=True)


def find_urls(text: str) -> list[tuple[int, int]]:
    """Return the spans ``(start, end)`` of the http and https addresses in running text, in order.

    As in GFM's extended autolinks, punctuation at the end is left out and brackets are kept in pairs; an
    address ends before a closing bracket that it did not open, white space, ``<``, ``>``, ``"``, a
    backslash, a backtick, ``|``, or a comma or semicolon before another address. A span is not
    necessarily `linkable`.
    """
    spans: list[tuple[int, int]] = []
    position = 0
    while found := _START.search(text, position):
        position = found.end()
        opened = dict.fromkeys(_BRACKETS.values(), 0)
        while run := _RUN.match(text, position):
            char = run[0][0]
            if char in opened:
                opened[char] += 1
            elif char in _BRACKETS:
                if not opened[_BRACKETS[char]]:
                    break
                opened[_BRACKETS[char]] -= 1
            position = run.end()
        end = position
        while end > found.end() and text[end - 1] in _TRAILING:
            end -= 1
        if end > found.end():
            spans.append((found.start(), end))
    return spans


def markdown_destination(url: str) -> str:
    """Return the address as it is written in ``[text](HERE)``: one link, with exactly this address.

    Ordinary addresses are written as they are. Characters that RFC 3986 does not allow are percent-encoded
    (as every renderer does with them; so brackets, backticks and table pipes mean nothing), what would be
    read as a character reference has its ``&`` written ``&amp;``, and an address with quotes or with
    parentheses that do not pair goes between ``<`` and ``>`` (CommonMark 0.31, "link destination").
    """
    url = url.strip(WHITE)
    authority = _AUTHORITY.match(url)
    split = authority.end() if authority else 0
    head = FORBIDDEN.sub(percent_encode, url[:split])
    written = _ENTITY.sub("&amp;", head + _NOT_IN_DESTINATION.sub(percent_encode, url[split:]))
    return f"<{written}>" if not written or "'" in written or not _paired(written) else written


def _redact(text: str, *, nested: bool) -> str:
    for pattern in _USER_INFO:
        if match := pattern.match(text):
            text = f"{match[1]}***@{text[match.end() :]}"
            break
    text = _NESTED_USER_INFO.sub("***@", text)
    shown: list[str] = []
    position = looked_into = 0
    for parameter in _PARAMETER.finditer(text):
        start = parameter.end()
        secret = _is_secret(parameter[1])
        # A value holds the parameters after a `?` in it, so each stretch is looked into once only.
        inner = nested and start > looked_into
        if parameter.start() < position or not (secret or inner):
            continue
        end = _VALUE_END.search(text, start)
        looked_into = end.start() if end else len(text)
        if secret or _has_secret(text[start:looked_into]):
            shown += text[position:start], "***"
            position = looked_into
    return "".join(shown) + text[position:]


def _is_secret(name: str) -> bool:
    return bool(_SECRET.fullmatch(re.sub(r"[^a-z0-9]", "", unquote(name).lower())))


def _has_secret(value: str) -> bool:
    """Whether an escaped address within the address has something to hide."""
    decoded = unquote(value)
    return decoded != value and _redact(decoded, nested=False) != decoded


def _paired(text: str) -> bool:
    """Whether the parentheses pair, nested no deeper than every parser follows (CommonMark: 32)."""
    depth = 0
    for char in re.findall(r"[()]", text):
        depth += 1 if char == "(" else -1
        if not 0 <= depth <= 32:  # noqa: PLR2004
            return False
    return depth == 0
