#include "derive/timeline/kernel_sequences/kernel_sequences.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "core/json_text.h"
#include "derive/timeline/key_index.h"
#include "store/rows/kernel_sequence_row.h"

namespace xsp::timeline::kernel_sequences {
namespace {

using trace::SpanId;

constexpr std::size_t kMostSequences = 100;
constexpr std::uint32_t kCut = 0;

/// The computing kernels of a device, stream by stream, as a text: a symbol for each name, a cut
/// wherever a sequence ends.
struct Text {
  std::vector<std::uint32_t> symbols;  ///< Starts and ends with kCut.
  std::vector<SpanId> spans;           ///< 0 at cuts.
  // Sums over all positions before this one.
  std::vector<std::int64_t> duration_ns;
  std::vector<std::int64_t> gap_ns;  ///< Of the gaps before each kernel; 0 after a cut.
  std::uint32_t alphabet = 1;        ///< Symbols are below.

  std::int64_t DurationOf(std::size_t at, std::size_t length) const {
    return duration_ns[at + length] - duration_ns[at];
  }
  std::int64_t GapsIn(std::size_t at, std::size_t length) const {
    return gap_ns[at + length] - gap_ns[at + 1];
  }
};

Text TextOf(const Timeline& timeline, const Device& device) {
  const trace::SpanTable& spans = timeline.trace().spans;
  std::unordered_map<trace::TrackId, std::size_t> index;
  std::vector<std::vector<const DeviceSpan*>> streams;
  for (const DeviceSpan& span : device.spans) {
    const auto [it, is_new] = index.try_emplace(spans.track[span.span - 1], streams.size());
    if (is_new) streams.emplace_back();
    streams[it->second].push_back(&span);
  }
  Text text;
  KeyIndex names;
  const auto add = [&](std::uint32_t symbol, SpanId span, std::int64_t duration, std::int64_t gap) {
    text.symbols.push_back(symbol);
    text.spans.push_back(span);
    text.duration_ns.push_back(text.duration_ns.back() + duration);
    text.gap_ns.push_back(text.gap_ns.back() + gap);
  };
  text.duration_ns.push_back(0);
  text.gap_ns.push_back(0);
  add(kCut, 0, 0, 0);
  for (const std::vector<const DeviceSpan*>& stream : streams) {
    const DeviceSpan* before = nullptr;  // The kernel before, unless a sequence ends after it.
    for (const DeviceSpan* span : stream) {
      const bool computes = span->activity == Activity::kCompute;
      if (before != nullptr && !(computes && span->step == before->step &&
                                 span->start_ns - before->end_ns <= kLongestGapNs)) {
        add(kCut, 0, 0, 0);
        before = nullptr;
      }
      if (!computes) continue;
      const std::int64_t gap =
          before == nullptr ? 0 : std::max<std::int64_t>(0, span->start_ns - before->end_ns);
      add(names.Of(spans.name[span->span - 1]) + 1, span->span, span->end_ns - span->start_ns, gap);
      before = span;
    }
    if (before != nullptr) add(kCut, 0, 0, 0);
  }
  text.alphabet = static_cast<std::uint32_t>(names.size() + 1);
  return text;
}

/// What is known of a sequence before it is worth writing down.
struct Candidate {
  std::size_t at = 0, length = 0;  ///< First occurrence in the text.
  std::int64_t occurrences = 0, duration_ns = 0, gap_ns = 0;

  /// Whether it comes before `other`.
  bool operator<(const Candidate& other) const {
    return std::tuple(-duration_ns, at, length) <
           std::tuple(-other.duration_ns, other.at, other.length);
  }
};

/// The best so far.
class Best {
 public:
  explicit Best(std::size_t most) : most_(most) {}

