#!/usr/bin/env bash
# Whether what this worker needs is here: exits with 0, or with 4 and a line that says what is
# missing. Looks where CMakeLists.txt looks.
[ -n "${OpenVINO_DIR:-}" ] && exit 0
root=$(cd "$(dirname "$0")/../.." && pwd)
active=$("${XSP_PYTHON:-python3}" -c \
  "import importlib.util as u, os; print(os.path.dirname(u.find_spec('openvino').origin))" 2>/dev/null)
for folder in "${XSP_OPENVINO_DIR:-}" "$active" "$root/.deps/openvino/openvino" /usr/lib /usr/local/lib; do
  for config in "$folder"/cmake/OpenVINOConfig.cmake "$folder"/runtime/cmake/OpenVINOConfig.cmake \
                "$folder"/cmake/openvino*/OpenVINOConfig.cmake; do
    [ -n "$folder" ] && [ -f "$config" ] && exit 0
  done
done
echo "no OpenVINO found: the openvino worker is left out; workers/openvino/install.sh installs one" >&2
exit 4
