#!/usr/bin/env bash
# Whether what this worker needs is here: exits with 0, or with 4 and a line that says what is
# missing. Looks where CMakeLists.txt looks.
folder=$(cd "$(dirname "$0")" && pwd)
package=$("${XSP_PYTHON:-python3}" -c \
  "import importlib.util as u, os; print(os.path.dirname(u.find_spec('onnxruntime').origin))" 2>/dev/null)
library=""
for place in "${XSP_ONNXRUNTIME_DIR:-/nonexistent}" "${package:-/nonexistent}" /usr/local /usr \
             "$folder/../../.deps/onnxruntime/onnxruntime"; do
  for file in "$place"/capi/libonnxruntime.so* "$place"/lib/libonnxruntime.so* "$place"/lib/*/libonnxruntime.so*; do
    [ ! -e "$file" ] || library=$file
  done
  [ -z "$library" ] || break
done
header=""
for place in "${XSP_ONNXRUNTIME_DIR:-/nonexistent}"/include{,/onnxruntime,/onnxruntime/core/session} \
             /usr{/local,}/include/onnxruntime{,/core/session} "$folder/../../.deps/onnxruntime/include"; do
  [ ! -f "$place/onnxruntime_c_api.h" ] || { header=$place; break; }
done
[ -n "$library" ] && [ -n "$header" ] && exit 0
echo "no ONNX Runtime found: the onnxruntime worker is left out; workers/onnxruntime/install.sh installs it" >&2
exit 4
