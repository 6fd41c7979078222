#include "answer/suite/kernels/rules.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <system_error>
#include <utility>

#include "answer/suite/kernels/rule_reader.h"
#include "os/files.h"
#include "os/paths.h"

namespace xsp::suite::kernels {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kNoClass = std::string::npos;
constexpr std::size_t kMostBytes = 16 << 20;

bool Among(const std::vector<std::string>& allowed, std::string_view value) {
  return allowed.empty() || value.empty() || std::ranges::find(allowed, value) != allowed.end();
}

/// The pattern of `rule` that fits; null: it does not.
const NamePattern* Fitting(const Rule& rule, const KernelName& name, std::string_view type) {
  if (!Among(rule.types, type)) return nullptr;
  for (const NamePattern& pattern : rule.match) {
    if (!pattern.Matches(name)) continue;
    const bool barred =
        std::ranges::any_of(rule.unless, [&](const NamePattern& p) { return p.Matches(name); });
    return barred ? nullptr : &pattern;
  }
  return nullptr;
}

bool AllowsLibrary(const Rule& rule, std::string_view library) {
  return rule.libraries.empty() ||
         std::ranges::find(rule.libraries, library) != rule.libraries.end();
}

/// The type that examples of `rule` are of.
std::string_view TypeOf(const Rule& rule) {
  return rule.types.empty() ? std::string_view("kernel") : rule.types.front();
}

Status Chain(const std::string& source, const fs::path& beside, std::vector<std::string>* seen,
             RuleFile* all);

/// Adds what `file` extends behind its rules. `folder`: where it lies.
Status Extend(RuleFile file, const fs::path& folder, std::vector<std::string>* seen,
              RuleFile* all) {
  const auto append = [](auto& to, auto& from) {
    to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
  };
  append(all->kinds, file.kinds);
  append(all->libraries, file.libraries);
  append(all->rules, file.rules);
  if (file.extends.empty()) return Ok{};
  return Chain(file.extends, folder, seen, all);
}

/// The rule file that `source` names: one that lies in `beside`, one of the working directory (or
/// of a whole path), or one that ships with XSP, in this order; empty: none.
fs::path RuleFileOf(const std::string& source, const fs::path& beside) {
  if (source.empty()) return {};
  for (const fs::path& path :
       {beside / source, fs::path(source), os::DataRoot() / "suites" / (source + ".yaml")}) {
    std::error_code error;
    if (fs::is_regular_file(path, error)) return path;
  }
  return {};
}

Status Chain(const std::string& source, const fs::path& beside, std::vector<std::string>* seen,
             RuleFile* all) {
  const fs::path path = RuleFileOf(source, beside);
  if (path.empty())
    return Error{ErrorKind::kBadInput, "no such rule file: " + source,
                 fmt::format("give a YAML file, or one of: {}", fmt::join(ShippedRules(), ", "))};
  std::error_code error;
  const std::string whole = fs::weakly_canonical(path, error).string();
  if (std::ranges::find(*seen, whole) != seen->end())
    return RuleError(path.string(), 1, "it extends itself");
  seen->push_back(whole);
  XSP_TRY(const std::string text, os::ReadFile(path, kMostBytes));
  XSP_TRY(RuleFile file, ReadRules(text, path.string()));
  return Extend(std::move(file), path.parent_path(), seen, all);
}

}  // namespace

/// Makes a book of what was read, once it holds together.
class RuleReader {
 public:
  static Result<RuleBook> Book(RuleFile file) {
    RuleBook book;
    book.kinds_ = std::move(file.kinds);
    book.libraries_ = std::move(file.libraries);
    book.rules_ = std::move(file.rules);
    XSP_TRY(const Ok fine, book.CheckAll());
    static_cast<void>(fine);
    return book;
  }
};

Result<RuleBook> RuleBook::Load(const std::string& source) {
  RuleFile all;
  std::vector<std::string> seen;
  XSP_TRY(const Ok read, Chain(source, {}, &seen, &all));
  static_cast<void>(read);
  return RuleReader::Book(std::move(all));
}

Result<RuleBook> RuleBook::Parse(std::string_view text, const std::string& file) {
  XSP_TRY(RuleFile own, ReadRules(text, file));
  RuleFile all;
  const fs::path path = file;
  std::error_code error;
  std::vector<std::string> seen = {fs::weakly_canonical(path, error).string()};
  XSP_TRY(const Ok read, Extend(std::move(own), path.parent_path(), &seen, &all));
  static_cast<void>(read);
  return RuleReader::Book(std::move(all));
}

