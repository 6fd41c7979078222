#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "api/operation.h"
#include "api/operations/run_field.h"
#include "api/operations/timeline_run.h"
#include "core/json_text.h"
#include "store/database.h"
#include "store/export.h"
#include "store/timeline_reader.h"
#include "store/timeline_readers.h"

namespace xsp::api::timeline_operation {
namespace {

using nlohmann::json;

constexpr int kMaxSums = 50;

struct Request {
  std::string run;
  std::int64_t from_ns = 0;
  std::int64_t to_ns = 0;
  int width = 1000;
  std::vector<std::string> parts = {"tracks", "blocks", "sums"};
  std::string search;
  int hits = 100;
  std::int64_t span = 0;

  bool Wants(const char* part) const {
    return std::find(parts.begin(), parts.end(), part) != parts.end();
  }
};

/// The tracks that have spans, with their lanes.
Result<json> Tracks(const std::filesystem::path& run, const store::TimelineReader& reader) {
  XSP_TRY(const store::Database database, store::Database::Open({run}));
  XSP_TRY(const store::Table table,
          database.Query("SELECT id, kind, name, device, stream, rank FROM track ORDER BY id"));
  json tracks = json::array();
  for (json& track : core::ParseJson(store::ToJson(table))) {
    std::int64_t lanes = 0, spans = 0;
    for (const store::LaneTotal& lane : reader.lanes()) {
      if (lane.track != track["id"]) continue;
      lanes = std::max<std::int64_t>(lanes, lane.lane + 1);
      spans += lane.spans;
    }
    if (spans == 0) continue;
    track["lanes"] = lanes;
    track["spans"] = spans;
    tracks.push_back(std::move(track));
  }
  return tracks;
}

/// Names that blocks refer to by number, each once, and only those that some block has.
class UsedNames {
 public:
  explicit UsedNames(const std::vector<store::TimelineLabel>& labels)
      : labels_(labels), place_(labels.size(), -1) {}

  int Of(std::uint32_t label) {
    int& place = place_.at(label);
    if (place < 0) {
      place = static_cast<int>(names_.size());
      names_.push_back({{"level", labels_[label].level}, {"name", labels_[label].name}});
    }
    return place;
  }
  json Take() { return std::move(names_); }

