#!/bin/sh
# Renders the pages beside this file, from a fresh clone: sh examples/run.sh
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
if [ "$(cat .venv/stamp 2>/dev/null)" != "$stamp" ] || ! .venv/bin/python -c '' 2>/dev/null; then
  echo "Setting up .venv with $("$python" -V) ..."
  "$python" -m venv --clear .venv
  .venv/bin/python -m pip install --quiet --upgrade pip
  .venv/bin/python -m pip install --quiet --editable '.[cli]'
  echo "$stamp" >.venv/stamp
fi

echo "hostile.md has problems on purpose, to show how they are reported:"
echo
# Status 1 says that problems were found, and hostile.md is full of them.
.venv/bin/mdit-citations render examples --output build/examples --cards --provenance || [ $? -eq 1 ]
echo
echo "Open in a browser, this one first:"
echo "  $PWD/build/examples/answer.html"
echo "and then:"
for page in build/examples/*.html; do
  [ "$page" = build/examples/answer.html ] || echo "  $PWD/$page"
done
