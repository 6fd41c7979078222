#!/usr/bin/env bash
# Whether what this worker needs is here: exits with 0, or with 4 and a line that says what is
# missing. Looks where CMakeLists.txt looks.
for prefix in "${XSP_OPENCV_DIR:-}" /usr /usr/local; do
  for include in include/opencv4 include opencv4; do
    [ -n "$prefix" ] && [ -f "$prefix/$include/opencv2/dnn.hpp" ] && exit 0
  done
done
echo "no OpenCV with DNN headers found: the opencv worker is left out; workers/opencv/install.sh installs one" >&2
exit 4
