#ifndef XSP_ANSWER_ANALYZE_YAML_FIELDS_H_
#define XSP_ANSWER_ANALYZE_YAML_FIELDS_H_

#include <yaml-cpp/yaml.h>

#include <filesystem>
#include <string>
#include <vector>

#include "core/result.h"

namespace xsp::analyze {

/// kBadInput: `what`, then the file and the line of `mark`; `hint` as it is.
Error BrokenYaml(const std::filesystem::path& file, const YAML::Mark& mark, const std::string& what,
                 std::string hint);

/// Reads the keys of one YAML map and complains about the ones that nobody read. Every error names
/// the file and the line and carries `hint`, which says where the format is described.
class YamlFields {
 public:
  /// `node` is a map.
  YamlFields(std::filesystem::path file, const YAML::Node& node, std::string hint)
      : file_(std::move(file)), node_(node), hint_(std::move(hint)) {}

  /// Absent and not required: empty.
  Result<std::string> Text(const std::string& key, bool required = true);
  /// Absent: `otherwise`.
  Result<bool> Truth(const std::string& key, bool otherwise);
  Result<double> Number(const std::string& key);
  /// A text, or a list of texts. Absent: empty.
  Result<std::vector<std::string>> Texts(const std::string& key);
  /// A list with items. Absent and not required: an empty list.
  Result<YAML::Node> List(const std::string& key, bool required = true);
  /// A map with keys.
  Result<YAML::Node> Map(const std::string& key);

  /// An error where the map has a key that was not asked for; the hint names the nearest known one.
  Status NothingElse() const;

  /// An error about the value of `key`, or about the map where it has none.
  Error Broken(const std::string& key, const std::string& what) const;

 private:
  YAML::Node Ask(const std::string& key);

  std::filesystem::path file_;
  YAML::Node node_;
  std::string hint_;
  std::vector<std::string> known_;
};

}  // namespace xsp::analyze

#endif  // XSP_ANSWER_ANALYZE_YAML_FIELDS_H_