  bool HasRoomFor(const Candidate& candidate) const {
    return best_.size() < most_ || (most_ > 0 && candidate < best_.front());
  }
  void Add(const Candidate& candidate) {
    if (!HasRoomFor(candidate)) return;
    if (best_.size() == most_) {
      std::pop_heap(best_.begin(), best_.end());
      best_.pop_back();
    }
    best_.push_back(candidate);
    std::push_heap(best_.begin(), best_.end());
  }
  std::vector<Candidate> Take() {
    std::sort(best_.begin(), best_.end());
    return std::move(best_);
  }

 private:
  std::size_t most_;
  std::vector<Candidate> best_;  ///< A heap, the last of them in front.
};

/// Whether more than half of the `length` symbols are one sequence three times or more, or all of
/// them one more than one and a half times.
bool RepeatsItself(const std::uint32_t* symbols, std::size_t length) {
  for (std::size_t period = 1; 3 * period < 2 * length; ++period) {
    std::size_t run = period, longest = period;
    for (std::size_t i = period; i < length; ++i) {
      run = symbols[i] == symbols[i - period] ? run + 1 : period;
      longest = std::max(longest, run);
    }
    if (longest == length || (longest >= 3 * period && 2 * longest > length)) return true;
  }
  return false;
}

/// Divides the places of the text by what follows them, one group of equal beginnings after the
/// other: a suffix tree cut off at a depth, walked without being stored.
class Search {
 public:
  Search(const Text& text, std::size_t longest, Best& best)
      : text_(text), longest_(longest), best_(best), count_(text.alphabet + 1, 0) {}

  void Run() {
    for (std::size_t i = 0; i < text_.symbols.size(); ++i)
      if (text_.symbols[i] != kCut) places_.push_back(static_cast<std::uint32_t>(i));
    scratch_.resize(places_.size());
    FindMost();
    open_.push_back({0, places_.size(), 0});
    while (!open_.empty()) {
      const Group group = open_.back();
      open_.pop_back();
      Visit(group);
    }
  }

 private:
  /// places_[first, last), ascending, at which the same `length` symbols stand.
  struct Group {
    std::size_t first, last, length;
  };

  void FindMost() {
    std::vector<std::int64_t> most_of(text_.alphabet, 0);
    for (std::size_t i = 0; i < text_.symbols.size(); ++i) {
      std::int64_t& most = most_of[text_.symbols[i]];
      most = std::max(most, text_.DurationOf(i, 1));
    }
    most_ns_.push_back(0);
    for (const std::uint32_t symbol : text_.symbols)
      most_ns_.push_back(most_ns_.back() + most_of[symbol]);
  }

  std::uint32_t At(std::size_t i, std::size_t offset) const {
    return text_.symbols[places_[i] + offset];
  }

  void Visit(Group group) {
    if (group.length > 0) group.length = CommonLength(group);
    if (group.length >= 2) Judge(group);
    if (group.length < longest_) Divide(group);
  }

  /// How far all places of the group go together.
  std::size_t CommonLength(const Group& group) const {
    const std::uint32_t* first = &text_.symbols[places_[group.first]];
    std::size_t most = longest_;
    for (std::size_t i = group.first; i < group.last; ++i) {
      const std::uint32_t* other = &text_.symbols[places_[i]];
      std::size_t length = group.length;
      while (length < most && first[length] != kCut && first[length] == other[length]) ++length;
      most = length;
    }
    return most;
  }

