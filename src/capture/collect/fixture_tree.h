#ifndef XSP_CAPTURE_COLLECT_FIXTURE_TREE_H_
#define XSP_CAPTURE_COLLECT_FIXTURE_TREE_H_

// For tests: a machine made of files, and a look at the facts that a collector found in it.

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "capture/collect/collector.h"

namespace xsp::collect {

/// A folder of files that is removed with it.
class FixtureTree {
 public:
  FixtureTree(std::initializer_list<std::pair<const char*, const char*>> files)
      : root_(std::filesystem::temp_directory_path() /
              ("xsp-tree-" + std::to_string(getpid()) + "-" + std::to_string(Next()))) {
    std::filesystem::remove_all(root_);
    std::filesystem::create_directories(root_);
    for (const auto& [path, text] : files) Write(path, text);
  }
  ~FixtureTree() {
    std::error_code error;
    std::filesystem::remove_all(root_, error);
  }
  FixtureTree(const FixtureTree&) = delete;
  FixtureTree& operator=(const FixtureTree&) = delete;

  void Write(const std::filesystem::path& path, std::string_view text) const {
    std::filesystem::create_directories((root_ / path).parent_path());
    std::ofstream(root_ / path) << text;
  }
  /// A symbolic link at `path`, as /sys has many; what it points to need not be there.
  void Link(const std::filesystem::path& path, const std::filesystem::path& target) const {
    std::filesystem::create_directories((root_ / path).parent_path());
    std::filesystem::create_symlink(target, root_ / path);
  }
  const std::filesystem::path& root() const { return root_; }

 private:
  static int Next() {
    static int count = 0;
    return count++;
  }
  std::filesystem::path root_;
};

/// The fact `key`; one with key "(none)" when there is none, so that a test fails and says so.
inline Fact FactOf(const std::vector<Fact>& facts, std::string_view key) {
  for (const Fact& fact : facts) {
    if (fact.key == key) return fact;
  }
  return {"(none)", "(no such fact)", ""};
}

inline std::string ValueOf(const std::vector<Fact>& facts, std::string_view key) {
  return FactOf(facts, key).value;
}

/// Keys that are empty without a reason, or not under `prefix`: must be none.
inline std::vector<std::string> BadFacts(const std::vector<Fact>& facts,
                                         const std::string& prefix) {
  std::vector<std::string> bad;
  for (const Fact& fact : facts) {
    const bool hidden_without_reason = fact.value.empty() && fact.why.empty();
    if (hidden_without_reason || !fact.key.starts_with(prefix + ".")) bad.push_back(fact.key);
  }
  return bad;
}

}  // namespace xsp::collect

#endif  // XSP_CAPTURE_COLLECT_FIXTURE_TREE_H_
