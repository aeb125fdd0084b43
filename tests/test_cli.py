"""The command line, as a user runs it: every test starts the real command."""

import os
import signal
import subprocess
import sys
import time
from dataclasses import fields
from importlib.metadata import entry_points
from pathlib import Path

import pytest

import mdit_citations
from mdit_citations import Options

pytest.importorskip("click")
pytest.importorskip("rich")

PROGRAM = "import sys; from mdit_citations.cli import main; sys.exit(main())"
COMMAND = [sys.executable, "-c", PROGRAM]
ENVIRONMENT = {
    **os.environ,
    "PYTHONPATH": str(Path(mdit_citations.__file__).parents[1]),
    "COLUMNS": "100",
}
PAGE = """\
---
sources:
  - title: First
    url: https://first.example/
  - title: Second & last
    url: https://second.example/
---

# A heading [1] with *two* words

Text [1], and more[2].
"""


def run(*arguments, stdin=b"", cwd=None, env=None, **more):
    return subprocess.run(
        [*COMMAND, *map(str, arguments)],
        input=stdin,
        capture_output=True,
        cwd=cwd,
        env={**ENVIRONMENT, **(env or {})},
        timeout=60,
        check=False,
        **more,
    )


def refused(result):
    """The one line that says why, of a run that was refused."""
    assert result.returncode == 2
    assert result.stdout == b""
    assert b"Traceback" not in result.stderr
    (line,) = result.stderr.decode().splitlines()
    return line


@pytest.fixture
def page(tmp_path):
    path = tmp_path / "page.md"
    path.write_text(PAGE, encoding="utf-8")
    return path


def test_whole_page(page):
    result = run("render", page)
    assert (result.returncode, result.stderr) == (0, b"")
    html = result.stdout.decode()
    assert html.startswith('<!DOCTYPE html>\n<html lang="en" dir="ltr">\n')
    assert '<meta charset="utf-8">' in html
    assert '<meta name="viewport"' in html
    assert "<title>A heading with two words</title>" in html
    assert html.count("<style>") == 1
    assert ".citation" in html
    assert '<a class="citation-link" href="https://first.example/"' in html
    assert html.endswith("</html>\n")


def test_fragment(page):
    html = run("render", page, "--fragment").stdout.decode()
    assert html.startswith("<h1>A heading ")
    assert "<style" not in html
    assert "<html" not in html


def test_standard_input():
    result = run("render", "-", stdin=PAGE.encode())
    assert result.returncode == 0
    assert b"<title>A heading with two words</title>" in result.stdout
    result = run("render", "-", stdin=PAGE.replace("[2]", "[3]").encode())
    assert result.returncode == 1
    place, rest = result.stderr.decode().split(": ", 1)
    assert place == "<stdin>:11:19"
    assert rest.endswith("[unknown-source]\n")


def test_output_file(page, tmp_path):
    target = tmp_path / "page.html"
    result = run("render", page, "--output", target)
    assert (result.returncode, result.stdout, result.stderr) == (0, b"", b"")
    assert target.read_bytes() == run("render", page).stdout
    assert sorted(path.name for path in tmp_path.iterdir()) == ["page.html", "page.md"]


@pytest.mark.parametrize(
    ("source", "title"),
    [
        ("---\ntitle: No\n---\n# Heading\n", "No"),
        ("---\ntitle: 'a <b> & c'\n---\n", "a &lt;b&gt; &amp; c"),
        ("## `code` and [link](x) ![image](y)\n", "code and link"),
        ("# Mathematics $x$\n", "Mathematics x"),
        ("No heading.\n", "page"),
        ("---\ntitle: [a, list]\n---\n# Heading\n", "Heading"),
        ("---\ntitle: {: broken\n---\n# Heading\n", "Heading"),
        ("---\nsources: {2: 'https://a.example/'}\n---\n# A [2][^2] B [^2]\n", "A B"),
    ],
)
@pytest.mark.parametrize("superscript", ["html", "unicode"])
def test_title(tmp_path, source, title, superscript):
    path = tmp_path / "page.md"
    path.write_text(source, encoding="utf-8")
    result = run("render", path, "--superscript", superscript)
    assert f"<title>{title}</title>" in result.stdout.decode()


@pytest.mark.parametrize(
    ("front_matter", "tag"),
    [
        ("lang: de", 'lang="de" dir="ltr"'),
        ("lang: ar", 'lang="ar" dir="rtl"'),
        ("language: he-IL", 'lang="he-IL" dir="rtl"'),
        ("lang: '\"><script>'", 'lang="&quot;&gt;&lt;script&gt;" dir="ltr"'),
        ("lang: [de]", 'lang="en" dir="ltr"'),
    ],
)
def test_language(front_matter, tag):
    html = run("render", "-", stdin=f"---\n{front_matter}\n---\ntext\n".encode()).stdout.decode()
    assert f"<html {tag}>" in html


