"""The grammar alone: what is a marker, and what only looks like one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mdit_citations.markers import MAX_NUMBERS, grammar

VALID = {
    "[1]": (1,),
    "[^1]": (1,),
    "[12]": (12,),
    "[999999]": (999_999,),
    "[1,3]": (1, 3),
    "[1, 3]": (1, 3),
    "[1 , 3]": (1, 3),
    "[1\t,\t3]": (1, 3),
    "[3, 1]": (3, 1),
    "[^1, 3]": (1, 3),
    "[^1, ^3]": (1, 3),
    "[1,\n3]": (1, 3),
    "[1\n, 3]": (1, 3),
    "[1, \n  3]": (1, 3),
    "[1, 2, 3]": (1, 2, 3),
    "[" + ", ".join(map(str, range(1, MAX_NUMBERS + 1))) + "]": tuple(range(1, MAX_NUMBERS + 1)),
}
INVALID = [
    "[]", "[^]", "[0]", "[01]", "[ 1]", "[1 ]", "[1000000]", "[1,]", "[,1]", "[1,,2]", "[1 2]", "[1;2]", "[^^1]", "[1^]", "[1, 1]",
    "[1\n,\n3]", "[1,\n\n3]", "[1-3]", "[1–3]", "[-1]", "[1.2]", "[+1]", "[1a]", "[a1]", "[١]", "[１]", "[²]", "[1", "1]", "(1)", "【1】",
    "[1,\u00a03]", "[1,\r3]", "[" + ", ".join(map(str, range(1, MAX_NUMBERS + 2))) + "]",
]  # fmt: skip


@pytest.mark.parametrize(("text", "numbers"), VALID.items())
def test_valid(text: str, numbers: tuple[int, ...]) -> None:
    marker = grammar().match(text)
    assert marker is not None
    assert marker.numbers == numbers
    assert (marker.start, marker.end) == (0, len(text))
    assert marker.label == text[1:-1]
    assert [m.numbers for m in grammar().find(f"a{text}b")] == [numbers]


@pytest.mark.parametrize("text", INVALID)
def test_invalid(text: str) -> None:
    assert grammar().match(text) is None
    assert list(grammar().find(text)) == []


@pytest.mark.parametrize(
    ("text", "numbers"),
    {
        "[1-3]": (1, 2, 3),
        "[1–3]": (1, 2, 3),
        "[^1-2, 5]": (1, 2, 5),
        "[7]": (7,),
        "[2, 4-5]": (2, 4, 5),
    }.items(),
)
def test_ranges(text: str, numbers: tuple[int, ...]) -> None:
    marker = grammar(ranges=True).match(text)
    assert marker is not None
    assert marker.numbers == numbers


@pytest.mark.parametrize(
    "text", ["[3-1]", "[1-1]", "[1-200]", "[1-3, 2]", "[1--3]", "[1-]", "[1 - 3]", "[1-2-3]"]
)
def test_invalid_ranges(text: str) -> None:
    assert grammar(ranges=True).match(text) is None


def test_lenticular() -> None:
    found = grammar(lenticular=True).find("a【1】b[2]c【3, 4】d【5]")
    assert [marker.numbers for marker in found] == [(1,), (2,), (3, 4)]


def test_an_end_is_kept() -> None:
    assert grammar().match("[12]", 0, 3) is None
    assert grammar().match("x[12]", 1) is not None


@given(st.text(alphabet="[]^0123456789, \t\n-–【】a", max_size=40))
def test_found_markers_are_matched_where_they_stand(text: str) -> None:
    for forms in (grammar(), grammar(ranges=True, lenticular=True)):
        end = 0
        for marker in forms.find(text):
            assert marker.start >= end
            end = marker.end
            assert forms.match(text, marker.start) == marker
            assert 1 <= len(marker.numbers) <= MAX_NUMBERS
            assert len(set(marker.numbers)) == len(marker.numbers)
