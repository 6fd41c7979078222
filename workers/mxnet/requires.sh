#!/usr/bin/env bash
# Whether what this worker needs is here: exits with 0, or with 4 and a line that says what is
# missing. With --print also writes the folder of the Python package mxnet that is used.
here=$(cd "$(dirname "$0")" && pwd)
active_python() {
  # find_spec: importing it takes seconds.
  "${XSP_PYTHON:-python3}" -c \
    "import importlib.util as u, os; print(os.path.dirname(u.find_spec('mxnet').origin))" 2>/dev/null
}
installed() { printf '%s\n' "$here"/../../.deps/mxnet/lib/python3*/site-packages/mxnet; }

for candidate in "${XSP_MXNET_DIR:-}" "$(active_python)" "$(installed)"; do
  [ -f "$candidate/include/mxnet/c_api.h" ] && [ -f "$candidate/libmxnet.so" ] || continue
  [ "${1:-}" != --print ] || (cd "$candidate" && pwd)
  exit 0
done
echo "no MXNet with C headers found: the mxnet worker is left out; workers/mxnet/install.sh installs one" >&2
exit 4