def test_what_the_parser_knows():
    source = b"""\
| a |
|---|
| b |

~~gone~~ $a[1]$ and[^n]

$$
b[1]
$$

- [x] done

Term
:   Meaning

[^n]: A note.
"""
    html = run("render", "-", "--fragment", stdin=source).stdout.decode()
    for part in (
        "<table>",
        "<s>gone</s>",
        "<dl>",
        'type="checkbox"',
        '<section class="footnotes">',
    ):
        assert part in html
    assert '<span class="math inline">a[1]</span>' in html
    assert '<pre class="math">b[1]</pre>' in html
    assert "<script" not in html


def test_raw_html_only_when_asked_for():
    source = b"<b>bold</b>\n\n<script>alert(1)</script>\n"
    assert b"<b>" not in run("render", "-", "--fragment", stdin=source).stdout
    assert b"<script>" not in run("render", "-", stdin=source).stdout
    assert run("render", "-", "--fragment", "--html", stdin=source).stdout.count(b"<script>") == 1


def test_problems_have_places(tmp_path):
    (tmp_path / "page.md").write_text(
        "---\nsources:\n  - url: javascript:alert(1)\n  - https://b.example/\n---\n\nText [9] [2, 7].\n",
        encoding="utf-8",
    )
    result = run("render", "page.md", cwd=tmp_path)
    assert result.returncode == 1
    lines = result.stderr.decode().splitlines()
    places = [line.split(" ", 1)[0] for line in lines]
    codes = [line[line.rindex("[") :] for line in lines]
    assert places == ["page.md:3:10:", "page.md:7:6:", "page.md:7:10:"]
    assert codes == ["[unsafe-url]", "[unknown-source]", "[unknown-source]"]


def test_messages_hold_nothing_a_terminal_obeys(tmp_path):
    path = tmp_path / "page\x1b[31m.md"
    path.write_text(
        PAGE + '\n[^1]: \x1b[2J\u202e says something else, "and more"\n\n[9]\n', encoding="utf-8"
    )
    stderr = run("render", path).stderr
    assert b"\x1b" not in stderr
    assert "\u202e".encode() not in stderr
    assert b"page\\x1b[31m.md:" in stderr


def test_byte_order_mark_and_line_ends(tmp_path):
    path = tmp_path / "page.md"
    path.write_bytes(b"\xef\xbb\xbf" + PAGE.replace("\n", "\r\n").encode())
    assert run("render", path).stdout == run("render", "-", stdin=PAGE.encode()).stdout


@pytest.mark.parametrize("content", ["", "\ufeff", "\0 \u2028\n", "---\n", "---\nsources:\n---\n"])
def test_nearly_nothing(content):
    result = run("render", "-", stdin=content.encode())
    assert (result.returncode, result.stderr) == (0, b"")
    assert result.stdout.endswith(b"</html>\n")


# Directories


@pytest.fixture
def tree(tmp_path):
    root = tmp_path / "docs"
    for name in ("b.md", "a.md", "deep/er/c.md", ".hidden/d.md", ".e.md", "f.txt", "deep/G.MD"):
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(PAGE, encoding="utf-8")
    return root


def written(path):
    return sorted(str(each.relative_to(path)) for each in path.rglob("*") if each.is_file())


def test_directory(tree, tmp_path):
    out = tmp_path / "new" / "out"
    result = run("render", tree, "--output", out)
    assert (result.returncode, result.stdout, result.stderr) == (0, b"", b"")
    assert written(out) == ["a.html", "b.html", "deep/er/c.html"]
    assert (out / "a.html").read_bytes() == run("render", tree / "a.md").stdout
    assert run("render", tree, "--output", out).returncode == 0


def test_directory_beside_its_output(tree):
    assert run("render", ".", "--output", ".", cwd=tree).returncode == 0
    assert (tree / "deep/er/c.html").is_file()


def test_directory_with_problems(tree, tmp_path):
    (tree / "b.md").write_text(PAGE + "\n[7]\n", encoding="utf-8")
    result = run("render", tree, "--output", tmp_path / "out")
    assert result.returncode == 1
    assert result.stderr.decode().startswith(f"{tree / 'b.md'}:13:1: ")
    assert len(written(tmp_path / "out")) == 3


