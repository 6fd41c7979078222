#!/usr/bin/env bash
# Installs MXNet in the version of versions.env below .deps/mxnet, a Python environment whose
# `mxnet` folder has the C headers and the library. Idempotent.
# shellcheck source=tools/common.sh
source "$(dirname "$0")/../../tools/common.sh"
# shellcheck source=workers/mxnet/versions.env
source "$(dirname "$0")/versions.env"

target=$DEPS/mxnet
wanted="mxnet==$MXNET_VERSION numpy==$MXNET_NUMPY_VERSION onnx==$MXNET_ONNX_VERSION"
wanted="$wanted ml_dtypes==$MXNET_ML_DTYPES_VERSION PyYAML==$MXNET_PYYAML_VERSION"
# Written when all of it was there: what was cut off is made anew.
[ "$(cat "$target/installed" 2>/dev/null)" = "$wanted" ] && exit 0

say "installing MXNet $MXNET_VERSION below .deps/mxnet (300 MB, half a minute)"
rm -rf "$target"
python3 -m venv "$target" || fail "cannot make a Python environment" "install python3-venv"
# shellcheck disable=SC2086
pip_install mxnet "$target/bin/python" $wanted
check_import mxnet "$target/bin/python" mxnet
ls "$target"/lib/python3*/site-packages/mxnet/include/mxnet/c_api.h >/dev/null 2>&1 \
  || fail "MXNet was installed but its C headers are not there" "try another MXNET_VERSION in workers/mxnet/versions.env"
printf '%s\n' "$wanted" > "$target/installed"
