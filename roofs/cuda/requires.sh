#!/usr/bin/env bash
# Whether xsp-roofs-cuda can be built here: exits with 4 and says what is missing when not.
# With --print: writes the path of nvcc.
root=$(cd "$(dirname "$0")/../.." && pwd)
for nvcc in "${XSP_NVCC:-}" "$root"/.deps/cuda-compiler/lib/python*/site-packages/nvidia/cu*/bin/nvcc \
            /usr/local/cuda/bin/nvcc "$(command -v nvcc)"; do
  [ -n "$nvcc" ] && [ -x "$nvcc" ] || continue
  [ "$1" != --print ] || echo "$nvcc"
  exit 0
done
[ "$1" = --print ] || echo "GPU roofs left out: no nvcc (tools/setup --cuda-compiler, 340 MB)" >&2
exit 4
