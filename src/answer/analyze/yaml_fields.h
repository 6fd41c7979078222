#ifndef XSP_ANSWER_ANALYZE_YAML_FIELDS_H_
#define XSP_ANSWER_ANALYZE_YAML_FIELDS_H_

// Private to answer/analyze: how its data files are read.

#include <yaml-cpp/yaml.h>

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/result.h"

namespace xsp::analyze {

/// kBadInput: "WHAT: FILE:LINE". A mark without a line is line 1.
Error YamlError(const std::filesystem::path& file, const YAML::Mark& mark, std::string what,
                std::string_view hint);

/// Reads the keys of one YAML map and complains about the ones that nobody read. Every error is a
/// YamlError() with the hint of the constructor.
class YamlFields {
 public:
  /// `file` and `hint` are borrowed and must outlive the reader.
  YamlFields(const std::filesystem::path& file, const YAML::Node& node, std::string_view hint)
      : file_(file), node_(node), hint_(hint) {}

  /// Absent and not `required`: empty.
  Result<std::string> Text(const std::string& key, bool required = true);

  /// "true" or "false". Absent: false.
  Result<bool> Truth(const std::string& key);

  /// A text, or a list of texts. Absent: empty.
  Result<std::vector<std::string>> Texts(const std::string& key);

  /// A list with at least one item.
  Result<YAML::Node> List(const std::string& key);

  /// An error if the map has a key that was not asked for.
  Status NothingElse() const;

 private:
  Error Broken(const YAML::Mark& mark, std::string what) const {
    return YamlError(file_, mark, std::move(what), hint_);
  }

  const std::filesystem::path& file_;
  YAML::Node node_;
  std::string_view hint_;
  std::vector<std::string> known_;
};

}  // namespace xsp::analyze

#endif  // XSP_ANSWER_ANALYZE_YAML_FIELDS_H_
