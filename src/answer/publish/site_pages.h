#ifndef XSP_ANSWER_PUBLISH_SITE_PAGES_H_
#define XSP_ANSWER_PUBLISH_SITE_PAGES_H_

#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <string_view>

#include "answer/publish/site_folder.h"
#include "core/result.h"

namespace xsp::publish {

/// The script, the style and the report's template of the pages, DataRoot()/web/dist/site, written
/// to assets/. Returns index.html with the places "__XSP_TITLE__" and "__XSP_INDEX__" left to fill
/// in, and adds the files to `keep`. Errors: kNotPossible where the pages are not built, else as
/// SiteFolder::Write().
Result<std::string> WriteAssets(const SiteFolder& site, std::set<std::string>& keep);

/// `page` with a title and the name of the script that holds the site's document.
std::string FilledIndex(std::string_view page, std::string_view title, std::string_view script);

/// The newest experiments of `entries` (ExperimentEntry of web/src/site/site_data.ts, newest first)
/// as an Atom feed (RFC 4287). `base_url` is the address of the site's folder; the links lead below
/// it.
std::string FeedOf(const nlohmann::json& entries, std::string_view title,
                   std::string_view base_url);

}  // namespace xsp::publish

#endif  // XSP_ANSWER_PUBLISH_SITE_PAGES_H_