  void Judge(const Group& group) {
    Candidate candidate{places_[group.first], group.length, 0, 0, 0};
    // It cannot take longer than if each of its kernels always took its name's longest time.
    candidate.duration_ns = static_cast<std::int64_t>(group.last - group.first) *
                            (most_ns_[candidate.at + group.length] - most_ns_[candidate.at]);
    if (!best_.HasRoomFor(candidate)) return;
    candidate.duration_ns = 0;
    std::size_t free_from = 0;
    for (std::size_t i = group.first; i < group.last; ++i) {
      const std::size_t at = places_[i];
      if (at < free_from) continue;
      free_from = at + group.length;
      ++candidate.occurrences;
      candidate.duration_ns += text_.DurationOf(at, group.length);
      candidate.gap_ns += text_.GapsIn(at, group.length);
    }
    // It overlaps with itself: it is a piece of a repetition.
    const auto overlapping =
        static_cast<std::int64_t>(group.last - group.first) - candidate.occurrences;
    if (4 * overlapping > candidate.occurrences + overlapping) return;
    if (candidate.occurrences < 2 || !best_.HasRoomFor(candidate)) return;
    if (ComesAfterTheSame(group)) return;
    if (!RepeatsItself(&text_.symbols[candidate.at], candidate.length)) best_.Add(candidate);
  }

  /// Whether the same kernel comes before every occurrence: the sequence is then a part of another.
  bool ComesAfterTheSame(const Group& group) const {
    const std::uint32_t before = text_.symbols[places_[group.first] - 1];
    if (before == kCut) return false;
    for (std::size_t i = group.first; i < group.last; ++i)
      if (text_.symbols[places_[i] - 1] != before) return false;
    return true;
  }

  /// Sorts the group's places by their next symbol and opens a group for each that two share.
  void Divide(const Group& group) {
    symbols_.clear();
    for (std::size_t i = group.first; i < group.last; ++i)
      if (const std::uint32_t symbol = At(i, group.length); symbol != kCut && count_[symbol]++ == 0)
        symbols_.push_back(symbol);
    std::size_t next = group.first;
    for (const std::uint32_t symbol : symbols_) {
      const std::size_t first = next;
      next += count_[symbol];
      count_[symbol] = first;
      if (next - first >= 2) open_.push_back({first, next, group.length + 1});
    }
    for (std::size_t i = group.first; i < group.last; ++i)
      if (const std::uint32_t symbol = At(i, group.length); symbol != kCut)
        scratch_[count_[symbol]++] = places_[i];
    std::copy(scratch_.begin() + static_cast<std::ptrdiff_t>(group.first),
              scratch_.begin() + static_cast<std::ptrdiff_t>(next),
              places_.begin() + static_cast<std::ptrdiff_t>(group.first));
    for (const std::uint32_t symbol : symbols_) count_[symbol] = 0;
  }

