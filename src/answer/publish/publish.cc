#include "answer/publish/publish.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cctype>
#include <chrono>
#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <system_error>
#include <utility>

#include "answer/publish/experiment_files.h"
#include "answer/publish/script_text.h"
#include "answer/publish/site_pages.h"
#include "core/clock_text.h"
#include "core/json_text.h"
#include "os/files.h"
#include "os/parallel.h"
#include "store/catalogue.h"
#include "store/fingerprint.h"

namespace xsp::publish {
namespace {

using nlohmann::json;
using Clock = std::chrono::steady_clock;

/// Raised when the files of an experiment change their form: all are then written anew.
constexpr int kDocumentVersion = 1;
/// Experiments that are read by one statement for each table.
constexpr std::size_t kBatch = 25;
/// Between two switches while reports are written.
constexpr double kReportSeconds = 10;

std::string Lower(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

bool HasTag(const store::CatalogueEntry& entry, const std::string& text) {
  const std::size_t equals = text.find('=');
  const auto found = entry.tags.find(text.substr(0, equals));
  return found != entry.tags.end() &&
         (equals == std::string::npos || found->second == text.substr(equals + 1));
}

bool IsWanted(const store::CatalogueEntry& entry, const SiteRequest& request) {
  const auto has_backend = [&](const std::string& part) {
    return Lower(entry.backend).find(Lower(part)) != std::string::npos;
  };
  return (request.models.empty() || std::ranges::count(request.models, entry.model) > 0) &&
         (request.backends.empty() || std::ranges::any_of(request.backends, has_backend)) &&
         std::ranges::all_of(request.tags, [&](const auto& tag) { return HasTag(entry, tag); });
}

/// What the reports depend on beside their experiments.
std::string ReportVersion(const SiteRequest& request) {
  std::string text = XSP_VERSION;
  for (const analyze::Analysis& analysis : request.analyses)
    text += "\n" + analysis.id + analysis.sql + analysis.chart + analysis.text;
  for (const findings::Rule& rule : request.rules)
    text += "\n" + rule.id + rule.sql + rule.sentence + (rule.gain ? rule.gain->sql : "");
  return ShortHash(text);
}

/// One publication: its state from the store's list to the switch.
class Publication {
 public:
  Publication(SiteFolder& site, const SiteRequest& request) : site_(site), request_(request) {}

  Result<Published> Run(double report_seconds) {
    SweepToManifest();
    const Status done = Perform(report_seconds);
    if (done.ok()) return published_;
    // What was written for a site that does not come would fill the disk.
    SweepToManifest();
    return done.error();
  }

 private:
  Status Perform(double report_seconds) {
    XSP_RETURN_IF_ERROR(ListExperiments());
    XSP_RETURN_IF_ERROR(WriteChanged());
    XSP_RETURN_IF_ERROR(WriteReports(report_seconds));
    XSP_RETURN_IF_ERROR(WriteHistories());
    return SwitchIfChanged();
  }

  /// Removes what a publisher left that was killed or failed.
  void SweepToManifest() const {
    const json keep = site_.manifest().value("keep", json::array());
    site_.Sweep(keep.get<std::set<std::string>>());
  }

  /// The wanted experiments, newest first, and what the manifest knows of them.
  Status ListExperiments() {
    XSP_TRY(const std::vector<store::CatalogueEntry> entries, store::List(request_.store));
    const json& old = site_.manifest();
    const bool is_of_this_version = old.value("documents", "") == DocumentsVersion();
    const json known = is_of_this_version ? old.value("experiments", json::object()) : json();
    for (auto entry = entries.rbegin(); entry != entries.rend(); ++entry) {
      if (entry->status.starts_with("unreadable")) {
        ++published_.unreadable;
        continue;
      }
      if (!IsWanted(*entry, request_)) continue;
      std::string fingerprint = store::FingerprintOf(entry->path);
      const auto record = known.find(entry->name);
      if (known.is_object() && record != known.end() &&
          record->value("fingerprint", "") == fingerprint && HasFiles(*record)) {
        records_[entry->name] = *record;
      } else {
        changed_.push_back(experiments_.size());
      }
      std::string folder = FileNameOf(entry->name) + "-" + fingerprint;
      experiments_.push_back({*entry, std::move(fingerprint), std::move(folder)});
    }
    // A word that nothing has would empty the site.
    if (experiments_.empty() && entries.size() > published_.unreadable)
      return Error{ErrorKind::kBadInput, "no experiment has all that was asked for",
                   "The site is as it was. `xsp list` shows models, backends and tags."};
    return Ok{};
  }

  /// Whether nobody removed the files that the manifest names.
  bool HasFiles(const json& record) const {
    std::error_code ignored;
    return std::filesystem::exists(
        site_.path() / "experiments" / record.value("folder", "") / "experiment.js", ignored);
  }

  static std::string DocumentsVersion() {
    return fmt::format("{} {}", XSP_VERSION, kDocumentVersion);
  }

  Status WriteChanged() {
    std::vector<SiteExperiment> changed;
    for (const std::size_t index : changed_) changed.push_back(experiments_[index]);
    const std::size_t batches = (changed.size() + kBatch - 1) / kBatch;
    std::mutex mutex;
    std::atomic<std::size_t> done = 0;
    return os::ForEach(batches, [&](std::size_t batch) -> Status {
      const std::size_t begin = batch * kBatch;
      const auto part = std::span(changed).subspan(begin, std::min(kBatch, changed.size() - begin));
      XSP_TRY(auto records, WriteExperiments(site_, part));
      const std::lock_guard lock(mutex);
      for (std::size_t i = 0; i < part.size(); ++i) {
        if (!records[i]) continue;
        records_[part[i].stored.name] = std::move(*records[i]);
        ++published_.changed;
      }
      done += part.size();
      Step(fmt::format("experiment {} of {}", done.load(), changed.size()), done, changed.size());
      return Ok{};
    });
  }

  /// Called with the lock that guards records_: progress is for one thread at a time.
  void Step(const std::string& what, std::size_t done, std::size_t of) const {
    request_.progress->Step(what, static_cast<double>(done) / static_cast<double>(of), -1);
  }

  /// Experiments whose report is missing or of another version, newest first.
  std::vector<const SiteExperiment*> MissingReports(const std::string& version) {
    std::vector<const SiteExperiment*> missing;
    std::size_t wanted = experiments_.size();
    if (request_.reports >= 0)
      wanted = std::min(wanted, static_cast<std::size_t>(request_.reports));
    for (std::size_t i = 0; i < experiments_.size(); ++i) {
      const auto record = records_.find(experiments_[i].stored.name);
      if (record == records_.end()) continue;
      if (i >= wanted) {
        record->second["report"] = nullptr;
      } else if (record->second.value("report", json()) != version) {
        missing.push_back(&experiments_[i]);
      }
    }
    return missing;
  }

  Status WriteReports(double seconds) {
    const std::string version = ReportVersion(request_);
    const std::vector<const SiteExperiment*> missing = MissingReports(version);
    const auto end = Clock::now() + std::chrono::duration<double>(seconds);
    std::mutex mutex;
    published_.reports_missing = missing.size();
    return os::ForEach(missing.size(), [&](std::size_t i) -> Status {
      if (Clock::now() >= end || request_.stop()) return Ok{};
      const SiteExperiment& experiment = *missing[i];
      const auto found = WriteReportFiles(site_, experiment, request_.analyses, request_.rules);
      const std::lock_guard lock(mutex);
      --published_.reports_missing;
      json& record = records_[experiment.stored.name];
      record["report"] = version;
      record.erase("report_error");
      if (found.ok()) {
        record["findings"] = found.value();
        ++published_.reports;
      } else if (found.error().kind == ErrorKind::kBadInput) {
        record["report_error"] = found.error().what;
        request_.progress->Note(
            fmt::format("{} has no report: {}", experiment.stored.name, found.error().what));
      } else {
        return found.error();
      }
      Step("reports", missing.size() - published_.reports_missing, missing.size());
      return Ok{};
    });
  }

  /// The history of each model, where its experiments are others than before.
  Status WriteHistories() {
    std::map<std::string, std::string> members;
    for (const SiteExperiment& experiment : experiments_)
      if (records_.contains(experiment.stored.name) && !experiment.stored.model.empty())
        members[experiment.stored.model] += experiment.fingerprint;
    const json old = site_.manifest().value("histories", json::object());
    const json had_none = site_.manifest().value("without_history", json::object());
    for (const auto& [model, fingerprints] : members) {
      const std::string fingerprint = ShortHash(DocumentsVersion() + fingerprints);
      const std::string key = fmt::format("data/history-{}-{}", FileNameOf(model), fingerprint);
      const std::string file = key + ".js";
      if (had_none.value(model, "") == fingerprint) {
        without_history_[model] = fingerprint;
        continue;
      }
      if (old.value(model, "") != file) {
        const auto document = request_.history(model);
        // Experiments without a point have none, until others come.
        if (!document.ok() && document.error().kind == ErrorKind::kBadInput)
          without_history_[model] = fingerprint;
        if (!document.ok()) continue;
        XSP_RETURN_IF_ERROR(site_.Write(file, ScriptOf(key, document.value())));
      }
      histories_[model] = file;
    }
    return Ok{};
  }

  /// ExperimentEntry of each experiment, newest first.
  json Entries() const {
    json entries = json::array();
    for (const SiteExperiment& experiment : experiments_) {
      const auto record = records_.find(experiment.stored.name);
      if (record == records_.end()) continue;
      json entry = record->second["entry"];
      const bool has_report = record->second.value("report", json()).is_string() &&
                              !record->second.contains("report_error");
      entry["report"] = has_report;
      entry["findings"] = has_report ? record->second.value("findings", json()) : json();
      entries.push_back(std::move(entry));
    }
    return entries;
  }

  Status SwitchIfChanged() {
    XSP_TRY(const std::string page, WriteAssets(site_, keep_));
    json data = {{"format_version", 1},        {"title", request_.title},
                 {"xsp_version", XSP_VERSION}, {"has_feed", !request_.base_url.empty()},
                 {"histories", histories_},    {"experiments", Entries()}};
    published_.experiments = data["experiments"].size();
    const std::string content = ShortHash(page + request_.base_url + core::JsonText(data));
    const json& old = site_.manifest();
    CountRemoved(old);
    if (old.value("content", "") == content && old.value("experiments", json()) == records_ &&
        old.value("without_history", json::object()) == json(without_history_))
      return RemoveOldFeed();
    data["published"] = core::NowRfc3339();
    const std::string script = ScriptOf("index", data);
    const std::string index = fmt::format("data/site-{}.js", ShortHash(script));
    XSP_RETURN_IF_ERROR(site_.Write(index, script));
    if (!request_.base_url.empty())
      XSP_RETURN_IF_ERROR(
          site_.Write("feed.xml", FeedOf(data["experiments"], request_.title, request_.base_url)));
    keep_.insert(index);
    for (const auto& [model, file] : histories_) keep_.insert(file);
    for (const auto& [name, record] : records_)
      keep_.insert("experiments/" + record["folder"].get<std::string>());
    XSP_RETURN_IF_ERROR(site_.Switch(FilledIndex(page, request_.title, index),
                                     {{"documents", DocumentsVersion()},
                                      {"content", content},
                                      {"experiments", records_},
                                      {"histories", histories_},
                                      {"without_history", without_history_},
                                      {"keep", keep_}}));
    published_.is_switched = true;
    site_.Sweep(keep_);
    return RemoveOldFeed();
  }

  /// That of an earlier publication, which nothing updates from now on.
  Status RemoveOldFeed() const {
    if (!request_.base_url.empty()) return Ok{};
    return site_.Remove("feed.xml");
  }

  void CountRemoved(const json& old) {
    const json known = old.value("experiments", json::object());
    for (const auto& [name, record] : known.items())
      published_.removed += records_.contains(name) ? 0 : 1;
  }

  SiteFolder& site_;
  const SiteRequest& request_;
  Published published_;
  std::vector<SiteExperiment> experiments_;             ///< Newest first.
  std::vector<std::size_t> changed_;                    ///< Indices of them.
  std::map<std::string, json> records_;                 ///< In the manifest, by experiment.
  std::map<std::string, std::string> histories_;        ///< Files, by model.
  std::map<std::string, std::string> without_history_;  ///< Fingerprints, by model.
  std::set<std::string> keep_;
};

}  // namespace

Result<Published> Publish(SiteFolder& site, const SiteRequest& request, double report_seconds) {
  return Publication(site, request).Run(report_seconds);
}

Result<Published> PublishAll(SiteFolder& site, const SiteRequest& request) {
  XSP_TRY(Published sum, Publish(site, request, 0));
  while (sum.reports_missing > 0 && !request.stop()) {
    XSP_TRY(const Published next, Publish(site, request, kReportSeconds));
    sum = {.experiments = next.experiments,
           .changed = sum.changed + next.changed,
           .removed = sum.removed + next.removed,
           .unreadable = next.unreadable,
           .reports = sum.reports + next.reports,
           .reports_missing = next.reports_missing,
           .is_switched = sum.is_switched || next.is_switched};
  }
  return sum;
}

}  // namespace xsp::publish