def test_one_bad_file_does_not_stop_the_others(tree, tmp_path):
    (tree / "a.md").write_bytes(b"fine \xff\n")
    result = run("render", tree, "--output", tmp_path / "out")
    assert "found byte 0xff at offset 5" in refused(result)
    assert written(tmp_path / "out") == ["b.html", "deep/er/c.html"]


def test_directory_without_pages(tmp_path):
    assert "no *.md below" in refused(run("render", tmp_path, "--output", tmp_path / "out"))
    assert not (tmp_path / "out").exists()


def test_directory_needs_output(tree):
    for more in ([], ["--output", "-"]):
        result = run("render", tree, *more)
        assert result.returncode == 2
        assert b"needs --output" in result.stderr


def test_clashes_are_found_before_anything_is_written(tree, tmp_path):
    out = tmp_path / "out"
    (out / "deep/er/c.html").mkdir(parents=True)
    assert "it is a directory" in refused(run("render", tree, "--output", out))
    assert written(out) == []


def test_a_page_where_a_directory_is_to_be(tree, tmp_path):
    (tree / "b.html").mkdir()
    (tree / "b.html" / "x.md").write_text(PAGE, encoding="utf-8")
    assert "is to be a file" in refused(run("render", tree, "--output", tmp_path / "out"))
    assert not (tmp_path / "out").exists()


def test_output_below_a_file(tree, tmp_path):
    (tmp_path / "file").write_text("x", encoding="utf-8")
    line = refused(run("render", tree, "--output", tmp_path / "file" / "out"))
    assert line.endswith("file is not a directory")


def test_shared_problems_are_said_once(tree, tmp_path):
    shared = tmp_path / "shared.yaml"
    shared.write_text("- https://a.example/\n- javascript:alert(1)\n", encoding="utf-8")
    result = run("render", tree, "--output", tmp_path / "out", "--sources-file", shared)
    assert result.returncode == 1
    (line,) = result.stderr.decode().splitlines()
    assert line.startswith(f"{shared}:2:3: ")


# Wrong use and a hostile world


def test_missing_file(tmp_path):
    assert refused(run("render", "none.md", cwd=tmp_path)) == (
        "mdit-citations: cannot read none.md: No such file or directory"
    )


def test_not_utf8(tmp_path):
    path = tmp_path / "latin.md"
    path.write_bytes(b"\xef\xbb\xbfcaf\xe9\n")
    found = "expected UTF-8, found byte 0xe9 at offset 6"
    assert refused(run("render", path)) == f"mdit-citations: cannot read {path}: {found}"
    found = "expected UTF-8, found byte 0xe9 at offset 3"
    line = refused(run("render", "-", stdin=b"caf\xe9"))
    assert line == f"mdit-citations: cannot read standard input: {found}"


@pytest.mark.parametrize(
    ("output", "reason"),
    [
        ("folder", "it is a directory"),
        ("none/page.html", "none does not exist"),
        ("page.md", "it is one of the inputs"),
        ("link.md", "it is one of the inputs"),
        ("page.md/x.html", "page.md is not a directory"),
    ],
)
def test_outputs_that_cannot_be(page, output, reason):
    (page.parent / "folder").mkdir()
    (page.parent / "link.md").symlink_to(page)
    line = refused(run("render", "page.md", "--output", output, cwd=page.parent))
    assert line == f"mdit-citations: cannot write {output}: {reason}"
    assert page.read_text(encoding="utf-8") == PAGE


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_full_disk(page):
    with Path("/dev/full").open("wb") as full:
        result = subprocess.run(
            [*COMMAND, "render", str(page)],
            stdout=full,
            stderr=subprocess.PIPE,
            env=ENVIRONMENT,
            timeout=60,
            check=False,
        )
    assert result.returncode == 2
    assert result.stderr.startswith(b"mdit-citations: cannot write standard output: No space left")
    assert b"Traceback" not in result.stderr
    line = refused(run("render", page, "--output", "/dev/full"))
    assert "No space left" in line


@pytest.mark.skipif(os.name != "posix", reason="needs file modes")
def test_files_are_replaced_whole(page, tmp_path):
    target = tmp_path / "page.html"
    run("render", page, "--output", target, preexec_fn=lambda: os.umask(0o022))
    assert target.stat().st_mode & 0o777 == 0o644
    target.chmod(0o600)
    before = target.stat().st_ino
    link = tmp_path / "link.html"
    link.symlink_to(target)
    assert run("render", page, "--output", link).returncode == 0
    assert link.is_symlink()
    assert target.stat().st_mode & 0o777 == 0o600
    assert target.stat().st_ino != before


