#!/usr/bin/env bash
# Whether what this worker needs is here: exits with 0, or with 4 and a line that says what is
# missing. With --print also writes the folder of the Python package tensorflow that is used.
here=$(cd "$(dirname "$0")" && pwd)
active_python() {
  # find_spec: importing tensorflow takes seconds.
  "${XSP_PYTHON:-python3}" -c \
    "import importlib.util as u, os; print(os.path.dirname(u.find_spec('tensorflow').origin))" 2>/dev/null
}
installed() { printf '%s\n' "$here"/../../.deps/tensorflow/lib/python3*/site-packages/tensorflow; }

for candidate in "${XSP_TENSORFLOW_DIR:-}" "$(active_python)" "$(installed)"; do
  [ -f "$candidate/include/tensorflow/c/c_api.h" ] || continue
  [ -f "$candidate/libtensorflow_cc.so.2" ] || continue
  [ "${1:-}" != --print ] || (cd "$candidate" && pwd)
  exit 0
done
echo "no TensorFlow 2 with C headers found: the tensorflow worker is left out; workers/tensorflow/install.sh installs one" >&2
exit 4