 private:
  const std::vector<store::TimelineLabel>& labels_;
  std::vector<int> place_;
  json names_ = json::array();
};

/// Blocks as columns. Numbers are small: times count from the start of the interval.
json Columns(const store::TimelineTile& tile, std::int64_t from_ns, json* names) {
  UsedNames used(tile.labels);
  json columns;
  for (const char* name :
       {"track", "lane", "start_ns", "duration_ns", "spans", "busy_ns", "span", "name"})
    columns[name] = json::array();
  for (const store::TimelineBlock& block : tile.blocks) {
    columns["track"].push_back(block.track);
    columns["lane"].push_back(block.lane);
    columns["start_ns"].push_back(block.start_ns - from_ns);
    columns["duration_ns"].push_back(block.end_ns - block.start_ns);
    columns["spans"].push_back(block.spans);
    columns["busy_ns"].push_back(block.busy_ns);
    columns["span"].push_back(block.longest);
    columns["name"].push_back(used.Of(block.label));
  }
  *names = used.Take();
  return columns;
}

/// What a selected span and a search add.
Status AddQuestions(const Request& request, const std::filesystem::path& run,
                    std::int64_t origin_ns, json& body) {
  if (request.span > 0) {
    XSP_TRY(body["span"], TimelineSpan(run, request.span, origin_ns));
  }
  if (!request.search.empty()) {
    XSP_TRY(body["hits"], TimelineHits(run, request.search, origin_ns + request.from_ns,
                                       request.hits, origin_ns));
  }
  return Ok{};
}

Result<Document> Timeline(const Context& context, const Request& request) {
  XSP_TRY(const std::vector<TimelineRun> runs, TimelineRuns(context.store, request.run));
  const TimelineRun& run = runs.front();
  XSP_TRY(const std::shared_ptr<const store::TimelineReader> reader,
          store::TimelineReaders::OfProcess().Borrow(run.folder));
  const std::int64_t origin = reader->origin_ns(), length = reader->end_ns() - origin;
  const std::int64_t to = request.to_ns > 0 ? request.to_ns : std::max<std::int64_t>(length, 1);
  if (request.from_ns >= to)
    return Error{
        .kind = ErrorKind::kUsage,
        .what = fmt::format("the interval is empty: from_ns {}, to_ns {}, the run lasts {}",
                            request.from_ns, to, length),
        .hint = "Give from_ns below to_ns; both count from the first span of the run.",
        .field = "from_ns"};
  json body = {{"run", run.name},    {"origin_ns", origin},        {"duration_ns", length},
               {"spans", run.spans}, {"from_ns", request.from_ns}, {"to_ns", to}};
  for (const TimelineRun& other : runs)
    body["runs"].push_back({{"name", other.name}, {"spans", other.spans}});
  if (request.Wants("tracks")) {
    XSP_TRY(body["tracks"], Tracks(run.folder, *reader));
  }
  if (request.Wants("blocks")) {
    const std::int64_t from = origin + request.from_ns;
    XSP_TRY(const store::TimelineTile tile,
            reader->Tile(from, origin + to, (to - request.from_ns) / request.width));
    body["bucket_ns"] = tile.bucket_ns;
    body["omitted"] = tile.omitted;
    body["blocks"] = Columns(tile, from, &body["names"]);
  }
  if (request.Wants("sums")) {
    XSP_TRY(body["sums"],
            TimelineSums(run.folder, origin + request.from_ns, origin + to, kMaxSums));
  }
  XSP_RETURN_IF_ERROR(AddQuestions(request, run.folder, origin, body));
  return Document{.content = std::move(body), .is_compact = true};
}

Action Declare(core::RequestFields& fields, const Context& context) {
  constexpr double kLongest = 9e18;
  auto request = std::make_shared<Request>();
  AddRun(fields, &request->run);
  fields.Add("from_ns", &request->from_ns,
             {.help = "Start of the interval, from the first span of the run on",
              .value_name = "NS",
              .unit = "ns",
              .range = core::Between(0, kLongest)});
  fields.Add("to_ns", &request->to_ns,
             {.help = "End of the interval; 0: that of the run",
              .value_name = "NS",
              .unit = "ns",
              .range = core::Between(0, kLongest)});
  fields.Add("width", &request->width,
             {.help = "Pixels that the interval is drawn on: shorter spans are merged into blocks",
              .value_name = "N",
              .range = core::Between(1, 8192),
              .for_people = 60});
  fields.Add("parts", &request->parts,
             {.help = "What the document has: tracks with their lanes, blocks, sums by name",
              .value_name = "PART,...",
              .allowed = {"tracks", "blocks", "sums", "none"},
              .list = core::ListStyle::kCommas});
  fields.Add("search", &request->search,
             {.help = "Also lists the spans whose name contains this text, from from_ns on",
              .value_name = "TEXT"});
  fields.Add("hits", &request->hits,
             {.help = "How many spans a search lists",
              .value_name = "N",
              .range = core::Between(1, 1000),
              .for_people = 20});
  fields.Add(
      "span", &request->span,
      {.help = "Also shows this span: parents, metrics, what launched it or what it launched",
       .value_name = "ID",
       .range = core::Between(0, kLongest)});
  return [&context, request] { return Timeline(context, *request); };
}

}  // namespace

extern const OperationSpec kOperation;
constinit const OperationSpec kOperation = {
    .name = "timeline",
    .summary = "Shows an interval of a run's timeline: tracks, spans or blocks of short ones, sums",
    .example = "xsp timeline latest --from-ns 1000000 --to-ns 2000000",
    .effect = Effect::kReads,
    .result = R"json({"type": "object",
      "required": ["run", "runs", "origin_ns", "duration_ns", "spans", "from_ns", "to_ns"],
      "properties": {
        "run": {"type": "string", "description": "The run's folder: of an experiment, that with the most spans"},
        "runs": {"type": "array", "items": {"type": "object"}, "description": "All runs with spans: name, spans"},
        "origin_ns": {"type": "integer", "description": "First start of all spans on the run's clock; all other times count from it"},
        "duration_ns": {"type": "integer", "description": "From the first start to the last end"},
        "spans": {"type": "integer", "description": "Of the whole run"},
        "from_ns": {"type": "integer"}, "to_ns": {"type": "integer"},
        "tracks": {"type": "array", "items": {"type": "object"},
          "description": "Those with spans: id, kind, name, device, stream, rank, lanes, spans"},
        "bucket_ns": {"type": "integer", "description": "Spans shorter than this are merged; a power of 2"},
        "omitted": {"type": "integer", "description": "Blocks beyond the bound of a document"},
        "names": {"type": "array", "items": {"type": "object"}, "description": "Level and name, by their number in blocks"},
        "blocks": {"type": "object", "description": "Columns of equal length, by start: track, lane, start_ns (from from_ns on), duration_ns, spans (1: a single span), busy_ns (sum of their durations), span (id of the longest), name (its number in names)"},
        "sums": {"type": "object", "description": "Of the spans in the interval: spans, names (how many), rows (level, name, spans, duration_ns within it, longest_ns), the 50 with most time"},
        "hits": {"type": "object", "description": "Of the search: spans in the whole run, before (how many start before from_ns), rows"},
        "span": {"type": "object", "description": "The span with parents, metrics, attributes, flows"}}})json",
    .declare = Declare,
};

}  // namespace xsp::api::timeline_operation
