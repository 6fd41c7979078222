#include "answer/suite/kernels/rule_reader.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <array>
#include <initializer_list>
#include <string_view>
#include <utility>

namespace xsp::suite::kernels {
namespace {

// What kernel.type of the tables can be.
constexpr std::array<std::string_view, 5> kKernelTypes = {"kernel", "memcpy", "memset", "primitive",
                                                          "native"};

int LineOf(const YAML::Node& node) { return node.Mark().line + 1; }

/// Reads the nodes of one file. Throws YAML::Exception, which ReadRules() catches.
class Reader {
 public:
  explicit Reader(const std::string& file) : file_(file) {}

  Result<RuleFile> File(const YAML::Node& root) const {
    if (!root.IsMap()) return RuleError(file_, 1, "it is not a map with a list of rules");
    XSP_TRY(const Ok known,
            OnlyKeys(root, {"name", "title", "extends", "kinds", "libraries", "rules"}));
    static_cast<void>(known);
    RuleFile file;
    if (root["extends"]) file.extends = root["extends"].as<std::string>();
    if (const YAML::Node kinds = root["kinds"])
      for (const auto& kind : kinds)
        file.kinds.push_back({kind.first.as<std::string>(), kind.second.as<std::string>()});
    XSP_TRY(file.libraries, Rules(root["libraries"], "library"));
    XSP_TRY(file.rules, Rules(root["rules"], "class"));
    if (file.rules.empty() && !file.extends.empty())
      return Error{
          ErrorKind::kBadInput,
          fmt::format("{}:1: it extends {} and has no rules of its own", file_, file.extends),
          fmt::format("add a list of rules (docs/suite/kernels.md shows one), or use those alone: "
                      "--rules {}",
                      file.extends)};
    if (file.rules.empty())
      return Error{ErrorKind::kBadInput, file_ + ":1: it has no rules",
                   "add a list `rules:`; docs/suite/kernels.md shows one, "
                   "suites/kernel_classes.yaml has many"};
    return file;
  }

 private:
  Status OnlyKeys(const YAML::Node& map, std::initializer_list<const char*> known) const {
    for (const auto& entry : map) {
      const auto key = entry.first.as<std::string>();
      if (std::find(known.begin(), known.end(), key) == known.end())
        return RuleError(file_, LineOf(entry.first),
                         fmt::format("unknown key {} (known: {})", key,
                                     fmt::join(known.begin(), known.end(), ", ")));
    }
    return Ok{};
  }

  /// A list, or one word for a list of one.
  static std::vector<std::string> Words(const YAML::Node& node) {
    if (!node) return {};
    if (node.IsScalar()) return {node.as<std::string>()};
    return node.as<std::vector<std::string>>();
  }

  /// A misspelt type would let a rule fit nothing, and its examples would not tell.
  Result<std::vector<std::string>> Types(const YAML::Node& node) const {
    std::vector<std::string> types = Words(node);
    for (const std::string& type : types)
      if (std::ranges::find(kKernelTypes, type) == kKernelTypes.end())
        return RuleError(
            file_, LineOf(node),
            fmt::format("unknown type {} (known: {})", type, fmt::join(kKernelTypes, ", ")));
    return types;
  }

  Result<std::vector<NamePattern>> Patterns(const YAML::Node& node) const {
    std::vector<NamePattern> patterns;
    const auto add = [&](const YAML::Node& text) -> Status {
      auto pattern = NamePattern::Parse(text.as<std::string>());
      if (!pattern.ok()) return RuleError(file_, LineOf(text), pattern.error().what);
      patterns.push_back(std::move(pattern).value());
      return Ok{};
    };
    if (node && node.IsScalar()) {
      XSP_TRY(const Ok added, add(node));
      static_cast<void>(added);
    } else if (node) {
      for (const YAML::Node& text : node) {
        XSP_TRY(const Ok added, add(text));
        static_cast<void>(added);
      }
    }
    return patterns;
  }

