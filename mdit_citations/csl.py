"""Values of CSL-JSON, the format in which reference managers keep sources, as text."""

from __future__ import annotations

from collections.abc import Mapping

_MAX_BITS = 256


def _text(item: object) -> str | None:
    """One scalar, or one CSL name or date, as text; None when it is neither."""
    if isinstance(item, Mapping):
        for key in ("literal", "raw", "name"):
            if isinstance(item.get(key), str):
                return str(item[key])
        dates = item.get("date-parts")
        if isinstance(dates, (list, tuple)) and all(
            isinstance(date, (list, tuple)) for date in dates
        ):
            days = [
                [part if isinstance(part, str) else _number(part) for part in date]
                for date in dates
            ]
            if any(part is None for day in days for part in day):
                return None
            return "/".join("-".join(f"{part:0>2}" for part in day) for day in days)
        parts = [item[key] for key in ("given", "family") if isinstance(item.get(key), str)]
        return " ".join(parts) or None
    if isinstance(item, int):
        return _number(item)
    return str(item) if isinstance(item, (str, float)) or hasattr(item, "isoformat") else None


def _number(item: object) -> str | None:
    return str(item) if isinstance(item, int) and item.bit_length() <= _MAX_BITS else None


def name_or_date(item: object) -> str | None:
    """CSL's names (``family``, ``given``, ``literal``) and dates (``date-parts``, ``raw``) as text.

    Source of the shapes: the CSL-JSON schema, ``name-variable`` and ``date-variable``.
    """
    items = item if isinstance(item, (list, tuple)) else [item]
    texts = [_text(one) for one in items]
    return ", ".join(" ".join(text.split()) for text in texts if text) if all(texts) else None
