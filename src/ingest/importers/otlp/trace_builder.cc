#include "ingest/importers/otlp/trace_builder.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <tuple>

#include "ingest/importers/otlp/diagnostics.h"

namespace xsp::importers::otlp {
namespace {

using trace::Level;
using trace::SpanId;
using trace::TrackId;

constexpr std::string_view kOwnPrefix = "xsp.";
constexpr std::string_view kOwnProvenance = "reported:xsp";
constexpr std::string_view kOtlpProvenance = "reported:otlp";
constexpr std::size_t kMostResourcesWithFacts = 16;

/// Attributes of XSP's export that are columns of a span or its track, and no details.
constexpr std::array kOwnColumns = {"xsp.level",  "xsp.type",       "xsp.track",
                                    "xsp.device", "xsp.rank",       "xsp.correlation_id",
                                    "xsp.kind",   "xsp.never_ended"};

std::string TextOfAttribute(const Attributes& attributes, std::string_view key) {
  const AnyValue* value = Find(attributes, key);
  return value == nullptr ? "" : ToText(*value);
}
std::int64_t IntegerOf(const Attributes& attributes, std::string_view key, std::int64_t otherwise) {
  const AnyValue* value = Find(attributes, key);
  const bool is_integer = value != nullptr && value->kind == AnyValue::Kind::kInteger;
  return is_integer ? value->integer : otherwise;
}

std::optional<Level> LevelOf(const Attributes& attributes) {
  const AnyValue* name = Find(attributes, "xsp.level");
  for (int i = 0; name != nullptr && i < trace::kLevelCount; ++i)
    if (ToString(static_cast<Level>(i)) == name->text) return static_cast<Level>(i);
  return std::nullopt;
}

/// Operations of the GenAI conventions that are calls of a model
/// (https://opentelemetry.io/docs/specs/semconv/gen-ai/gen-ai-spans/#inference).
bool CallsModel(std::string_view operation) {
  constexpr std::array kCalls = {"chat", "text_completion", "generate_content", "embeddings"};
  return std::ranges::find(kCalls, operation) != kCalls.end();
}

std::string JsonOf(const Attributes& attributes) {
  std::string text;
  for (const Attribute& attribute : attributes)
    text += fmt::format("{}{}:{}", text.empty() ? "" : ",", QuotedJson(attribute.key),
                        ToJson(attribute.value));
  return "{" + text + "}";
}

std::int64_t LatestOf(const SpanRecord& span) { return std::max(span.start_ns, span.end_ns); }

}  // namespace

void TraceBuilder::OnResource(const Attributes& attributes) {
  resource_ = attributes;
  resource_id_.reset();
}

void TraceBuilder::OnScope(std::string_view name, std::string_view version) {
  scope_ = version.empty() ? std::string(name) : fmt::format("{} {}", name, version);
}

std::size_t TraceBuilder::CurrentResource() {
  if (resource_id_) return *resource_id_;
  const auto [it, is_new] = resource_ids_.try_emplace(JsonOf(resource_), resources_.size());
  if (is_new) AddResource();
  resource_id_ = it->second;
  return it->second;
}

void TraceBuilder::AddResource() {
  Resource resource;
  resource.name = TextOfAttribute(resource_, "service.name");
  resource.process_id = IntegerOf(resource_, "process.pid", trace::kNotApplicable);
  if (TextOfAttribute(resource_, "xsp.clock_origin") == "source")
    writer_.SetClock(trace::ClockDomain::kSession);
  if (resources_.size() < kMostResourcesWithFacts) {
    const std::string prefix =
        resources_.empty() ? "resource." : fmt::format("resource.{}.", resources_.size());
    for (const Attribute& attribute : resource_)
      writer_.SetFact(prefix + attribute.key, ToText(attribute.value));
  }
  resources_.push_back(std::move(resource));
}

void TraceBuilder::OnFlaw(Flaw flaw, std::string_view example) {
  constexpr std::array kSpecs = {&kDamagedSpan, &kBadSpanId, &kBadSpanTime};
  writer_.Count(*kSpecs[static_cast<std::size_t>(flaw)], example);
}

void TraceBuilder::OnSpan(SpanRecord span) {
  if (!ids_.try_emplace(span.key, SpanId{0}).second)
    return writer_.Count(kDuplicateSpan, span.name);
  const std::size_t resource = CurrentResource();
  if (const auto level = LevelOf(span.attributes)) return AddOwnSpan(span, *level);
  waiting_.push_back({std::move(span), resource, scope_});
}

std::int64_t TraceBuilder::DurationOf(const SpanRecord& span) {
  const AnyValue* never_ended = Find(span.attributes, "xsp.never_ended");
  if (never_ended != nullptr && never_ended->boolean) return trace::kNeverEnded;
  if (span.end_ns == 0 && span.start_ns != 0) {
    writer_.Count(kNeverEndedSpan, span.name);
    return trace::kNeverEnded;
  }
  if (span.end_ns >= span.start_ns) return span.end_ns - span.start_ns;
  writer_.Count(kNegativeDuration, span.name);
  return 0;
}

SpanId TraceBuilder::Add(const SpanRecord& span, const trace::NewSpan& written) {
  const SpanId id = writer_.AddSpan(written);
  if (id == 0) return id;
  ids_[span.key] = id;
  if (span.parent != 0)
    parents_.emplace_back(id, SpanKey{span.key.trace_high, span.key.trace_low, span.parent});
  for (const LinkRecord& link : span.links)
    if (!link.is_launch) links_.emplace_back(id, link.from);
  for (const EventRecord& event : span.events)
    if (event.time_ns > 0) writer_.AddMark(written.track, event.time_ns, event.name);
  if (span.is_error) writer_.AddAttribute(id, "error", span.error.empty() ? "error" : span.error);
  return id;
}

TrackId TraceBuilder::TrackOfOwnSpan(const SpanRecord& span) {
  trace::Track track;
  track.name = TextOfAttribute(span.attributes, "xsp.track");
  const auto get = [&](std::string_view key) {
    return IntegerOf(span.attributes, key, trace::kNotApplicable);
  };
  track.process_id = get("process.pid");
  track.thread_id = get("thread.id");
  track.device = get("xsp.device");
  track.rank = get("xsp.rank");
  const bool is_on_device = track.device != trace::kNotApplicable;
  track.kind = is_on_device ? trace::TrackKind::kStream : trace::TrackKind::kThread;
  const std::string key = fmt::format("{} {} {} {} {}", track.process_id, track.thread_id,
                                      track.device, track.rank, track.name);
  const auto [it, is_new] = tracks_.try_emplace(key, TrackId{0});
  if (is_new) it->second = writer_.AddTrack(std::move(track));
  return it->second;
}

void TraceBuilder::AddOwnSpan(const SpanRecord& span, Level level) {
  const std::string type = TextOfAttribute(span.attributes, "xsp.type");
  const std::int64_t correlation = IntegerOf(span.attributes, "xsp.correlation_id", 0);
  const SpanId id = Add(span, {.level = level,
                               .type = type,
                               .name = span.name,
                               .track = TrackOfOwnSpan(span),
                               .start_ns = span.start_ns,
                               .duration_ns = DurationOf(span),
                               .parent = 0,
                               .correlation_id = std::max<std::int64_t>(correlation, 0)});
  if (id != 0) AddDetails(id, span.attributes);
}

void TraceBuilder::AddDetails(SpanId id, const Attributes& attributes) {
  for (const Attribute& attribute : attributes) {
    if (!attribute.key.starts_with(kOwnPrefix)) continue;
    if (std::ranges::find(kOwnColumns, attribute.key) != kOwnColumns.end()) continue;
    const std::string_view name = std::string_view(attribute.key).substr(kOwnPrefix.size());
    if (attribute.value.kind == AnyValue::Kind::kNumber) {
      writer_.AddMetric(id, name, attribute.value.number, "", kOwnProvenance);
    } else {
      writer_.AddAttribute(id, name, ToText(attribute.value));
    }
  }
}

void TraceBuilder::AddForeignSpan(const Waiting& waiting, TrackId track) {
  const SpanRecord& span = waiting.span;
  const std::string operation = TextOfAttribute(span.attributes, "gen_ai.operation.name");
  const bool calls_model = CallsModel(operation);
  const SpanId id = Add(span, {.level = calls_model ? Level::kModel : Level::kApplication,
                               .type = calls_model ? trace::type::kPredict : trace::type::kRange,
                               .name = span.name,
                               .track = track,
                               .start_ns = span.start_ns,
                               .duration_ns = DurationOf(span)});
  if (id == 0) return;
  if (!waiting.scope.empty()) writer_.AddAttribute(id, "scope", waiting.scope);
  for (const std::string_view tokens :
       {"gen_ai.usage.input_tokens", "gen_ai.usage.output_tokens"}) {
    const std::int64_t count = IntegerOf(span.attributes, tokens, -1);
    if (count >= 0)
      writer_.AddMetric(id, tokens, static_cast<double>(count), "token", kOtlpProvenance);
  }
  if (!span.attributes.empty()) writer_.AddArguments(id, JsonOf(span.attributes));
}

void TraceBuilder::AddWaiting() {
  using GroupKey = std::tuple<std::uint64_t, std::uint64_t, ThreadKey>;
  std::map<GroupKey, Group> groups;
  std::map<ThreadKey, std::vector<Group*>> threads;
  for (const Waiting& waiting : waiting_) {
    const SpanRecord& span = waiting.span;
    ThreadKey thread{waiting.resource, TextOfAttribute(span.attributes, "thread.name")};
    if (thread.second.empty()) thread.second = TextOfAttribute(span.attributes, "thread.id");
    const auto [it, is_new] = groups.try_emplace({span.key.trace_high, span.key.trace_low, thread});
    Group& group = it->second;
    if (is_new) {
      threads[thread].push_back(&group);
      group.start_ns = span.start_ns;
    }
    group.spans.push_back(&waiting);
    group.start_ns = std::min(group.start_ns, span.start_ns);
    group.end_ns = std::max(group.end_ns, LatestOf(span));
  }
  for (auto& [thread, of_thread] : threads) AddThread(thread, std::move(of_thread));
}

void TraceBuilder::AddThread(const ThreadKey& thread, std::vector<Group*> groups) {
  std::ranges::stable_sort(groups, {}, &Group::start_ns);
  const Resource& resource = resources_[thread.first];
  // Traces that run at once would seem to contain each other on one track.
  std::vector<std::pair<std::int64_t, TrackId>> lanes;
  for (Group* group : groups) {
    auto lane = std::ranges::find_if(
        lanes, [&](const auto& candidate) { return candidate.first <= group->start_ns; });
    if (lane == lanes.end()) {
      trace::Track track;
      track.kind = trace::TrackKind::kThread;
      track.name = resource.name.empty() ? "unknown service" : resource.name;
      if (!thread.second.empty()) track.name += " " + thread.second;
      if (!lanes.empty()) track.name += fmt::format(" ({})", lanes.size() + 1);
      track.process_id = resource.process_id;
      lane = lanes.emplace(lanes.end(), 0, writer_.AddTrack(std::move(track)));
    }
    lane->first = group->end_ns;
    std::ranges::stable_sort(group->spans, {}, [](const Waiting* w) {
      return std::pair(w->span.start_ns, -LatestOf(w->span));
    });
    for (const Waiting* waiting : group->spans) AddForeignSpan(*waiting, lane->second);
  }
}

void TraceBuilder::SetParents() {
  std::unordered_map<SpanId, SpanId> parent_of;
  for (const auto& [id, key] : parents_) {
    const auto found = ids_.find(key);
    if (found == ids_.end() || found->second == 0) {
      writer_.Count(kMissingParent, writer_.trace().Text(writer_.trace().spans.name[id - 1]));
    } else {
      parent_of[id] = found->second;
    }
  }
  // Each span is walked over once: `walk_of` says in which walk, so that meeting the own walk again
  // is a cycle.
  std::unordered_map<SpanId, SpanId> walk_of;
  for (const auto& [id, key] : parents_) {
    SpanId at = id;
    while (parent_of.contains(at) && walk_of.try_emplace(at, id).second) {
      const SpanId next = parent_of[at];
      const auto seen = walk_of.find(next);
      if (next == at || (seen != walk_of.end() && seen->second == id)) {
        parent_of.erase(at);
        writer_.Count(kParentCycle, writer_.trace().Text(writer_.trace().spans.name[at - 1]));
        break;
      }
      at = next;
    }
  }
  for (const auto& [id, key] : parents_)
    if (const auto parent = parent_of.find(id); parent != parent_of.end())
      writer_.SetParent(id, parent->second);
}

void TraceBuilder::AddLinks() {
  for (const auto& [to, key] : links_) {
    const auto from = ids_.find(key);
    if (from == ids_.end() || from->second == 0) {
      writer_.Count(kMissingLink, writer_.trace().Text(writer_.trace().spans.name[to - 1]));
    } else {
      writer_.AddLink(from->second, to, trace::LinkKind::kFlow);
    }
  }
}

void TraceBuilder::Finish() {
  AddWaiting();
  SetParents();
  AddLinks();
}

}  // namespace xsp::importers::otlp
