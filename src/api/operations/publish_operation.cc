#include <fmt/format.h>
#include <poll.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>

#include "answer/publish/publish.h"
#include "answer/publish/site_folder.h"
#include "api/operation.h"
#include "api/operations/history_document.h"
#include "capture/collect/collector.h"
#include "core/clock_text.h"
#include "derive/history/analysed_history.h"
#include "derive/history/history_reader.h"

namespace xsp::api::publish_operation {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

struct Request {
  fs::path directory;
  publish::SiteRequest site;
  bool watch = false;
  double interval_s = 2;
};

Result<json> HistoryOf(const Context& context, const publish::SiteRequest& site,
                       const std::string& model) {
  history::Selection selection;
  selection.model = model;
  selection.backends = site.backends;
  selection.tags = site.tags;
  XSP_TRY(history::History read, history::ReadHistory(context.store, selection));
  XSP_TRY(const history::AnalysedHistory analysed,
          history::Analyse(std::move(read), collect::AllCollectors()));
  return HistoryDocument(model, analysed);
}

json ToJson(const fs::path& directory, const publish::Published& published) {
  return {{"site", (directory / "index.html").string()},
          {"experiments", published.experiments},
          {"changed", published.changed},
          {"removed", published.removed},
          {"unreadable", published.unreadable},
          {"reports", published.reports},
          {"reports_missing", published.reports_missing},
          {"is_switched", published.is_switched}};
}

/// Waits at most so long for a request to stop.
bool IsInterrupted(const os::Interrupts& interrupts, double seconds) {
  pollfd wake = {.fd = interrupts.wake_fd(), .events = POLLIN, .revents = 0};
  if (!interrupts.stop()) poll(&wake, 1, static_cast<int>(1000 * seconds));
  return interrupts.stop();
}

/// Adds to `all` what a further publication did.
void Add(publish::Published next, publish::Published* all) {
  next.changed += all->changed;
  next.removed += all->removed;
  next.reports += all->reports;
  *all = next;
}

void Tell(const publish::Published& published, core::Progress* progress) {
  progress->Note(fmt::format("{}: {} on the site, {} written, {} removed", core::NowRfc3339(),
                             published.experiments, published.changed, published.removed));
}

/// Publishes again whenever the store has changed, until an interrupt, and says each time what it
/// did.
void Watch(publish::SiteFolder& site, const publish::SiteRequest& request,
           const os::Interrupts& interrupts, double interval_s, publish::Published* published) {
  Tell(*published, request.progress);
  std::string failure;
  while (!IsInterrupted(interrupts, interval_s)) {
    const auto next = publish::PublishAll(site, request);
    if (next.ok()) {
      failure.clear();
      if (!next.value().is_switched) continue;
      Tell(next.value(), request.progress);
      Add(next.value(), published);
    } else if (std::exchange(failure, next.error().what) != failure) {
      // A full disk may have room later: the site is as it was, and the next turn tries again.
      request.progress->Note(next.error().what + " " + next.error().hint);
    }
  }
}

Result<Document> Publish(const Context& context, const Request& given) {
  if (!given.site.base_url.empty() && !given.site.base_url.starts_with("https://") &&
      !given.site.base_url.starts_with("http://"))
    return Error{ErrorKind::kUsage, "not an address of the web: " + given.site.base_url,
                 "As in --base-url https://example.org/results/"};
  publish::SiteRequest request = given.site;
  request.store = context.store;
  request.progress = context.progress;
  XSP_TRY(request.analyses, analyze::LoadAnalyses(context.analyses));
  XSP_TRY(request.rules, findings::LoadRules(context.findings));
  os::Interrupts& interrupts = context.interrupts();
  request.stop = [&] { return interrupts.stop(); };
  request.history = [&](const std::string& model) { return HistoryOf(context, given.site, model); };
  XSP_TRY(publish::SiteFolder site, publish::SiteFolder::Open(given.directory));
  XSP_TRY(publish::Published published, publish::PublishAll(site, request));
  if (given.watch) Watch(site, request, interrupts, given.interval_s, &published);
  Document document{.content = ToJson(given.directory, published)};
  if (published.unreadable > 0)
    document.notes.push_back(std::to_string(published.unreadable) +
                             (published.unreadable == 1 ? " experiment" : " experiments") +
                             " cannot be read and left out: `xsp list` says why");
  if (published.experiments == 0)
    document.notes.push_back("no experiment is on the site: `xsp run resnet50` creates one");
  if (interrupts.stop() && !given.watch)
    document.exit_status = static_cast<int>(ErrorKind::kInterrupted);
  return document;
}

Action Declare(core::RequestFields& fields, const Context& context) {
  auto request = std::make_shared<Request>();
  request->site.title = "XSP results";
  fields.Add("directory", &request->directory,
             {.help = "Folder of the site: new, empty, or published before",
              .value_name = "DIR",
              .refers = core::Refers::kOutput,
              .required = true,
              .positional = true});
  fields.Add("watch", &request->watch,
             {.help = "Publish again whenever the store changes, until Ctrl-C"});
  fields.Add("interval", &request->interval_s,
             {.help = "How often to look at the store",
              .value_name = "S",
              .unit = "s",
              .range = core::Between(0.1, 86400),
              .needs = "watch"});
  fields.Add("title", &request->site.title, {.help = "Title of the site", .value_name = "TEXT"});
  fields.Add("base_url", &request->site.base_url,
             {.help = "Address of the site's folder on the web: the site then has a feed",
              .value_name = "URL"});
  fields.Add("model", &request->site.models,
             {.help = "Only experiments of these models",
              .value_name = "MODEL,...",
              .list = core::ListStyle::kCommas});
  fields.Add("backend", &request->site.backends,
             {.help = "Only backends whose name contains this",
              .value_name = "NAME,...",
              .list = core::ListStyle::kCommas});
  fields.Add(
      "tag", &request->site.tags,
      {.help = "Only experiments with this tag; may be repeated", .value_name = "KEY[=VALUE]"});
  fields.Add("reports", &request->site.reports,
             {.help = "Publish the reports and findings of so many of the newest experiments; the "
                      "others have facts, layers and downloads (-1: all)",
              .value_name = "N",
              .range = core::Between(-1, 1e9)});
  return [&context, request] { return Publish(context, *request); };
}

}  // namespace

extern const OperationSpec kOperation;
constinit const OperationSpec kOperation = {
    .name = "publish",
    .summary = "Writes the store as a static site: leaderboards, reports, history, downloads",
    .example =
        "xsp publish site\n"
        "         xsp publish /srv/www/results --watch --title \"Results of our cluster\"",
    .effect = Effect::kChanges,
    .result = R"({"type": "object", "required": ["site", "experiments"], "properties": {
      "site": {"type": "string", "description": "Path of the first page"},
      "experiments": {"type": "integer", "description": "On the site"},
      "changed": {"type": "integer", "description": "Experiments that were written"},
      "removed": {"type": "integer", "description": "Experiments that the site no longer has"},
      "unreadable": {"type": "integer", "description": "Experiments that are left out"},
      "reports": {"type": "integer", "description": "Reports that were written"},
      "reports_missing": {"type": "integer",
        "description": "Reports that the next call writes: this one was interrupted"},
      "is_switched": {"type": "boolean", "description": "False: nothing had changed"}}})",
    .declare = Declare,
    .served_as = ServedAs::kNothing,
};

}  // namespace xsp::api::publish_operation
