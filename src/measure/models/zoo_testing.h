#ifndef XSP_MEASURE_MODELS_ZOO_TESTING_H_
#define XSP_MEASURE_MODELS_ZOO_TESTING_H_

#include <gtest/gtest.h>
#include <stdlib.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "core/progress.h"

namespace xsp::models {

/// For tests: a zoo, a cache and a Python of their own. "Python" is a script that can import one
/// module, `toyframework`, and runs makers with the shell.
class ZooTesting : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = testing::TempDir() + "xsp-zoo-XXXXXX";
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
    setenv("XSP_HOME", (folder_ / "home").c_str(), 1);
    setenv("XSP_CACHE", (folder_ / "cache").c_str(), 1);
    setenv("XSP_PYTHON", (folder_ / "python").c_str(), 1);
    WritePython(folder_ / "python", "toyframework");
    Write(folder_ / "home/zoo/makers/toy.py",
          "# needs: toyframework\n# imports: model.py\ncat \"$1/model.py\" > \"$2\"\n");
    Write(folder_ / "home/zoo/makers/pair.py",
          "# needs: toyframework\nmkdir \"$2\" && echo a > \"$2/a\" && echo b > \"$2/b\"\n");
    AddZoo("small",
           "name: small\nfiles: {toy: {file: small.toy}, pair: {file: small}}\n"
           "inputs:\n  - {name: x, dtype: float32, shape: [batch, 3, 8]}\n",
           "weights\n");
  }
  void TearDown() override {
    for (const char* name : {"XSP_HOME", "XSP_CACHE", "XSP_PYTHON"}) unsetenv(name);
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }

  void AddZoo(const std::string& name, const std::string& manifest, const std::string& model) {
    Write(folder_ / "home/zoo" / name / "manifest.yaml", manifest);
    Write(folder_ / "home/zoo" / name / "model.py", model);
  }
  /// A Python that has `module` alone and notes each program that it runs; a broken one cannot
  /// import it.
  void WritePython(const std::filesystem::path& file, const std::string& module,
                   bool is_broken = false) {
    const std::string imports = is_broken ? "false" : "[ \"$2\" = 'import " + module + "' ]";
    const std::string runs =
        is_broken ? "echo 'ImportError: " + module + "' >&2; exit 1" : "exec sh \"$@\"";
    Write(file, "#!/bin/sh\nif [ \"$1\" = -c ]; then\n  case $2 in 'import '*) " + imports +
                    "; exit ;; esac\n  echo '{\"" + module +
                    "\": \"1\"}'; exit\nfi\necho \"$0 $@\" >> " + (folder_ / "calls").string() +
                    "\n" + runs + "\n");
    std::filesystem::permissions(file, std::filesystem::perms::owner_all);
  }
  static void Write(const std::filesystem::path& file, const std::string& text) {
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file) << text;
  }
  static std::string Read(const std::filesystem::path& file) {
    std::ifstream stream(file);
    return {std::istreambuf_iterator<char>(stream), {}};
  }
  /// Programs that were run.
  std::string Calls() const { return Read(folder_ / "calls"); }
  int CallCount() const {
    const std::string calls = Calls();
    return static_cast<int>(std::count(calls.begin(), calls.end(), '\n'));
  }
  /// Files below the cache.
  int CachedFiles() const {
    int count = 0;
    std::error_code error;
    for (const auto& entry :
         std::filesystem::recursive_directory_iterator(folder_ / "cache", error))
      count += entry.is_regular_file() ? 1 : 0;
    return count;
  }

  std::filesystem::path folder_;
  core::NoProgress progress_;
};

}  // namespace xsp::models

#endif  // XSP_MEASURE_MODELS_ZOO_TESTING_H_
