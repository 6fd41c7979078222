#!/bin/sh
# Measures two commits on this machine and compares them under gates (docs/gates.md).
#
# Usage: gate.sh BASE_COMMIT         in the working tree of the other commit; `xsp` is on the PATH
# Exit status: that of `xsp compare`: 0 passed, 6 regression, 7 inconclusive; 1 if the base cannot be checked out.
# Writes gates.xml (JUnit) and gates.md (Markdown) into the working tree.
#
#   BUILD     builds the program in the current folder        (default: nothing)
#   MEASURE   measures it once, as the experiment "$NAME", in "$PROCESSES" processes
#             (default: xsp run model.onnx --processes "$PROCESSES" --name "$NAME")
#   GATES     the gates                                       (default: latency=3%,memory=5%)
#   OPTIONS   more options of `xsp compare`, such as --gate-noise 5%
#   PROCESSES of each commit at first; three times as many if that is inconclusive (default: 5)
#   XSP_STORE the store                                       (default: ./xsp-store)
set -eu

base_commit=${1:?usage: gate.sh BASE_COMMIT}
BUILD=${BUILD:-true}
MEASURE=${MEASURE:-'xsp run model.onnx --processes "$PROCESSES" --name "$NAME"'}
GATES=${GATES:-latency=3%,memory=5%}
PROCESSES=${PROCESSES:-5}
XSP_STORE=${XSP_STORE:-$PWD/xsp-store}
case $XSP_STORE in /*) ;; *) XSP_STORE=$PWD/$XSP_STORE ;; esac
export XSP_STORE PROCESSES

head=$PWD
base=$(mktemp -d)
trap 'git worktree remove --force "$base" >/dev/null 2>&1 || rm -rf "$base"' EXIT
git worktree add --detach "$base" "$base_commit" >/dev/null || exit 1

measure() (
  cd "$1"
  export NAME="$2"
  sh -c "$MEASURE"
)

compare_once() {
  id=$(date +%s)-$$-$PROCESSES
  # The two commits one after the other, on one machine: what differs is the program.
  measure "$base" "base-$id"
  measure "$head" "head-$id"
  xsp baseline set gate "base-$id"
  status=0
  # OPTIONS are words.
  # shellcheck disable=SC2086
  xsp compare --baseline gate "head-$id" --gate "$GATES" ${OPTIONS-} --junit gates.xml --format markdown --top 10 \
    > gates.md || status=$?
  if [ -s gates.md ]; then cat gates.md; fi
}

(cd "$base" && sh -c "$BUILD")
(cd "$head" && sh -c "$BUILD")
compare_once
if [ "$status" -eq 7 ]; then
  echo "inconclusive: measuring again, with $((3 * PROCESSES)) processes of each commit"
  PROCESSES=$((3 * PROCESSES))
  compare_once
fi
exit "$status"
