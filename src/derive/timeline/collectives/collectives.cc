#include "derive/timeline/collectives/collectives.h"

#include <algorithm>
#include <map>
#include <string>
#include <tuple>
#include <utility>

#include "derive/timeline/collectives/collective_attributes.h"
#include "derive/timeline/collectives/operation_name.h"
#include "derive/timeline/sweep.h"
#include "store/nullable.h"
#include "store/rows/collective_row.h"

namespace xsp::timeline::collectives {
namespace {

/// How long a device had computed by any time.
class ComputedTime {
 public:
  explicit ComputedTime(const Device& device) {
    SweepDevice(device, [&](std::int64_t from, std::int64_t to, const Running& running) {
      if (running[static_cast<std::size_t>(Activity::kCompute)] == 0) return;
      const std::int64_t before = segments_.empty() ? 0 : segments_.back().computed_ns;
      segments_.push_back({from, to, before + (to - from)});
    });
  }

  std::int64_t Between(std::int64_t from, std::int64_t to) const { return Until(to) - Until(from); }

 private:
  struct Segment {
    std::int64_t from, to;
    std::int64_t computed_ns;  ///< At its end.
  };

  std::int64_t Until(std::int64_t time) const {
    const auto after =
        std::upper_bound(segments_.begin(), segments_.end(), time,
                         [](std::int64_t t, const Segment& segment) { return t < segment.from; });
    if (after == segments_.begin()) return 0;
    const Segment& last = *(after - 1);
    return last.computed_ns - std::max<std::int64_t>(0, last.to - time);
  }

