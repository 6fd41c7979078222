// The findings of an experiment in words. Each sentence is made only when its evidence is there and
// says something that need not hold for another model.

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <utility>

#include "answer/findings/find_all.h"
#include "answer/findings/focus.h"
#include "answer/report/backend_sentences.h"
#include "answer/report/device_sentences.h"
#include "answer/report/evaluation_sentences.h"
#include "answer/report/layer_sentences.h"
#include "answer/report/machine_sentences.h"
#include "answer/report/path_sentences.h"
#include "answer/report/program_sentences.h"
#include "answer/report/summary.h"
#include "answer/report/work_sentences.h"

namespace xsp::report {
namespace {

/// What every sentence about one point needs.
struct Focus {
  const store::Database& database;
  std::int64_t point_id;
  std::string of;       // " of PyTorch 2.15.0" among several backends; empty: the only one.
  std::string backend;  // "PyTorch 2.15.0" likewise.
};

using Found = Result<std::vector<Sentence>>;

Found Backends(const Focus& focus) { return BackendSentences(focus.database, focus.point_id); }

Found Evaluation(const Focus& focus) { return EvaluationSentences(focus.database, focus.point_id); }

/// Among several backends a sentence about one says which.
Sentence OfBackend(Sentence sentence, const Focus& focus) {
  if (!focus.backend.empty() && sentence.text.find(focus.backend) == std::string::npos)
    sentence.text = fmt::format("{}: {}", focus.backend, sentence.text);
  return sentence;
}

Found NothingToSee(const Focus& focus) {
  return NothingToSeeSentences(focus.database, focus.point_id);
}

Found Disagreement(const Focus& focus) {
  return DisagreementSentences(focus.database, focus.point_id);
}

Found Distortion(const Focus& focus) { return DistortionSentences(focus.database, focus.point_id); }

Found TopLayers(const Focus& focus) { return TopLayerSentences(focus.database, focus.point_id); }

Found OutsideKernels(const Focus& focus) {
  return OutsideKernelSentences(focus.database, focus.point_id);
}

Found HostWaits(const Focus& focus) { return HostWaitSentences(focus.database, focus.point_id); }

Found Devices(const Focus& focus) { return DeviceSentences(focus.database, focus.point_id); }

Found Path(const Focus& focus) { return PathSentences(focus.database, focus.point_id); }

Found Program(const Focus& focus) { return ProgramSentences(focus.database, focus.point_id); }

Found Machine(const Focus& focus) { return MachineSentences(focus.database, focus.point_id); }

Found Work(const Focus& focus) { return WorkSentences(focus.database, focus.point_id); }

/// A maker of sentences that is not yet a rule of findings/, at its place among the rules.
struct Finder {
  Found (*find)(const Focus&);
  int rank;
  bool rests_on_shares = false;
  bool of_point = true;  ///< Else of all points: it names itself what it is about.
  bool is_first = false;
};

constexpr Finder kFinders[] = {
    {.find = NothingToSee, .rank = 10, .is_first = true},
    {.find = Disagreement, .rank = 20, .is_first = true},
    {.find = Distortion, .rank = 30, .rests_on_shares = true, .is_first = true},
    {.find = Backends, .rank = 40},
    {.find = Evaluation, .rank = 50},
    {.find = Program, .rank = 70},
    {.find = Devices, .rank = 91},
    {.find = HostWaits, .rank = 100},
    {.find = Path, .rank = 110, .rests_on_shares = true},
    {.find = Work, .rank = 120},
    {.find = OutsideKernels, .rank = 230, .rests_on_shares = true},
    {.find = TopLayers, .rank = 240, .rests_on_shares = true},
    {.find = Machine, .rank = 260},
};

/// A sentence and its place: those about trust first, then by gain, then by rank.
struct Placed {
  bool is_first;
  double gain_ns;  ///< 0: not known.
  int rank;
  Sentence sentence;

  auto order() const { return std::make_tuple(!is_first, is_first ? 0 : -gain_ns, rank); }
};

/// Of the makers that are not yet rules.
Status AppendFound(const Focus& focus, bool shares_hold, std::vector<Placed>& placed) {
  for (const Finder& finder : kFinders) {
    if (finder.rests_on_shares && !shares_hold) continue;
    XSP_TRY(std::vector<Sentence> found, finder.find(focus));
    for (Sentence& sentence : found)
      placed.push_back(
          {finder.is_first, 0, finder.rank,
           finder.of_point ? OfBackend(std::move(sentence), focus) : std::move(sentence)});
  }
  return Ok{};
}

}  // namespace

Result<std::vector<Sentence>> Sentences(const store::Database& database, std::int64_t point_id,
                                        const std::vector<findings::Rule>& rules) {
  XSP_TRY(const findings::Focus point, findings::FocusOn(database, point_id));
  if (point.point_id == 0) return std::vector<Sentence>{};
  XSP_TRY(const findings::Findings findings, findings::FindAll(rules, database, point_id));
  std::vector<Placed> placed;
  bool shares_hold = true;
  for (const findings::Finding& finding : findings.found) {
    shares_hold &= finding.rule->id != "interference";
    placed.push_back({finding.rule->is_first,
                      finding.evidence.gain ? finding.evidence.gain->ns : 0,
                      finding.rule->rank,
                      {finding.sentence, finding.rule->see}});
  }
  XSP_RETURN_IF_ERROR(
      AppendFound({database, point_id, point.of, point.backend}, shares_hold, placed));
  std::stable_sort(placed.begin(), placed.end(),
                   [](const Placed& a, const Placed& b) { return a.order() < b.order(); });
  constexpr std::size_t kMostSentences = 9;
  std::vector<Sentence> sentences;
  for (Placed& one : placed)
    if (sentences.size() < kMostSentences) sentences.push_back(std::move(one.sentence));
  return sentences;
}

Result<Summary> Summarise(const store::Database& database,
                          const std::vector<findings::Rule>& rules) {
  Summary summary;
  XSP_TRY(summary.point_id, findings::BestPoint(database));
  XSP_TRY(summary.badges, Badges(database));
  XSP_TRY(summary.sentences, Sentences(database, summary.point_id, rules));
  return summary;
}

}  // namespace xsp::report
