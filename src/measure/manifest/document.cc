#include "measure/manifest/document.h"

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <sstream>
#include <utility>

namespace xsp::manifest {

using nlohmann::json;

namespace {

/// An alias may stand for a list that holds aliases: a short text can mean a very large document.
constexpr int kMostValues = 100'000;
constexpr int kDeepest = 40;

/// Notes where documents begin, and drops what they hold.
struct DocumentStarts final : YAML::EventHandler {
  using Mark = YAML::Mark;
  using Style = YAML::EmitterStyle::value;

  void OnDocumentStart(const Mark& mark) override { latest = mark; }
  void OnDocumentEnd() override {}
  void OnNull(const Mark&, YAML::anchor_t) override {}
  void OnAlias(const Mark&, YAML::anchor_t) override {}
  void OnScalar(const Mark&, const std::string&, YAML::anchor_t, const std::string&) override {}
  void OnSequenceStart(const Mark&, const std::string&, YAML::anchor_t, Style) override {}
  void OnSequenceEnd() override {}
  void OnMapStart(const Mark&, const std::string&, YAML::anchor_t, Style) override {}
  void OnMapEnd() override {}

  Mark latest;
};

Position WhereIs(const YAML::Mark& mark) {
  if (mark.is_null()) return {};
  return {mark.line + 1, mark.column + 1};
}

template <typename T>
bool IsWhole(const std::string& text, T& value) {
  const char* begin = text.data() + (text.starts_with('+') ? 1 : 0);
  const char* end = text.data() + text.size();
  const auto read = std::from_chars(begin, end, value);
  return begin != end && read.ec == std::errc() && read.ptr == end;
}

/// A plain scalar by the core schema of YAML 1.2.
json Typed(const std::string& text) {
  if (text.empty() || text == "~" || text == "null" || text == "Null" || text == "NULL") return {};
  if (text == "true" || text == "True" || text == "TRUE") return true;
  if (text == "false" || text == "False" || text == "FALSE") return false;
  std::int64_t whole = 0;
  if (IsWhole(text, whole)) return whole;
  double real = 0;
  // from_chars knows "inf" and "nan" too, which YAML writes with a dot.
  if (text.find_first_of("0123456789") != std::string::npos && IsWhole(text, real)) return real;
  return text;
}

class Builder {
 public:
  explicit Builder(std::vector<Problem>& problems) : problems_(problems) {}

  Value Build(const YAML::Node& node, int depth) {
    Value value;
    value.at = WhereIs(node.Mark());
    if (++values_ > kMostValues || depth > kDeepest) {
      TooMuch(value.at);
      return value;
    }
    if (node.IsMap()) {
      value.kind = Value::Kind::kMap;
      for (const auto& pair : node) AddMember(pair.first, pair.second, depth, value);
    } else if (node.IsSequence()) {
      value.kind = Value::Kind::kList;
      for (const YAML::Node& item : node) {
        if (gave_up_) break;
        value.items.push_back(Build(item, depth + 1));
      }
    } else if (node.IsScalar()) {
      value.text = node.Scalar();
      value.scalar = node.Tag() == "!" ? json(value.text) : Typed(value.text);
    }
    return value;
  }

 private:
  void AddMember(const YAML::Node& key, const YAML::Node& item, int depth, Value& map) {
    if (gave_up_) return;
    const Position at = WhereIs(key.Mark());
    if (!key.IsScalar()) {
      problems_.push_back({at, "key is not a word", ""});
    } else if (map.Find(key.Scalar()) != nullptr) {
      problems_.push_back({at, fmt::format("duplicate key: {}", key.Scalar()), ""});
    } else {
      map.members.push_back({key.Scalar(), at, Build(item, depth + 1)});
    }
  }

  void TooMuch(Position at) {
    if (!gave_up_) problems_.push_back({at, "document is too large", "Does it contain aliases?"});
    gave_up_ = true;
  }

  std::vector<Problem>& problems_;
  int values_ = 0;
  bool gave_up_ = false;
};

}  // namespace

std::string ToString(const Problem& problem, std::string_view file) {
  std::string text(file);
  if (problem.at.line > 0) text += fmt::format(":{}:{}", problem.at.line, problem.at.column);
  text += ": " + problem.what;
  if (problem.hint.empty()) return text;
  std::string hint = problem.hint;
  if (hint.ends_with('.')) hint.pop_back();
  return fmt::format("{} ({})", text, hint);
}

void SortByPosition(std::vector<Problem>& problems) {
  std::stable_sort(problems.begin(), problems.end(), [](const Problem& a, const Problem& b) {
    return std::pair(a.at.line, a.at.column) < std::pair(b.at.line, b.at.column);
  });
}

const Value* Value::Find(std::string_view key) const {
  for (const Member& member : members)
    if (member.key == key) return &member.value;
  return nullptr;
}

std::string KindOf(const Value& value) {
  if (value.is_map()) return "a map";
  if (value.is_list()) return "a list";
  if (value.scalar.is_string()) return "text";
  if (value.scalar.is_number_integer()) return "a whole number";
  if (value.scalar.is_number()) return "a number";
  if (value.scalar.is_boolean()) return "true or false";
  return "nothing";
}

json ToJson(const Value& value) {
  if (value.is_list()) {
    json list = json::array();
    for (const Value& item : value.items) list.push_back(ToJson(item));
    return list;
  }
  if (value.is_map()) {
    json map = json::object();
    for (const Member& member : value.members) map[member.key] = ToJson(member.value);
    return map;
  }
  return value.scalar;
}

Value ParseDocument(std::string_view text, std::vector<Problem>& problems) {
  try {
    // YAML::LoadAll() never ends where a stray bracket follows the document.
    std::istringstream stream{std::string(text)};
    YAML::Parser parser(stream);
    DocumentStarts starts;
    if (!parser.HandleNextDocument(starts)) return {};
    if (parser.HandleNextDocument(starts))
      problems.push_back({WhereIs(starts.latest), "more than one document", ""});
    return Builder(problems).Build(YAML::Load(std::string(text)), 0);
  } catch (const YAML::Exception& error) {
    problems.push_back({WhereIs(error.mark), fmt::format("not YAML: {}", error.msg), ""});
  }
  return {};
}

}  // namespace xsp::manifest
