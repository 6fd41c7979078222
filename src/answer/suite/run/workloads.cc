#include "answer/suite/run/workloads.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>

#include "answer/suite/data_frame.h"
#include "core/counted.h"
#include "os/files.h"

namespace xsp::suite::run {
namespace {

using nlohmann::json;

/// Estimates only: the time of a run outside of its calls (making the model, four workers that load
/// and warm up), how fast a core computes, and model calls beside those asked for.
constexpr double kStartSeconds = 12;
constexpr double kFlopsPerSecond = 2e10;
constexpr double kRungs = 4;
constexpr double kWarmUpCalls = 20;

/// Of every kind the smallest, and one of convolutions.
const std::vector<std::string>& QuickNames() {
  static const std::vector<std::string> names = {"tiny", "ncf", "mobilenet_v1",
                                                 "deepbench_gemm_3072_1_1024", "train_ncf"};
  return names;
}

bool Has(const std::vector<std::string>& list, const std::string& item) {
  return std::ranges::find(list, item) != list.end();
}

bool IsWanted(const Selection& selection, const Workload& workload) {
  if (!selection.kinds.empty() && !Has(selection.kinds, workload.kind)) return false;
  if (!selection.names.empty()) return Has(selection.names, workload.name);
  return !selection.quick || Has(QuickNames(), workload.name);
}

Workload ModelOf(const Selection& selection, const json& entry) {
  const int iterations = selection.quick ? std::min(selection.iterations, 5) : selection.iterations;
  Workload workload;
  workload.name = entry.value("name", "");
  workload.kind = entry.value("task", "") == "kernel" ? "kernel" : "inference";
  workload.operation = "run";
  workload.request = {
      {"model", workload.name}, {"iterations", iterations}, {"batch", selection.batches}};
  if (!selection.backends.empty()) workload.request["backend"] = selection.backends;
  if (selection.quick) workload.request["warmup_limit"] = 5;
  const json flops = entry.value("flops", json());
  double samples = 0;
  for (const std::int64_t batch : selection.batches) samples += static_cast<double>(batch);
  workload.expected_s = kStartSeconds + (flops.is_number() ? flops.get<double>() : 0) * samples *
                                            (iterations * kRungs + kWarmUpCalls) / kFlopsPerSecond;
  return workload;
}

}  // namespace

std::vector<Workload> WorkloadsOf(const Selection& selection, const json& zoo,
                                  const std::filesystem::path& training) {
  std::vector<Workload> workloads;
  for (const json& entry : zoo.is_array() ? zoo : json::array())
    if (Workload workload = ModelOf(selection, entry); IsWanted(selection, workload))
      workloads.push_back(std::move(workload));
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(training, error)) {
    if (entry.path().extension() != ".py") continue;
    const auto text = os::ReadFile(entry.path(), 1 << 20);
    // The others are what the programs share.
    if (!text.ok() || !text.value().starts_with("#!")) continue;
    const bool trains = text.value().find("steps") != std::string::npos;
    std::vector<std::string> program = {selection.python, entry.path().string()};
    if (trains) program.insert(program.end(), {"--steps", selection.quick ? "6" : "40"});
    Workload workload{"train_" + entry.path().stem().string(),
                      "training",
                      "record",
                      {{"program", std::move(program)}},
                      90};
    if (IsWanted(selection, workload)) workloads.push_back(std::move(workload));
  }
  std::ranges::stable_sort(workloads, {}, &Workload::expected_s);
  return workloads;
}

double SecondsLeft(const std::vector<Outcome>& done, const std::vector<Workload>& left) {
  double guessed = 0, took = 0, rest = 0;
  for (const Outcome& outcome : done)
    if (outcome.status == "measured")
      guessed += outcome.workload.expected_s, took += outcome.seconds;
  for (const Workload& workload : left) rest += workload.expected_s;
  return guessed > 0 ? rest * took / guessed : rest;
}

Answer Summarise(const std::vector<Outcome>& outcomes) {
  Answer answer{"run", "Measured workloads of the suite", {}, {}, {}, {}};
  Table& table = answer.tables.emplace_back(EmptyTable(
      "workloads", "Workloads",
      {{"workload", "", "", ""},
       {"kind", "", "inference, kernel or training", ""},
       {"status", "", "measured now, kept from an earlier call, or failed", ""},
       {"seconds", "s", "What measuring took", "measured:xsp"},
       {"experiment", "", "In the store: xsp report NAME", ""},
       {"why", "",
        "The failure, or the difference between a kept experiment and the current settings", ""}}));
  std::map<std::string, int> count;
  std::vector<std::string> failed, in_part, otherwise;
  double seconds = 0;
  for (const Outcome& outcome : outcomes) {
    ++count[outcome.status];
    seconds += outcome.seconds;
    if (outcome.status == "failed") failed.push_back(outcome.workload.name);
    if (!outcome.why.empty() && outcome.status == "measured")
      in_part.push_back(outcome.workload.name);
    if (!outcome.why.empty() && outcome.status == "kept")
      otherwise.push_back(outcome.workload.name);
    if (!outcome.why.empty() && outcome.status != "kept" && !answer.incomplete)
      answer.incomplete = outcome.failure;
    store::Cell why;
    if (!outcome.why.empty()) why = outcome.why;
    table.rows.rows.push_back({outcome.workload.name, outcome.workload.kind, outcome.status,
                               NumberCell(outcome.seconds > 0 ? outcome.seconds : kMissing),
                               outcome.experiment, why});
  }
  answer.sentences.push_back(
      fmt::format("{} of {} {} measured in {:.3g} min, {} {} in the store already, {} failed.",
                  count["measured"], core::Counted(outcomes.size(), "workload"),
                  core::ByNumber(count["measured"], "was", "were"), seconds / 60, count["kept"],
                  core::ByNumber(count["kept"], "was", "were"), count["failed"]));
  if (!failed.empty())
    answer.sentences.push_back(
        fmt::format("Failed: {}; the column `why` has the reasons.", fmt::join(failed, ", ")));
  if (!in_part.empty())
    answer.sentences.push_back(fmt::format(
        "Measured partially: {}; the column `why` has the failures.", fmt::join(in_part, ", ")));
  if (!otherwise.empty())
    answer.sentences.push_back(
        fmt::format("Kept, but measured with other settings than requested: {}. --again measures "
                    "them again, --name keeps both.",
                    fmt::join(otherwise, ", ")));
  return answer;
}

}  // namespace xsp::suite::run
