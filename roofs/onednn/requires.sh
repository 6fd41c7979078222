#!/usr/bin/env bash
# Whether xsp-onednn-alternatives can be built here: exits with 4 and says what is missing when not.
# With --print: writes the folder that has include/oneapi/dnnl/dnnl.hpp and lib/libdnnl.so of oneDNN 3.
root=$(cd "$(dirname "$0")/../.." && pwd)
for folder in "${XSP_ONEDNN:-}" "$root/.deps/onednn" /usr/local /usr; do
  [ -n "$folder" ] && [ -f "$folder/include/oneapi/dnnl/dnnl.hpp" ] || continue
  grep -q 'define DNNL_VERSION_MAJOR 3' "$folder/include/oneapi/dnnl/dnnl_version.h" || continue
  [ "$1" != --print ] || echo "$folder"
  exit 0
done
[ "$1" = --print ] || echo "alternatives of oneDNN primitives left out: no oneDNN 3 (tools/setup --onednn, 39 MB)" >&2
exit 4
