#!/usr/bin/env bash
# Installs OpenVINO below .deps/openvino: headers, libraries and CMake package are in its Python
# wheel. Nothing else of the machine changes; a second run does nothing.
source "$(dirname "$0")/../../tools/common.sh"
# shellcheck source=workers/openvino/versions.env
source "$ROOT/workers/openvino/versions.env"
target=$DEPS/openvino
[ "$(cat "$target/VERSION" 2>/dev/null)" != "$OPENVINO_VERSION" ] || exit 0
python=${XSP_PYTHON:-}
[ -n "$python" ] || { [ -f "$DEPS/environment" ] && load_environment && python=$XSP_PYTHON; }
"${python:=python3}" -m pip --version >/dev/null 2>&1 ||
  fail "no pip, which fetches OpenVINO: $python" "run tools/setup, or set XSP_PYTHON to a Python with pip" 4
say "installing OpenVINO $OPENVINO_VERSION into .deps/openvino (60 MB)"
rm -rf "$target.new"
# Only the package's own files: NumPy, which its Python half needs, is of no use here.
pip_install openvino "$python" --no-deps --target "$target.new" "openvino==$OPENVINO_VERSION"
echo "$OPENVINO_VERSION" >"$target.new/VERSION"
rm -rf "$target"
mv "$target.new" "$target"
