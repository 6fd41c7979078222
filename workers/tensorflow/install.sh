#!/usr/bin/env bash
# Installs TensorFlow in the version of versions.env below .deps/tensorflow, a Python environment
# whose `tensorflow` folder has the C headers and libraries (1.7 GB). Idempotent.
# shellcheck source=tools/common.sh
source "$(dirname "$0")/../../tools/common.sh"
# shellcheck source=workers/tensorflow/versions.env
source "$(dirname "$0")/versions.env"

target=$DEPS/tensorflow
wanted="tensorflow-cpu==$TENSORFLOW_VERSION onnx==$TENSORFLOW_ONNX_VERSION PyYAML==$TENSORFLOW_PYYAML_VERSION"
# Written when all of it was there: what was cut off is made anew.
[ "$(cat "$target/installed" 2>/dev/null)" = "$wanted" ] && exit 0

say "installing TensorFlow $TENSORFLOW_VERSION below .deps/tensorflow (1.7 GB, about a minute)"
rm -rf "$target"
python3 -m venv "$target" || fail "cannot make a Python environment" "install python3-venv"
# shellcheck disable=SC2086
pip_install tensorflow "$target/bin/python" $wanted
check_import tensorflow "$target/bin/python" tensorflow
ls "$target"/lib/python3*/site-packages/tensorflow/include/tensorflow/c/c_api.h >/dev/null 2>&1 \
  || fail "TensorFlow was installed but its C headers are not there" "try another TENSORFLOW_VERSION in workers/tensorflow/versions.env"
printf '%s\n' "$wanted" > "$target/installed"