@pytest.mark.skipif(os.name != "posix", reason="needs a shell")
def test_failed_write_leaves_nothing_behind(page, tmp_path):
    target = tmp_path / "out" / "page.html"
    target.parent.mkdir()
    target.write_text("old", encoding="utf-8")
    limited = ["sh", "-c", 'trap "" XFSZ; ulimit -f 1; exec "$@"', "sh", *COMMAND]
    result = subprocess.run(
        [*limited, "render", str(page), "--output", str(target)],
        capture_output=True,
        env={**ENVIRONMENT, "PYTHONDONTWRITEBYTECODE": "1"},
        timeout=60,
        check=False,
    )
    assert "cannot write" in refused(result)
    assert written(target.parent) == ["page.html"]
    assert target.read_text(encoding="utf-8") == "old"


@pytest.mark.skipif(os.name != "posix", reason="needs devices")
def test_devices_are_written_to_not_replaced(page):
    assert run("render", page, "--output", "/dev/null").returncode == 0
    assert not Path("/dev/null").is_file()


def test_output_minus_is_standard_output(page, tmp_path):
    result = run("render", page, "--output", "-", cwd=tmp_path)
    assert result.stdout == run("render", page).stdout
    assert not (tmp_path / "-").exists()


@pytest.mark.skipif(os.name != "posix", reason="needs pipes as POSIX has them")
def test_broken_pipe(page):
    reader, writer = os.pipe()
    os.close(reader)
    result = subprocess.run(
        [*COMMAND, "render", str(page)],
        stdout=writer,
        stderr=subprocess.PIPE,
        env=ENVIRONMENT,
        timeout=60,
        check=False,
    )
    os.close(writer)
    assert (result.returncode, result.stderr) == (141, b"")


@pytest.mark.skipif(os.name != "posix", reason="needs a shell")
@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-"])
def test_closed_streams(page, closed):
    script = f'exec "$@" {closed}'
    target = "-" if closed == "<&-" else str(page)
    result = subprocess.run(
        ["sh", "-c", script, "sh", *COMMAND, "render", target],
        capture_output=True,
        env=ENVIRONMENT,
        timeout=60,
        check=False,
    )
    assert b"Traceback" not in result.stderr
    assert result.returncode == (0 if closed == "2>&-" else 2)


@pytest.mark.skipif(os.name != "posix", reason="needs signals")
def test_interrupt():
    process = subprocess.Popen(
        [*COMMAND, "render", "-"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**ENVIRONMENT, "PYTHONUNBUFFERED": "1"},
        # A shell has its background jobs ignore the signal, and they hand that on.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),  # noqa: PLW1509 (no threads)
    )
    wchan = Path(f"/proc/{process.pid}/syscall")
    for _ in range(200):
        # Read 0 on descriptor 0: it waits for standard input.
        if wchan.exists() and wchan.read_text(encoding="ascii").startswith("0 0x0 "):
            break
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    stdout, stderr = process.communicate(timeout=60)
    assert process.returncode == 130
    assert (stdout, stderr.strip()) == (b"", b"")


def test_output_is_utf8_everywhere(tmp_path):
    path = tmp_path / "é.md"
    path.write_text("# Ünïcode ☃\n", encoding="utf-8")
    result = run(
        "render", path, env={"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONIOENCODING": "ascii"}
    )
    assert result.returncode == 0
    assert "Ünïcode ☃".encode() in result.stdout


# Options


def test_every_option_of_the_plugin_is_one_of_the_command():
    helped = run("render", "--help").stdout.decode()
    for field in fields(Options):
        if field.name != "sources":
            name = field.name.replace("_", "-")
            assert f"--{name} " in helped or f"--no-{name} " in helped


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["--list", "details"], "<details"),
        (["--list-title", "Quellen & mehr"], "Quellen &amp; mehr</h2>"),
        (["--list-level", "4"], "<h4 "),
        (["--list-level", "0"], '<p class="sources-title"'),
        (["--link-to", "list"], 'href="#cite_source_1"'),
        (["--superscript", "unicode"], ">¹</a>"),
        (["--id-prefix", "one"], 'id="fnref_one_cite_1"'),
        (["--labels", "de"], "Quellen</h2>"),
        (["--rel", "nofollow"], 'rel="nofollow"'),
        (["--target", "_blank"], 'target="_blank"'),
        (["--ranges"], "</a>"),
        (["--lenticular"], "</a>"),
        (["--no-inline"], "Text [1], and more[2]."),
        (["--no-front-matter"], "Text [1], and more[2]."),
        (["--key", "other"], "Text [1], and more[2]."),
        (["--streaming"], "</section>"),
        (["--back-links", "2"], 'role="doc-backlink"'),
    ],
)
def test_options(page, arguments, expected):
    result = run("render", page, "--fragment", *arguments)
    assert result.returncode == 0
    assert expected in result.stdout.decode()


