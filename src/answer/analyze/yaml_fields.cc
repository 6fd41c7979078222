#include "answer/analyze/yaml_fields.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace xsp::analyze {

Error YamlError(const std::filesystem::path& file, const YAML::Mark& mark, std::string what,
                std::string_view hint) {
  // yaml-cpp counts lines from 0; -1 stands for a node that is not in the file.
  return {ErrorKind::kBadInput,
          fmt::format("{}: {}:{}", what, file.string(), std::max(mark.line, 0) + 1),
          std::string(hint)};
}

Result<std::string> YamlFields::Text(const std::string& key, bool required) {
  known_.push_back(key);
  const YAML::Node value = node_[key];
  if (!value.IsDefined()) {
    if (!required) return std::string();
    return Broken(node_.Mark(), fmt::format("'{}' is missing", key));
  }
  if (!value.IsScalar()) return Broken(value.Mark(), fmt::format("'{}' is not a text", key));
  return value.Scalar();
}

Result<bool> YamlFields::Truth(const std::string& key) {
  XSP_TRY(const std::string text, Text(key, false));
  if (!text.empty() && text != "true" && text != "false") {
    return Broken(node_[key].Mark(), fmt::format("'{}' is neither true nor false: {}", key, text));
  }
  return text == "true";
}

Result<std::vector<std::string>> YamlFields::Texts(const std::string& key) {
  known_.push_back(key);
  const YAML::Node value = node_[key];
  std::vector<std::string> texts;
  if (!value.IsDefined()) return texts;
  if (value.IsScalar()) return std::vector<std::string>{value.Scalar()};
  if (!value.IsSequence()) return Broken(value.Mark(), fmt::format("'{}' is not a list", key));
  for (const YAML::Node& item : value) {
    if (!item.IsScalar()) {
      return Broken(item.Mark(), fmt::format("'{}' has an item that is no text", key));
    }
    texts.push_back(item.Scalar());
  }
  return texts;
}

Result<YAML::Node> YamlFields::List(const std::string& key) {
  known_.push_back(key);
  const YAML::Node value = node_[key];
  if (!value.IsDefined() || !value.IsSequence() || value.size() == 0) {
    return Broken(value.IsDefined() ? value.Mark() : node_.Mark(),
                  fmt::format("'{}' is not a list with items", key));
  }
  return value;
}

Status YamlFields::NothingElse() const {
  for (const auto& entry : node_) {
    const std::string key = entry.first.IsScalar() ? entry.first.Scalar() : "";
    if (std::find(known_.begin(), known_.end(), key) != known_.end()) continue;
    return Broken(entry.first.Mark(),
                  fmt::format("'{}' is not one of {}", key, fmt::join(known_, ", ")));
  }
  return Ok{};
}

}  // namespace xsp::analyze
