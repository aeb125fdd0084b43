#!/bin/sh
# Runs the test suite, from a fresh clone: sh tests/run.sh [pytest arguments]
# MDIT_CITATIONS_REQUIRE_ALL=1 makes a missing program a failure instead of a skip.
set -eu
cd "$(dirname "$0")/.."

usable() { "$1" -c 'import sys, ensurepip, venv; sys.exit(sys.version_info < (3, 10))' 2>/dev/null; }
find_python() {
  for minor in 19 18 17 16 15 14 13 12 11 10; do
    if usable "python3.$minor"; then echo "python3.$minor"; return; fi
  done
  echo python3
}
python=${PYTHON:-$(find_python)}
if ! usable "$python"; then
  echo "$0: needs Python 3.10 or newer with venv (on Debian: python3-venv); '$python' is not." >&2
  echo "Set PYTHON to its path where the shell does not find it." >&2
  exit 2
fi

# The environment is stale when the project's metadata or the interpreter changed.
stamp="$(cksum <pyproject.toml) $("$python" -VV)"
if [ "$(cat .venv-test/stamp 2>/dev/null)" != "$stamp" ] || ! .venv-test/bin/python -c '' 2>/dev/null
then
  echo "Setting up .venv-test with $("$python" -V) ..."
  "$python" -m venv --clear .venv-test
  .venv-test/bin/python -m pip install --quiet --upgrade pip # --group needs pip 25.1
  .venv-test/bin/python -m pip install --quiet --editable '.[all]' --group test
  echo "$stamp" >.venv-test/stamp
fi

status=0
.venv-test/bin/python -m pytest "$@" || status=$?
for program in chromium epubcheck latexmk lualatex node pdftotext xelatex; do
  command -v "$program" >/dev/null || { echo "Left out: tests that need $program."; missing=1; }
done
[ -n "${MDIT_CITATIONS_AXE:-}" ] || { echo "Left out: tests that need axe-core."; missing=1; }
[ -n "${MDIT_CITATIONS_SPEC:-}" ] || { echo "Left out: CommonMark's examples."; missing=1; }
[ -z "${missing:-}" ] || echo "On Debian, as root, 'bash .ci/run' installs what they need."
[ -z "${missing:-}" ] || [ -z "${MDIT_CITATIONS_REQUIRE_ALL:-}" ] || exit 1
exit "$status"
