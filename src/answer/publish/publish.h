#ifndef XSP_ANSWER_PUBLISH_PUBLISH_H_
#define XSP_ANSWER_PUBLISH_PUBLISH_H_

#include <cstddef>
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "answer/analyze/analysis.h"
#include "answer/findings/rule.h"
#include "answer/publish/site_folder.h"
#include "core/progress.h"
#include "core/result.h"

namespace xsp::publish {

/// What a site is made from.
struct SiteRequest {
  std::filesystem::path store;
  std::string title;
  std::string base_url;               ///< Of the feed's links; empty: there is no feed.
  std::vector<std::string> models;    ///< Empty: any.
  std::vector<std::string> backends;  ///< Each a part of a backend's name, in any case; empty: any.
  std::vector<std::string> tags;      ///< KEY or KEY=VALUE; all of them.
  /// So many of the newest experiments have their reports; below 0: all.
  int reports = -1;
  std::vector<analyze::Analysis> analyses;
  std::vector<findings::Rule> rules;
  /// The document of `xsp history MODEL` with the selection of this site.
  std::function<Result<nlohmann::json>(const std::string& model)> history;
  core::Progress* progress = nullptr;                 ///< Never null.
  std::function<bool()> stop = [] { return false; };  ///< Whether to end early.
};

/// What one publication did.
struct Published {
  std::size_t experiments = 0;      ///< On the site.
  std::size_t changed = 0;          ///< Of them, written by this publication.
  std::size_t removed = 0;          ///< No longer on the site.
  std::size_t unreadable = 0;       ///< In the store, and not on the site.
  std::size_t reports = 0;          ///< Written by this publication.
  std::size_t reports_missing = 0;  ///< To be written by the next one.
  bool is_switched = false;         ///< False: nothing had changed.
};

/// Brings the site in `site` up to date with the store: writes what changed, switches to it, and
/// removes what nothing refers to. Reports, which take longest, are written for at most
/// `report_seconds`, the newest experiments first; the others follow in the next call. Errors:
/// those of SiteFolder and of store::List(), after which the site is as it was.
Result<Published> Publish(SiteFolder& site, const SiteRequest& request, double report_seconds);

/// Publish() until no report is missing or `request.stop()`: at first without reports, so that a
/// site appears soon. The sum of all calls.
Result<Published> PublishAll(SiteFolder& site, const SiteRequest& request);

}  // namespace xsp::publish

#endif  // XSP_ANSWER_PUBLISH_PUBLISH_H_