def test_options_that_leave_out(page):
    assert b"<section" not in run("render", page, "--fragment", "--list", "none").stdout
    assert b"doc-backlink" not in run("render", page, "--fragment", "--back-links", "0").stdout


def test_sources_file(tmp_path):
    shared = tmp_path / "shared.json"
    shared.write_text('[{"title": "Shared", "url": "https://shared.example/"}]', encoding="utf-8")
    result = run("render", "-", "--sources-file", shared, stdin=b"Text[1].\n")
    assert result.returncode == 0
    assert b'href="https://shared.example/"' in result.stdout
    line = refused(run("render", "-", "--sources-file", tmp_path / "none", stdin=b""))
    assert line.endswith("none: No such file or directory")


@pytest.mark.parametrize(
    "arguments",
    [
        ["--list", "table"],
        ["--list-level", "7"],
        ["--back-links", "-1"],
        ["--labels", "klingon"],
        ["--rel", '"><script>'],
        ["--unknown"],
        ["--key", ""],
    ],
)
def test_wrong_values(arguments):
    result = run("render", "-", *arguments)
    assert result.returncode == 2
    assert result.stdout == b""
    assert b"Traceback" not in result.stderr
    assert result.stderr


@pytest.mark.parametrize(
    "arguments", [["nonsense"], ["render"], ["render", "a", "b"], ["--nonsense"]]
)
def test_wrong_use(arguments):
    result = run(*arguments)
    assert result.returncode == 2
    assert b"Usage: mdit-citations" in result.stderr
    assert b"Traceback" not in result.stderr


def test_help():
    for arguments in (["--help"], ["-h"], ["render", "--help"]):
        result = run(*arguments)
        assert result.returncode == 0
        assert result.stdout.startswith(b"Usage: mdit-citations")


# The rest


def test_without_the_extra(tmp_path):
    # A directory in place of site-packages, with all but click and rich in it.
    for folder in sys.path:
        if not folder.endswith("-packages"):
            continue
        for entry in Path(folder).iterdir():
            name = entry.name.split(".")[0]
            if name in ("yaml", "_yaml", "markdown_it", "mdit_py_plugins", "mdurl"):
                (tmp_path / entry.name).symlink_to(entry)
    (tmp_path / "mdit_citations").symlink_to(Path(mdit_citations.__file__).parent)
    result = subprocess.run(
        [sys.executable, "-S", "-c", PROGRAM, "render", "-"],
        capture_output=True,
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        timeout=60,
        check=False,
    )
    assert refused(result) == (
        'mdit-citations: the command line needs the "cli" extra: '
        "pip install 'mdit-citations[cli]'"
    )


@pytest.mark.skipif(os.name != "posix", reason="needs a terminal")
def test_progress_only_on_a_terminal(tree, tmp_path):
    pty = pytest.importorskip("pty")

    out = tmp_path / "out"
    forced = run("render", tree, "--output", out, env={"FORCE_COLOR": "1", "TTY_COMPATIBLE": "1"})
    assert forced.stderr == b""
    main, terminal = pty.openpty()
    process = subprocess.Popen(
        [*COMMAND, "render", str(tree), "--output", str(out)],
        stdout=subprocess.PIPE,
        stderr=terminal,
        env={**ENVIRONMENT, "TERM": "xterm"},
    )
    os.close(terminal)
    shown = b""
    while True:
        try:
            data = os.read(main, 4096)
        except OSError:
            break
        if not data:
            break
        shown += data
    os.close(main)
    stdout, _ = process.communicate(timeout=60)
    assert (process.returncode, stdout) == (0, b"")
    assert b"Rendering" in shown
    assert b"100%" in shown


def test_installed_command():
    scripts = [
        each for each in entry_points(group="console_scripts") if each.name == "mdit-citations"
    ]
    if not scripts:
        pytest.skip("the project is not installed")
    assert scripts[0].value == "mdit_citations.cli:main"
    program = Path(sys.executable).with_name("mdit-citations")
    result = subprocess.run([program, "--version"], capture_output=True, timeout=60, check=False)
    assert result.returncode == 0
    assert result.stdout.startswith(b"mdit-citations, version ")
