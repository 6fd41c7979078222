#!/usr/bin/env bash
# Installs OpenCV's DNN module with its headers: the smallest Debian package that has both. It is a
# system package, so this needs root; a second run does nothing.
source "$(dirname "$0")/../../tools/common.sh"
# shellcheck source=workers/opencv/versions.env
source "$ROOT/workers/opencv/versions.env"
if dpkg-query -W -f '${Status}' "$OPENCV_PACKAGE" 2>/dev/null | grep -q 'ok installed'; then exit 0; fi
command -v apt-get >/dev/null || fail "no apt-get, which installs OpenCV here" \
  "install OpenCV 4.5 or later with its DNN module and headers, and give its folder as XSP_OPENCV_DIR" 4
[ "$(id -u)" = 0 ] || fail "missing Debian package: $OPENCV_PACKAGE" "apt-get install $OPENCV_PACKAGE  (as root)" 4
say "installing the Debian package $OPENCV_PACKAGE (11 MB)"
quietly apt-update apt-get update
DEBIAN_FRONTEND=noninteractive quietly opencv apt-get install -y --no-install-recommends "$OPENCV_PACKAGE"
