#include "api/request_policy.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

#include "core/json_text.h"
#include "core/request_fields.h"
#include "measure/manifest/manifest.h"

namespace xsp::api {
namespace {

namespace fs = std::filesystem;
using core::Refers;
using nlohmann::json;

/// Longer than any name that XSP gives; file systems take little more.
constexpr std::size_t kMaxNameBytes = 200;

bool HasControlCharacters(std::string_view text) {
  return std::ranges::any_of(text, [](unsigned char c) { return c < 0x20 || c == 0x7f; });
}

bool IsPlainWord(std::string_view text) {
  const auto is_plain = [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '.' ||
           c == '_' || c == '-';
  };
  return !text.empty() && text.size() <= kMaxNameBytes && text.front() != '.' &&
         text.front() != '-' && std::ranges::all_of(text, is_plain);
}

/// Whether it can be the name of an experiment or of a run in one, as a part of a path.
bool IsStoredPart(std::string_view part) {
  return !part.empty() && part.size() <= kMaxNameBytes && part.front() != '.' &&
         part.front() != '~';
}

/// NAME or NAME/RUN.
bool IsStoredName(std::string_view name) {
  const std::size_t slash = name.find('/');
  if (slash == std::string_view::npos) return IsStoredPart(name);
  const std::string_view run = name.substr(slash + 1);
  return IsStoredPart(name.substr(0, slash)) && IsStoredPart(run) &&
         run.find('/') == std::string_view::npos;
}

/// Absolute, with links followed as far as there are files; empty: that cannot be known.
fs::path RealPath(const fs::path& path) {
  std::error_code error;
  const fs::path absolute = fs::absolute(path, error);
  if (path.empty() || error) return {};
  const fs::path real = fs::weakly_canonical(absolute, error);
  return error ? fs::path() : real;
}

/// Whether `path` is `root` or lies in it.
bool IsWithin(const fs::path& path, const fs::path& root) {
  const fs::path real_root = RealPath(root);
  const fs::path real = RealPath(path);
  if (real_root.empty() || real.empty()) return false;
  const auto [end, ignored] =
      std::mismatch(real_root.begin(), real_root.end(), real.begin(), real.end());
  // The path of a folder may end with a slash, which is an empty part.
  return end == real_root.end() || (end->empty() && std::next(end) == real_root.end());
}

bool IsWithinAny(const fs::path& path, const std::vector<fs::path>& roots) {
  return std::ranges::any_of(roots, [&](const fs::path& root) { return IsWithin(path, root); });
}

/// Whether there is surely no file of that path, not even a link that leads nowhere.
bool IsAbsent(const fs::path& path) {
  std::error_code ignored;
  return fs::symlink_status(path, ignored).type() == fs::file_type::not_found;
}

bool HasParentPart(const fs::path& path) {
  return std::ranges::any_of(path, [](const fs::path& part) { return part == ".."; });
}

bool IsReachablePath(const std::string& text, const std::vector<fs::path>& roots) {
  return !HasParentPart(text) && IsWithinAny(text, roots);
}

bool IsReachableStored(const std::string& text, const fs::path& store) {
  const std::size_t hash = text.find('#');
  const std::string name = text.substr(0, hash);
  // As a path, selectors would be a part of the last name.
  const std::string_view selectors =
      hash == std::string::npos ? std::string_view() : std::string_view(text).substr(hash + 1);
  if (!IsStoredName(name) || selectors.find_first_of("#/") != std::string_view::npos ||
      selectors.size() > kMaxNameBytes)
    return false;
  if (!IsWithin(store / name, store)) return false;
  // Some operations look at the whole text first, and at the working folder before the store.
  return std::ranges::all_of(std::vector<fs::path>{name, text}, [&](const fs::path& path) {
    return IsAbsent(path) || IsWithin(path, store);
  });
}

bool IsReachableName(const std::string& text) { return IsPlainWord(text) && IsAbsent(text); }

/// Why a value of a field may not be given; nothing: it may.
std::optional<Error> RefusalOf(Refers refers, const std::string& text,
                               const ReachableFiles& files) {
  const auto refusal = [](const char* what, const char* hint) {
    return Error{ErrorKind::kUsage, what, hint};
  };
  switch (refers) {
    case Refers::kNothing:
    case Refers::kSql:
      return std::nullopt;
    case Refers::kOutput:
    case Refers::kOutputPage:
      return refusal("writes a file, which is not allowed here", "Omit the field.");
    case Refers::kProgram:
      return refusal("starts a program, which is not allowed here", "Omit the field.");
    case Refers::kStored:
      if (!HasControlCharacters(text) && IsReachableStored(text, files.store)) return std::nullopt;
      return refusal(
          "not a name in the store",
          "Give NAME, NAME/RUN or latest, as `xsp list` shows them. A name is refused, too, "
          "where the working folder has a file that is called so.");
    case Refers::kModel:
      // Its name alone makes it a manifest (models::ResolveModel()).
      if (manifest::IsManifestName(text) && IsWithinAny(text, files.inputs))
        return refusal("an uploaded manifest names files, which is not allowed here",
                       "Upload the model file itself.");
      if (!HasControlCharacters(text) &&
          (IsReachablePath(text, files.models) || IsReachableName(text)))
        return std::nullopt;
      return refusal("not a model that may be used here",
                     "Give a name of the zoo: `xsp zoo list` shows them.");
    case Refers::kManifest:
      if (!HasControlCharacters(text) && IsReachablePath(text, files.models) &&
          !IsWithinAny(text, files.inputs))
        return std::nullopt;
      return refusal(
          "not a manifest that may be used here",
          "Omit the field, or let the server have the manifest in a folder of --models.");
    case Refers::kInput:
      if (!HasControlCharacters(text) &&
          (IsReachablePath(text, files.inputs) || IsReachableName(text)))
        return std::nullopt;
      return refusal("not a file that may be read here", "Upload the file first.");
  }
  return std::nullopt;
}

/// The texts of a value: itself, or the elements of a list. What else there is, no field takes that
/// refers to something.
std::vector<std::string> TextsOf(const json& value) {
  std::vector<std::string> texts;
  if (value.is_string()) texts.push_back(value.get<std::string>());
  if (!value.is_array()) return texts;
  for (const json& element : value)
    if (element.is_string()) texts.push_back(element.get<std::string>());
  return texts;
}

std::string Excerpt(const std::string& text) {
  constexpr std::size_t kLongest = 60;
  std::string shown = core::AsciiJsonText(json(text));
  return shown.size() <= kLongest ? shown : shown.substr(0, kLongest) + "...";
}

/// Stops at the first field that refers to what may not be reached.
class ReachFields final : public core::RequestFields {
 public:
  ReachFields(const json& request, const ReachableFiles& files)
      : request_(request), files_(files) {}