Status RuleBook::CheckAll() const {
  for (std::size_t i = 0; i < libraries_.size(); ++i) {
    const Rule& rule = libraries_[i];
    for (const Example& example : rule.examples) {
      const std::string got = LibraryOf(KernelName(example.name), TypeOf(rule));
      if (got != rule.kernel_class && rule.file == libraries_.front().file)
        return RuleError(rule.file, example.line,
                         fmt::format("the example is of library {}, not {}: {}",
                                     got.empty() ? "none" : got, rule.kernel_class, example.name));
    }
  }
  for (std::size_t i = 0; i < rules_.size(); ++i) {
    XSP_TRY(const Ok fine, Check(rules_[i], i));
    static_cast<void>(fine);
  }
  return Ok{};
}

Status RuleBook::Check(const Rule& rule, std::size_t place) const {
  if (!std::ranges::any_of(kinds_, [&](const Kind& kind) { return kind.name == rule.kind; }))
    return RuleError(
        rule.file, rule.line,
        fmt::format("kind {} of class {} is not among the kinds", rule.kind, rule.kernel_class));
  for (const std::string& library : rule.libraries)
    if (!std::ranges::any_of(libraries_, [&](const Rule& r) { return r.kernel_class == library; }))
      return RuleError(rule.file, rule.line, "no such library among the libraries: " + library);
  std::size_t taken = 0;
  Error last{ErrorKind::kBadInput, "", ""};
  for (const Example& example : rule.examples) {
    const KernelName name(example.name);
    const std::string library = LibraryOf(name, TypeOf(rule));
    if (Fitting(rule, name, TypeOf(rule)) == nullptr || !AllowsLibrary(rule, library))
      return RuleError(
          rule.file, example.line,
          fmt::format("the example does not fit its own rule (class {}, library {}): "
                      "{}",
                      rule.kernel_class, library.empty() ? "none" : library, example.name));
    const std::string got = Said(rule, name, library).kernel_class;
    if (got != example.kernel_class)
      return RuleError(rule.file, example.line,
                       fmt::format("the example gets class {}, not {}: {}", got,
                                   example.kernel_class, example.name));
    const std::size_t first = FirstFitting(name, TypeOf(rule), library);
    // Whoever extends a file means to take its kernels.
    if (first == place || rules_[first].file != rule.file) continue;
    ++taken;
    last = RuleError(rule.file, example.line,
                     fmt::format("the rule of line {} matches the example first (class {}): {}",
                                 rules_[first].line, rules_[first].kernel_class, example.name));
  }
  if (taken == rule.examples.size())
    return RuleError(
        rule.file, rule.line,
        fmt::format(
            "the rule of class {} never matches, because earlier rules match all its examples; {}",
            rule.kernel_class, last.what));
  if (taken > 0) return last;
  return Ok{};
}

std::string RuleBook::LibraryOf(const KernelName& name, std::string_view type) const {
  // A library that only some types can be of is no guess for a name whose type is not known.
  for (const Rule& rule : libraries_)
    if ((rule.types.empty() || !type.empty()) && Fitting(rule, name, type) != nullptr)
      return rule.kernel_class;
  return {};
}

std::size_t RuleBook::FirstFitting(const KernelName& name, std::string_view type,
                                   std::string_view library) const {
  for (std::size_t i = 0; i < rules_.size(); ++i)
    if (AllowsLibrary(rules_[i], library) && Fitting(rules_[i], name, type) != nullptr) return i;
  return kNoClass;
}

Classified RuleBook::Said(const Rule& rule, const KernelName& name, std::string library) const {
  Captures captures;
  for (const NamePattern& pattern : rule.match)
    if (pattern.Matches(name, &captures)) break;
  std::string said = rule.kernel_class;
  for (const auto& [part, value] : captures) {
    const std::string place = "{" + part + "}";
    for (std::size_t at = said.find(place); at != kNoClass; at = said.find(place, at))
      said.replace(at, place.size(), value);  // What a part stands for holds no brace.
  }
  return {std::move(said), rule.kind, std::move(library)};
}

Classified RuleBook::Classify(std::string_view text, std::string_view type) const {
  const KernelName name(text);
  std::string library = LibraryOf(name, type);
  const std::size_t first = FirstFitting(name, type, library);
  if (first == kNoClass) return {"", "", std::move(library)};
  return Said(rules_[first], name, std::move(library));
}

std::vector<std::string> ShippedRules() {
  std::vector<std::string> names;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(os::DataRoot() / "suites", error))
    if (entry.path().extension() == ".yaml") names.push_back(entry.path().stem().string());
  std::ranges::sort(names);
  return names;
}

}  // namespace xsp::suite::kernels
