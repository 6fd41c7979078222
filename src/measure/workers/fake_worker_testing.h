#ifndef XSP_MEASURE_WORKERS_FAKE_WORKER_TESTING_H_
#define XSP_MEASURE_WORKERS_FAKE_WORKER_TESTING_H_

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace xsp::workers {

/// A folder of one test, and in it a worker that is a shell script: it speaks the control protocol,
/// and does what the words in its model file say, one a line, to be tried against:
///   at-load WORD | at-run WORD   with WORD crash, hang, garbage, error, quit, killed,
///                                crowd (from then on a loop is on the same core), or
///                                spin (about two seconds on a core shared with one loop)
///   at-again WORD                when the model is loaded anew
///   rung RUNG WORD               misbehaves at run in that rung only
/// Each line that it obeys is appended to `log` as "RUNG: LINE".
class FakeWorker : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = testing::TempDir() + "xsp-fake-XXXXXX";
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
    program_ = folder_ / "xsp-worker-fake";
    log_ = folder_ / "log";
    Write(program_, Script());
    std::filesystem::permissions(program_, std::filesystem::perms::owner_all);
    setenv("XSP_WORKER_PATH", folder_.c_str(), 1);
  }
  void TearDown() override {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
    unsetenv("XSP_WORKER_PATH");
  }

  static void Write(const std::filesystem::path& file, const std::string& text) {
    std::ofstream(file) << text;
  }
  static std::string Read(const std::filesystem::path& file) {
    std::ifstream stream(file);
    return std::string(std::istreambuf_iterator<char>(stream), {});
  }
  std::filesystem::path ModelThat(const std::string& words) {
    const std::filesystem::path model = folder_ / "model.fake";
    Write(model, words + "\n");
    return model;
  }

  std::filesystem::path folder_, program_, log_;

 private:
  std::string Script() const {
    return R"(#!/bin/sh
if [ "$1" = describe ]; then
  echo '{"worker": "fake", "protocol": 1, "framework": {"name": "Fake", "version": "1.2"},
  "models": [{"format": "fake", "extensions": [".fake"]}], "devices": ["cpu"], "graphs": ["eager"],
  "precisions": ["default"], "rungs": ["model", "layer", "kernel", "details"]}'
  exit 0
fi
value() { sed -n "s/.*\"$1\": *\"\([^\"]*\)\".*/\1/p" "$job" | head -1; }
job=$3
rung=$(value rung)
model=$(value path)
do_word() {
  case $1 in
    crash) echo "segmentation fault" >&2; kill -SEGV $$ ;;
    hang) sleep 1000 ;;
    crowd)
      taskset -cp $(taskset -cp $$ | sed 's/.*: *\([0-9]*\).*/\1/') $$ > /dev/null
      while kill -0 $$; do :; done > /dev/null 2>&1 & ;;
    spin)
      i=0
      while [ $i -lt 1000000 ]; do i=$((i + 1)); done
      kill $! ;;
    garbage) echo "hello, I am a framework" ;;
    error) echo '{"event":"error","kind":"bad_input","what":"not a model","hint":"give one"}'; exit 3 ;;
    quit) exit 7 ;;
    killed) kill -KILL $$ ;;
  esac
}
at_run=$(sed -n -e 's/^at-run //p' -e "s/^rung $rung //p" "$model")
for word in $(sed -n 's/^at-load //p' "$model"); do do_word $word; done
echo "recording of $rung" > "$5"
echo '{"event":"ready","warmup":20,"settled":true}'
while read -r line; do
  echo "$rung: $line" >> )" +
           log_.string() +
           R"(
  if [ "$line" = stop ]; then exit 0; fi
  if [ "$line" = load ]; then
    for word in $(sed -n 's/^at-again //p' "$model"); do do_word $word; done
    echo '{"event":"ready","warmup":40,"settled":true}'
    continue
  fi
  for word in $at_run; do do_word $word; done
  set -- $line
  echo "{\"event\":\"done\",\"iterations\":$2}"
done
)";
  }
};

}  // namespace xsp::workers

#endif  // XSP_MEASURE_WORKERS_FAKE_WORKER_TESTING_H_
