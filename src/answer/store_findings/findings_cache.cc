#include "answer/store_findings/findings_cache.h"

#include <fmt/format.h>

#include <cstddef>
#include <nlohmann/json.hpp>
#include <system_error>

#include "os/files.h"
#include "os/paths.h"
#include "os/sha256.h"
#include "store/schema.h"

namespace xsp::store_findings {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

/// Raised when the files change their form.
constexpr int kFormat = 1;
constexpr std::size_t kKeyDigits = 16;

/// What of a rule decides whether it holds, and what its sentence and gain are.
std::string TextOf(const findings::Rule& rule) {
  std::string text = fmt::format("\n{}\n{} {} {} {}", rule.id, rule.rank, rule.is_first,
                                 rule.is_of_point, findings::NameOf(rule.severity));
  for (const std::string& need : rule.needs) text += " " + need;
  for (const std::string& other : rule.withheld_by) text += " -" + other;
  for (const findings::Threshold& threshold : rule.thresholds)
    text += fmt::format(" {}={}", threshold.name, threshold.value);
  for (const findings::Column& column : rule.columns) text += " " + column.name + ":" + column.unit;
  text += "\n" + rule.sentence + "\n" + rule.sql;
  if (rule.gain)
    text += fmt::format("\n{} {}\n{}", rule.gain->is_of_call, rule.gain->is_alternative,
                        rule.gain->sql);
  return text;
}

std::string KeyOf(const std::vector<findings::Rule>& rules) {
  std::string text = fmt::format("{} {}", XSP_VERSION, kFormat);
  for (const findings::Rule& rule : rules) text += TextOf(rule);
  for (const store::SharedView& view : store::SharedViews()) text += view.Select(false);
  return os::Sha256(text).substr(0, kKeyDigits);
}

}  // namespace

FindingsCache::FindingsCache(const std::vector<findings::Rule>& rules)
    : folder_(os::CacheFolder() / "findings" / KeyOf(rules)) {}

fs::path FindingsCache::FileOf(const std::string& fingerprint) const {
  return folder_ / (fingerprint + ".json");
}

std::optional<ExperimentFindings> FindingsCache::Find(const std::string& fingerprint) const {
  const auto text = os::ReadFile(FileOf(fingerprint));
  if (!text.ok()) return std::nullopt;
  return ExperimentFindingsOf(json::parse(text.value(), nullptr, false));
}

Status FindingsCache::Keep(const std::string& fingerprint,
                           const ExperimentFindings& findings) const {
  std::error_code error;
  fs::create_directories(folder_, error);
  if (error)
    return Error{ErrorKind::kEnvironment,
                 "cannot create " + folder_.string() + ": " + error.message(),
                 "XSP_CACHE names another folder for what can be computed again."};
  return os::WriteFileAtomically(
      FileOf(fingerprint), ToJson(findings).dump(-1, ' ', false, json::error_handler_t::replace));
}

}  // namespace xsp::store_findings
