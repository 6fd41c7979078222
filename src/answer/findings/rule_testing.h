#ifndef XSP_ANSWER_FINDINGS_RULE_TESTING_H_
#define XSP_ANSWER_FINDINGS_RULE_TESTING_H_

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "store/database.h"

namespace xsp::findings {

/// A finding.yaml that loads, for edits by tests.
inline const std::string kWorkingYaml =
    "title: A long layer\n"
    "needs: [layer]\n"
    "severity: notice\n"
    "rank: 50\n"
    "scope: point\n"
    "thresholds:\n"
    "  - {name: long_ns, value: 100, unit: ns, source: Chosen}\n"
    "columns:\n"
    "  - {name: name, unit: name, help: Layer}\n"
    "  - {name: latency_ns, unit: ns, help: Its latency}\n"
    "sentence: \"`{{name}}` takes {{latency_ns}}{{where}}.\"\n"
    "see: layers\n"
    "refuted_by: Nothing\n"
    "confidence: {value: 1, reason: Arithmetic}\n";

/// The key of finding.yaml for a gain.sql, which claims pieces of the call.
inline const std::string kGainYaml = "gain: {of: call, method: A formula, source: A book}\n";

/// A user's folder of rules, as `--findings DIR` names it, and an experiment of one point.
class UserRules : public testing::Test {
 protected:
  void SetUp() override {
    root_ = std::filesystem::temp_directory_path() / ("xsp_rules_" + std::to_string(getpid()));
    std::filesystem::remove_all(root_);
    Add("long_layer", kWorkingYaml);
  }
  void TearDown() override { std::filesystem::remove_all(root_); }

  void Add(const std::string& name, const std::string& yaml,
           const std::string& sql =
               "SELECT name, latency_ns FROM layer WHERE point_id = $point "
               "AND latency_ns >= $long_ns ORDER BY layer_index") {
    std::filesystem::create_directories(root_ / name);
    std::ofstream(root_ / name / "finding.yaml") << yaml;
    std::ofstream(root_ / name / "evidence.sql") << sql;
    std::ofstream(root_ / name / "README.md") << "Long.";
  }

  void AddGain(const std::string& name, const std::string& sql) {
    std::ofstream(root_ / name / "gain.sql") << sql;
  }

  static std::string Replaced(std::string text, const std::string& old, const std::string& by) {
    const auto at = text.find(old);
    EXPECT_NE(at, std::string::npos) << old;
    return at == std::string::npos ? text : text.replace(at, old.size(), by);
  }

  void Insert(const std::string& rows) {
    const auto done = database_.Query("INSERT INTO " + rows);
    ASSERT_TRUE(done.ok()) << done.error().what;
  }
  void InsertPoint() {
    Insert(
        "point (point_id, model, backend, device, precision, batch, settings, latency_ns, status) "
        "VALUES (1, 'm', 'PyTorch', 'cpu', 'float32', 8, '{}', 1000, 'done')");
  }
  void InsertLayer(int index, const std::string& name, int latency_ns) {
    Insert("layer (point_id, layer_index, name, type, latency_ns, matched) VALUES (1, " +
           std::to_string(index) + ", '" + name + "', 't', " + std::to_string(latency_ns) +
           ", 'all')");
  }

  std::filesystem::path root_;
  store::Database database_ = store::Database::OpenEmpty().value();
};

}  // namespace xsp::findings

#endif  // XSP_ANSWER_FINDINGS_RULE_TESTING_H_