  /// Every "{x}" of the class must be named by every pattern.
  Status CheckTemplate(const Rule& rule) const {
    for (std::size_t open = rule.kernel_class.find('{'); open != std::string::npos;
         open = rule.kernel_class.find('{', open + 1)) {
      const std::size_t close = rule.kernel_class.find('}', open);
      if (close == std::string::npos)
        return RuleError(file_, rule.line, "a { of the class is not closed: " + rule.kernel_class);
      const std::string name = rule.kernel_class.substr(open + 1, close - open - 1);
      for (const NamePattern& pattern : rule.match)
        if (std::ranges::find(pattern.names(), name) == pattern.names().end())
          return RuleError(file_, rule.line,
                           fmt::format("class {} needs {{{}}}, which this pattern does not name: "
                                       "{}",
                                       rule.kernel_class, name, pattern.text()));
    }
    return Ok{};
  }

  Result<Rule> One(const YAML::Node& node, const char* what) const {
    const int line = LineOf(node);
    if (!node.IsMap()) return RuleError(file_, line, "a rule is a map with match and examples");
    const bool on_libraries = std::string_view(what) == "library";
    XSP_TRY(const Ok known, on_libraries
                                ? OnlyKeys(node, {"library", "match", "unless", "type", "examples"})
                                : OnlyKeys(node, {"class", "kind", "match", "unless", "library",
                                                  "type", "examples"}));
    static_cast<void>(known);
    if (!node[what] || !node["match"])
      return RuleError(file_, line, fmt::format("the rule has no {}", node[what] ? "match" : what));
    Rule rule;
    rule.file = file_;
    rule.line = line;
    rule.kernel_class = node[what].as<std::string>();
    if (!on_libraries && !node["kind"])
      return RuleError(file_, line, "the rule has no kind: " + rule.kernel_class);
    if (!on_libraries) rule.kind = node["kind"].as<std::string>();
    if (!on_libraries) rule.libraries = Words(node["library"]);
    XSP_TRY(rule.types, Types(node["type"]));
    XSP_TRY(rule.match, Patterns(node["match"]));
    XSP_TRY(rule.unless, Patterns(node["unless"]));
    if (rule.match.empty())
      return RuleError(file_, line, "the rule has no match: " + rule.kernel_class);
    XSP_TRY(const Ok fine, CheckTemplate(rule));
    static_cast<void>(fine);
    if (const YAML::Node examples = node["examples"]; examples && examples.IsMap())
      for (const auto& example : examples)
        rule.examples.push_back({example.first.as<std::string>(), example.second.as<std::string>(),
                                 LineOf(example.first)});
    else if (examples)
      for (const YAML::Node& example : examples)
        rule.examples.push_back({example.as<std::string>(), rule.kernel_class, LineOf(example)});
    if (rule.examples.empty())
      return RuleError(file_, line,
                       "the rule has no examples that verify it: " + rule.kernel_class);
    return rule;
  }

  Result<std::vector<Rule>> Rules(const YAML::Node& list, const char* what) const {
    std::vector<Rule> rules;
    if (!list) return rules;
    if (!list.IsSequence())
      return RuleError(file_, LineOf(list), fmt::format("not a list of rules with a {}", what));
    for (const YAML::Node& node : list) {
      XSP_TRY(Rule rule, One(node, what));
      rules.push_back(std::move(rule));
    }
    return rules;
  }

  const std::string& file_;
};

}  // namespace

Error RuleError(const std::string& file, int line, const std::string& what) {
  return {ErrorKind::kBadInput, fmt::format("{}:{}: {}", file, line, what),
          "docs/suite/kernels.md describes rules; suites/kernel_classes.yaml has many"};
}

Result<RuleFile> ReadRules(std::string_view text, const std::string& file) {
  try {
    return Reader(file).File(YAML::Load(std::string(text)));
  } catch (const YAML::Exception& error) {
    return RuleError(file, std::max(error.mark.line, 0) + 1, error.msg);
  }
}

}  // namespace xsp::suite::kernels