  void Add(const std::string& name, core::FieldValue, const core::FieldInfo& info) override {
    const Refers refers = info.program ? Refers::kProgram : info.refers;
    if (error_ || refers == Refers::kNothing) return;
    const auto given = request_.find(name);
    if (given == request_.end()) return;
    for (const std::string& text : TextsOf(*given)) {
      if (text.empty() && given->is_string() && !info.required) continue;
      error_ = RefusalOf(refers, text, files_);
      if (!error_) continue;
      error_->what = fmt::format("{}: {}: {}", error_->what, name, Excerpt(text));
      error_->field = name;
      return;
    }
  }

  const std::optional<Error>& error() const { return error_; }

 private:
  const json& request_;
  const ReachableFiles& files_;
  std::optional<Error> error_;
};

/// Collects what fields refer to in the store.
class StoredFields final : public core::RequestFields {
 public:
  explicit StoredFields(const json& request) : request_(request) {}

  void Add(const std::string& name, core::FieldValue, const core::FieldInfo& info) override {
    const auto given = request_.find(name);
    if (info.refers != Refers::kStored || given == request_.end()) return;
    for (const std::string& text : TextsOf(*given)) {
      names_.push_back(text.substr(0, text.find_first_of("/#")));
      is_by_name_ = is_by_name_ && !names_.back().empty() && names_.back() != "latest";
    }
  }

  std::vector<std::string> Take() {
    return is_by_name_ ? std::move(names_) : std::vector<std::string>();
  }

 private:
  const json& request_;
  std::vector<std::string> names_;
  bool is_by_name_ = true;
};

/// Finds SQL that a request states.
class SqlFields final : public core::RequestFields {
 public:
  explicit SqlFields(const json& request) : request_(request) {}

  void Add(const std::string& name, core::FieldValue, const core::FieldInfo& info) override {
    has_sql_ = has_sql_ || (info.refers == Refers::kSql && request_.contains(name));
  }
  bool has_sql() const { return has_sql_; }

 private:
  const json& request_;
  bool has_sql_ = false;
};

class PageField final : public core::RequestFields {
 public:
  void Add(const std::string& name, core::FieldValue, const core::FieldInfo& info) override {
    if (name_.empty() && info.refers == Refers::kOutputPage) name_ = name;
  }
  std::string Take() { return std::move(name_); }

 private:
  std::string name_;
};

}  // namespace

Status CheckReach(const Operation& operation, const json& request, const ReachableFiles& files) {
  if (!request.is_object()) return Ok{};
  ReachFields fields(request, files);
  const Context nobody;
  operation.declare(fields, nobody);
  if (fields.error()) return *fields.error();
  return Ok{};
}

std::vector<std::string> NamedExperiments(const Operation& operation, const json& request) {
  if (!request.is_object()) return {};
  StoredFields fields(request);
  const Context nobody;
  operation.declare(fields, nobody);
  return fields.Take();
}

bool StatesSql(const Operation& operation, const json& request) {
  if (!request.is_object()) return false;
  SqlFields fields(request);
  const Context nobody;
  operation.declare(fields, nobody);
  return fields.has_sql();
}

std::string PageFieldOf(const Operation& operation) {
  PageField fields;
  const Context nobody;
  operation.declare(fields, nobody);
  return fields.Take();
}

}  // namespace xsp::api
