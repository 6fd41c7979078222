#include "answer/analyze/yaml_fields.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

#include "core/nearest_word.h"

namespace xsp::analyze {

namespace fs = std::filesystem;

Error BrokenYaml(const fs::path& file, const YAML::Mark& mark, const std::string& what,
                 std::string hint) {
  // yaml-cpp counts lines from 0; -1 stands for a node that is not in the file.
  return {ErrorKind::kBadInput,
          fmt::format("{}: {}:{}", what, file.string(), std::max(mark.line, 0) + 1),
          std::move(hint)};
}

YAML::Node YamlFields::Ask(const std::string& key) {
  known_.push_back(key);
  return std::as_const(node_)[key];
}

Error YamlFields::Broken(const std::string& key, const std::string& what) const {
  const YAML::Node value = node_[key];
  return BrokenYaml(file_, value.IsDefined() ? value.Mark() : node_.Mark(), what, hint_);
}

Result<std::string> YamlFields::Text(const std::string& key, bool required) {
  const YAML::Node value = Ask(key);
  if (!value.IsDefined()) {
    if (!required) return std::string();
    return Broken(key, fmt::format("'{}' is missing", key));
  }
  if (!value.IsScalar()) return Broken(key, fmt::format("'{}' is not a text", key));
  return value.Scalar();
}

Result<bool> YamlFields::Truth(const std::string& key, bool otherwise) {
  XSP_TRY(const std::string text, Text(key, false));
  if (text.empty()) return otherwise;
  if (text == "true" || text == "false") return text == "true";
  return Broken(key, fmt::format("'{}' is neither true nor false: {}", key, text));
}

Result<double> YamlFields::Number(const std::string& key) {
  XSP_TRY(const std::string text, Text(key));
  double number = 0;
  if (!YAML::convert<double>::decode(YAML::Node(text), number) || !std::isfinite(number))
    return Broken(key, fmt::format("'{}' is not a number: {}", key, text));
  return number;
}

Result<std::vector<std::string>> YamlFields::Texts(const std::string& key) {
  const YAML::Node value = Ask(key);
  std::vector<std::string> texts;
  if (!value.IsDefined()) return texts;
  if (value.IsScalar()) return std::vector<std::string>{value.Scalar()};
  if (!value.IsSequence()) return Broken(key, fmt::format("'{}' is not a list", key));
  for (const YAML::Node& item : value) {
    if (!item.IsScalar()) {
      return BrokenYaml(file_, item.Mark(), fmt::format("'{}' has an item that is no text", key),
                        hint_);
    }
    texts.push_back(item.Scalar());
  }
  return texts;
}

Result<YAML::Node> YamlFields::List(const std::string& key, bool required) {
  const YAML::Node value = Ask(key);
  if (!value.IsDefined() && !required) return YAML::Node(YAML::NodeType::Sequence);
  if (!value.IsDefined() || !value.IsSequence() || value.size() == 0)
    return Broken(key, fmt::format("'{}' is not a list with items", key));
  return value;
}

Result<YAML::Node> YamlFields::Map(const std::string& key) {
  const YAML::Node value = Ask(key);
  if (!value.IsDefined() || !value.IsMap())
    return Broken(key, fmt::format("'{}' is not a map", key));
  return value;
}

Status YamlFields::NothingElse() const {
  for (const auto& entry : node_) {
    const std::string key = entry.first.IsScalar() ? entry.first.Scalar() : "";
    if (std::find(known_.begin(), known_.end(), key) != known_.end()) continue;
    const std::vector<std::string_view> words(known_.begin(), known_.end());
    const std::string_view meant = core::NearestWord(key, words);
    return BrokenYaml(file_, entry.first.Mark(),
                      fmt::format("'{}' is not one of {}", key, fmt::join(known_, ", ")),
                      meant.empty() ? hint_ : fmt::format("Did you mean {}? {}", meant, hint_));
  }
  return Ok{};
}

}  // namespace xsp::analyze