  std::vector<Segment> segments_;
};

/// What the partners of a collective have in common.
using Key = std::tuple<std::string_view, std::string_view, std::string_view, std::int64_t>;

Key KeyOf(const Collective& collective) {
  const bool attributes = !collective.process_group.empty();
  return {collective.operation, collective.process_group, collective.process_group_ranks,
          attributes ? trace::kNotApplicable : collective.stream};
}

void AddThoseOf(const Device& device, const Timeline& timeline,
                const CollectiveAttributeIndex& attributes, std::vector<Collective>& collectives) {
  const bool any = std::any_of(device.spans.begin(), device.spans.end(), [](const DeviceSpan& s) {
    return s.activity == Activity::kCommunication;
  });
  if (!any) return;
  const ComputedTime computed(device);
  std::map<trace::StringId, std::string_view> by_kernel;  // Operations that only the name tells.
  for (const DeviceSpan& span : device.spans) {
    if (span.activity != Activity::kCommunication) continue;
    Collective& made = collectives.emplace_back();
    made.span = span.span;
    made.rank = device.rank;
    made.device = device.device;
    made.stream = timeline.TrackOf(span.span).stream;
    made.step = span.step;
    made.start_ns = span.start_ns;
    made.duration_ns = span.end_ns - span.start_ns;
    made.exposed_ns = made.duration_ns - computed.Between(span.start_ns, span.end_ns);
    if (const CollectiveAttributes* is_said = attributes.Of(span)) {
      made.operation = OperationOf(is_said->collective, timeline.NameOf(span.span));
      made.process_group = is_said->process_group;
      made.process_group_ranks = is_said->process_group_ranks;
      made.dtype = is_said->dtype;
      made.bytes = is_said->bytes;
      made.group_size = is_said->group_size;
    } else {
      std::string_view& operation = by_kernel[timeline.trace().spans.name[span.span - 1]];
      if (operation.empty()) operation = OperationOf({}, timeline.NameOf(span.span));
      made.operation = operation;
    }
  }
}

/// Numbers the collectives and compares partners. They are by device and start.
void Match(std::vector<Collective>& collectives) {
  struct Instance {
    std::int64_t last_start_ns, shortest_ns;
    int partners;
  };
  std::map<Key, std::size_t> ids;
  std::vector<std::vector<Instance>> instances;  // By key.
  std::vector<std::size_t> key_of(collectives.size());
  std::vector<std::int64_t> next;  // By key: of the device at hand.
  for (std::size_t i = 0; i < collectives.size(); ++i) {
    Collective& at = collectives[i];
    if (i > 0 && std::pair(at.rank, at.device) !=
                     std::pair(collectives[i - 1].rank, collectives[i - 1].device))
      std::fill(next.begin(), next.end(), 0);
    const std::size_t key = ids.try_emplace(KeyOf(at), ids.size()).first->second;
    key_of[i] = key;
    if (key == instances.size()) {
      instances.emplace_back();
      next.push_back(0);
    }
    at.instance = next[key]++;
    const auto row = static_cast<std::size_t>(at.instance);
    if (row == instances[key].size()) {
      instances[key].push_back({at.start_ns, at.duration_ns, 1});
    } else {
      Instance& with = instances[key][row];
      with.last_start_ns = std::max(with.last_start_ns, at.start_ns);
      with.shortest_ns = std::min(with.shortest_ns, at.duration_ns);
      ++with.partners;
    }
  }
  for (std::size_t i = 0; i < collectives.size(); ++i) {
    Collective& at = collectives[i];
    const Instance& with = instances[key_of[i]][static_cast<std::size_t>(at.instance)];
    if (with.partners == 1) continue;
    at.arrival_skew_ns = with.last_start_ns - at.start_ns;
    at.transfer_ns = with.shortest_ns;
  }
}

void AddRows(const Timeline& timeline, ExperimentRows& rows) {
  constexpr std::size_t kMost = 100'000;
  std::vector<Collective> collectives = FindCollectives(timeline);
  if (collectives.size() > kMost) {
    std::nth_element(collectives.begin(), collectives.begin() + kMost, collectives.end(),
                     [](const Collective& a, const Collective& b) {
                       return std::tuple(-a.duration_ns, a.span) <
                              std::tuple(-b.duration_ns, b.span);
                     });
    collectives.resize(kMost);
  }
  for (const Collective& at : collectives) {
    rows.Add(store::CollectiveRow{
        .run_id = rows.run_id(),
        .rank = ApplicableOrNull(at.rank),
        .device = ApplicableOrNull(at.device),
        .stream = ApplicableOrNull(at.stream),
        .step = ApplicableOrNull(timeline.NumberOf(at.step)),
        .operation = std::string(at.operation),
        .name = std::string(timeline.NameOf(at.span)),
        .process_group = store::TextOrNull(at.process_group),
        .group_size = at.group_size < 0 ? std::nullopt
                                        : std::optional(static_cast<std::int64_t>(at.group_size)),
        .dtype = store::TextOrNull(at.dtype),
        .bytes = at.bytes < 0 ? std::nullopt : std::optional(at.bytes),
        .instance = at.instance,
        .start_ns = at.start_ns,
        .duration_ns = at.duration_ns,
        .exposed_ns = at.exposed_ns,
        .arrival_skew_ns = ApplicableOrNull(at.arrival_skew_ns),
        .transfer_ns = ApplicableOrNull(at.transfer_ns)});
  }
}

}  // namespace

std::vector<Collective> FindCollectives(const Timeline& timeline) {
  std::vector<Collective> collectives;
  const auto devices = timeline.devices();
  const bool any = std::any_of(devices.begin(), devices.end(), [](const Device& device) {
    return std::any_of(device.spans.begin(), device.spans.end(), [](const DeviceSpan& span) {
      return span.activity == Activity::kCommunication;
    });
  });
  if (!any) return collectives;
  const CollectiveAttributeIndex attributes(timeline);
  for (const Device& device : devices) AddThoseOf(device, timeline, attributes, collectives);
  Match(collectives);
  return collectives;
}

extern const TimelineSpec kSpec;
constinit const TimelineSpec kSpec = {
    .name = "collectives",
    .summary = "Communicating kernels, and their partners on other ranks",
    .add_rows = AddRows,
};

}  // namespace xsp::timeline::collectives
