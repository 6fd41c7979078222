#!/usr/bin/env bash
# Installs ONNX Runtime below .deps/onnxruntime: the library out of its Python wheel, the C header out
# of Debian 13's libonnxruntime-dev. Nothing else of the machine changes; a second run does nothing.
source "$(dirname "$0")/../../tools/common.sh"
# shellcheck source=workers/onnxruntime/versions.env
source "$ROOT/workers/onnxruntime/versions.env"
target=$DEPS/onnxruntime
[ "$(cat "$target/VERSION" 2>/dev/null)" != "$ONNXRUNTIME_VERSION" ] || exit 0
python=${XSP_PYTHON:-}
[ -n "$python" ] || { [ -f "$DEPS/environment" ] && load_environment && python=$XSP_PYTHON; }
"${python:=python3}" -m pip --version >/dev/null 2>&1 ||
  fail "no pip, which fetches ONNX Runtime: $python" "run tools/setup, or set XSP_PYTHON to a Python with pip" 4
command -v apt-get >/dev/null && command -v dpkg-deb >/dev/null ||
  fail "no apt-get, which fetches the header of ONNX Runtime" \
    "unpack a release of ONNX Runtime, with its header, and set XSP_ONNXRUNTIME_DIR to that folder" 4

# The Debian archive that this machine uses already; the header is of another suite of it.
debian_archive() {
  local archive
  archive=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Origin: Debian' 'Label: Debian' | head -n 1)
  # Before the first `apt-get update` nothing is known of the sources but what they say.
  [ -n "$archive" ] || archive=$(cat /etc/apt/sources.list /etc/apt/sources.list.d/*.sources /etc/apt/sources.list.d/*.list 2>/dev/null |
    grep -oE 'https?://[^ ]+/debian/?( |$)' | head -n 1)
  echo "${archive%% }"
}

# fetch_header TARGET: takes the package from the other suite with a package state of its own, so that
# the machine's stays as it is.
fetch_header() {
  local archive state options key
  archive=$(debian_archive)
  [ -n "$archive" ] || fail "no Debian archive among the sources of apt" \
    "unpack a release of ONNX Runtime, with its header, and set XSP_ONNXRUNTIME_DIR to that folder" 4
  state=$(mktemp -d "$DEPS/apt.XXXXXX")
  # apt gives up its rights to fetch: the folder must be open to it.
  chmod 755 "$state"
  mkdir -p "$state/lists/partial" "$state/cache/archives/partial"
  key=/usr/share/keyrings/debian-archive-keyring.gpg
  echo "deb [signed-by=$key] $archive $ONNXRUNTIME_HEADER_SUITE main" >"$state/sources.list"
  options=(-o "Dir::State=$state" -o Dir::State::status=/dev/null -o "Dir::Cache=$state/cache" -o Acquire::Languages=none
    -o "Dir::Etc::sourcelist=$state/sources.list" -o Dir::Etc::sourceparts=- -o APT::Sandbox::User=)
  quietly onnxruntime-apt apt-get "${options[@]}" update
  (cd "$state" && quietly onnxruntime-header apt-get "${options[@]}" download libonnxruntime-dev && dpkg-deb -x ./*.deb unpacked)
  mkdir -p "$1"
  mv "$state/unpacked/usr/include/onnxruntime/onnxruntime_c_api.h" "$1/"
  rm -rf "$state"
  has_sha256 "$1/onnxruntime_c_api.h" "$ONNXRUNTIME_HEADER_SHA256" ||
    fail "wrong checksum: onnxruntime_c_api.h of $ONNXRUNTIME_HEADER_SUITE" "workers/onnxruntime/versions.env says $ONNXRUNTIME_HEADER_SHA256"
}

say "installing ONNX Runtime $ONNXRUNTIME_VERSION into .deps/onnxruntime (65 MB)"
rm -rf "$target.new"
# Only the package's own files: NumPy, which its Python half needs, is of no use here.
pip_install onnxruntime "$python" --no-deps --target "$target.new" "onnxruntime==$ONNXRUNTIME_VERSION"
fetch_header "$target.new/include"
echo "$ONNXRUNTIME_VERSION" >"$target.new/VERSION"
rm -rf "$target"
mv "$target.new" "$target"