  const Text& text_;
  std::size_t longest_;
  Best& best_;
  std::vector<std::uint32_t> places_, scratch_, symbols_;
  std::vector<std::int64_t> most_ns_;  ///< Sums, before each place, of the longest of each name.
  std::vector<std::size_t> count_;     ///< By symbol; 0 between uses.
  std::vector<Group> open_;
};

/// Kernels of one name that run again and again: of each name the length of run that took the most.
void FindRuns(const Text& text, std::size_t longest, Best& best) {
  KeyIndex index;  // (symbol, length)
  std::vector<Candidate> runs;
  for (std::size_t first = 0; first < text.symbols.size();) {
    std::size_t last = first + 1;
    while (last < text.symbols.size() && text.symbols[last] == text.symbols[first]) ++last;
    const std::size_t length = last - first;
    if (text.symbols[first] != kCut && length >= 2) {
      const std::uint32_t at = index.Of((std::uint64_t{text.symbols[first]} << 32) | length);
      if (at == runs.size()) runs.push_back({first, length, 0, 0, 0});
      ++runs[at].occurrences;
      runs[at].duration_ns += text.DurationOf(first, length);
      runs[at].gap_ns += text.GapsIn(first, length);
    }
    first = last;
  }
  std::vector<const Candidate*> most(text.alphabet, nullptr);
  for (const Candidate& run : runs) {
    const Candidate*& of_name = most[text.symbols[run.at]];
    if (run.occurrences < 2 || run.length > longest) continue;
    if (of_name == nullptr || run < *of_name) of_name = &run;
  }
  for (const Candidate* run : most)
    if (run != nullptr) best.Add(*run);
}

/// Leaves out what another sequence with more time tells as well.
std::vector<Candidate> Distinct(const Text& text, const std::vector<Candidate>& candidates,
                                std::size_t most) {
  const auto contains = [&](const Candidate& outer, const Candidate& inner) {
    const std::uint32_t* symbols = text.symbols.data();
    const std::uint32_t* end = symbols + outer.at + outer.length;
    return std::search(symbols + outer.at, end, symbols + inner.at,
                       symbols + inner.at + inner.length) != end;
  };
  std::vector<Candidate> kept;
  for (const Candidate& candidate : candidates) {
    if (kept.size() == most) break;
    const bool is_told = std::any_of(kept.begin(), kept.end(), [&](const Candidate& better) {
      const auto [fewer, more] = std::minmax(better.occurrences, candidate.occurrences);
      if (10 * (more - fewer) > more) return false;
      return better.length > candidate.length ? contains(better, candidate)
                                              : contains(candidate, better);
    });
    if (!is_told) kept.push_back(candidate);
  }
  return kept;
}

/// The innermost operator around device work; empty: none.
std::string_view OperatorOf(const Timeline& timeline, SpanId span) {
  const trace::Trace& trace = timeline.trace();
  for (SpanId at = trace.spans.parent[span - 1]; at != 0; at = trace.spans.parent[at - 1]) {
    const std::string_view type = trace.Text(trace.spans.type[at - 1]);
    if (trace.spans.level[at - 1] == trace::Level::kLayer && type != trace::type::kModule &&
        type != trace::type::kFunction)
      return timeline.NameOf(at);
  }
  return {};
}

void AddRows(const Timeline& timeline, ExperimentRows& rows) {
  for (const Device& device : timeline.devices()) {
    std::int64_t number = 0;
    for (const Sequence& sequence : FindSequences(timeline, device, kMostSequences)) {
      nlohmann::json names = nlohmann::json::array(), operators = nlohmann::json::array();
      bool any_operator = false;
      for (const SpanId kernel : sequence.kernels) {
        names.push_back(timeline.NameOf(kernel));
        const std::string_view name = OperatorOf(timeline, kernel);
        any_operator = any_operator || !name.empty();
        operators.push_back(name.empty() ? nlohmann::json() : nlohmann::json(name));
      }
      rows.Add(store::KernelSequenceRow{
          .run_id = rows.run_id(),
          .rank = ApplicableOrNull(device.rank),
          .device = ApplicableOrNull(device.device),
          .sequence = number++,
          .length = static_cast<std::int64_t>(sequence.kernels.size()),
          .kernels = core::JsonText(names),
          .occurrences = sequence.occurrences,
          .duration_ns = sequence.duration_ns,
          .gap_ns = sequence.gap_ns,
          .operators = any_operator ? std::optional(core::JsonText(operators)) : std::nullopt});
    }
  }
}

}  // namespace

std::vector<Sequence> FindSequences(const Timeline& timeline, const Device& device,
                                    std::size_t most, std::size_t longest) {
  const Text text = TextOf(timeline, device);
  Best best(10 * most);
  Search(text, longest, best).Run();
  FindRuns(text, longest, best);
  std::vector<Sequence> sequences;
  for (const Candidate& candidate : Distinct(text, best.Take(), most)) {
    const auto first = text.spans.begin() + static_cast<std::ptrdiff_t>(candidate.at);
    sequences.push_back({{first, first + static_cast<std::ptrdiff_t>(candidate.length)},
                         candidate.occurrences,
                         candidate.duration_ns,
                         candidate.gap_ns});
  }
  return sequences;
}

extern const TimelineSpec kSpec;
constinit const TimelineSpec kSpec = {
    .name = "kernel_sequences",
    .summary = "Kernels that follow each other on a stream again and again",
    .add_rows = AddRows,
};

}  // namespace xsp::timeline::kernel_sequences
