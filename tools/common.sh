# Sourced by the tools: where things are, and how they speak. Not run by itself.
set -euo pipefail
ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
DEPS=$ROOT/.deps
# shellcheck source=tools/versions.env
source "$ROOT/tools/versions.env"

# Compiler calls are cached relative to the tree, so that another clone finds them too.
export CCACHE_BASEDIR=$ROOT CCACHE_NOHASHDIR=1
# What uv installs has no bytecode: the first import writes it, or each would take twice as long.
unset PYTHONDONTWRITEBYTECODE

say() { printf '\033[1m==>\033[0m %s\n' "$*" >&2; }
fail() { printf 'error: %s\n' "$1" >&2; [ -z "${2:-}" ] || printf 'hint: %s\n' "$2" >&2; exit "${3:-5}"; }

# Runs a command quietly; shows the end of its output only when it fails.
quietly() {
  local log=$DEPS/logs/$1.log; shift
  mkdir -p "$DEPS/logs"
  "$@" >"$log" 2>&1 || { tail -n 40 "$log" >&2; fail "failed: $*" "the whole log: $log"; }
}

# need_room GB WHAT: ends with what to do where less disk is free than WHAT takes: installers and compilers say it badly.
has_room() { [ "$(df --output=avail -B1000000 "$ROOT" | tail -n 1)" -ge $(( $1 * 1000 )) ]; }
need_room() {
  has_room "$1" || fail "too little disk for $2: $(df --output=avail -h "$ROOT" | tail -n 1 | tr -d ' ') free, about $1 GB are needed" \
    "free some on the disk of $ROOT"
}

# What tools/setup found: XSP_PYTHON (a Python with PyTorch 2), XSP_TORCH_DIR, and node on the PATH.
load_environment() {
  [ -f "$DEPS/environment" ] || fail "not set up" "run tools/setup" 4
  # shellcheck disable=SC1091
  source "$DEPS/environment"
}

# uv itself, below .deps/uv; fails where it cannot be had.
install_uv() {
  [ "$(cat "$DEPS/uv/VERSION" 2>/dev/null)" != "$UV_VERSION" ] || return 0
  rm -rf "$DEPS/uv"
  { python3 -m venv "$DEPS/uv" && "$DEPS/uv/bin/python" -m pip install -q --disable-pip-version-check --no-cache-dir "uv==$UV_VERSION"; } \
    >/dev/null 2>&1 || return 1
  echo "$UV_VERSION" > "$DEPS/uv/VERSION"
}

# pip_install LOG PYTHON ARGUMENT...: does what `PYTHON -m pip install ARGUMENT...` does, by uv, in a third of the CPU time; by
# pip where pip is told to look elsewhere than on PyPI, where uv cannot be had, or where uv fails.
pip_install() {
  local log=$1 python=$2 folder; shift 2
  if ! "$python" -m pip config list 2>/dev/null | grep -qE 'index-url|no-index|proxy' && install_uv; then
    folder=$(mktemp -d "$DEPS/unpack.XXXXXX")  # On the disk of the environments, whose files are then links.
    if SSL_CERT_FILE=${SSL_CERT_FILE:-${PIP_CERT:-/etc/ssl/certs/ca-certificates.crt}} \
        "$DEPS/uv/bin/uv" pip install --cache-dir "$folder" --python "$python" "$@" >"$folder/log" 2>&1; then
      rm -rf "$folder"
      return
    fi
    rm -rf "$folder"
  fi
  quietly "$log" "$python" -m pip install --disable-pip-version-check --no-cache-dir "$@"
}

# check_import LOG PYTHON MODULES: fails where PYTHON cannot import them. Later imports find their bytecode.
check_import() { quietly "$1" "$2" -c "import $3"; }

# sha256 FILE SUM: whether FILE has that checksum.
has_sha256() { [ -f "$1" ] && [ "$(sha256sum "$1" | cut -d' ' -f1)" = "$2" ]; }

# unpack_from_npm PACKAGE VERSION MEMBER TARGET [SHA256]: takes one file out of an npm package.
unpack_from_npm() {
  local package=$1 version=$2 member=$3 target=$4 sum=${5:-}
  [ -n "$sum" ] && has_sha256 "$target" "$sum" && return
  [ -z "$sum" ] && [ -f "$target" ] && return
  say "fetching $package $version"
  local folder; folder=$(mktemp -d "$DEPS/unpack.XXXXXX")
  (cd "$folder" && npm pack --silent "$package@$version" >/dev/null && tar xzf ./*.tgz "package/$member") \
    || fail "cannot fetch $package $version" "check that the npm registry is reachable"
  [ -z "$sum" ] || has_sha256 "$folder/package/$member" "$sum" \
    || fail "wrong checksum: $package $version $member" "tools/versions.env says $sum"
  mkdir -p "$(dirname "$target")"
  mv "$folder/package/$member" "$target"
  rm -rf "$folder"
}
