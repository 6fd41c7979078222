#include "measure/sessions/metrics_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <set>

namespace xsp::sessions {
namespace {

std::int64_t Number(std::string_view text) {
  std::int64_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

/// Whether a fact is `name`; of a second process that says otherwise it is NAME.<pid>.
bool Is(std::string_view key, std::string_view name) {
  return key.starts_with(name) && (key.size() == name.size() || key[name.size()] == '.');
}

/// Kernels that the recording has metrics of: a process that was killed, or left by _exit(), told
/// no figures at its end.
std::int64_t KernelsWithMetrics(const trace::Trace& trace) {
  std::set<trace::SpanId> kernels;
  for (std::size_t i = 0; i < trace.metrics.size(); ++i)
    if (trace.Text(trace.metrics.provenance[i]) == "measured:cupti")
      kernels.insert(trace.metrics.span[i]);
  return static_cast<std::int64_t>(kernels.size());
}

/// The first line of what the library told, with what to do.
std::vector<std::string> Problems(const trace::Trace& trace) {
  std::vector<std::string> sentences;
  for (const auto& [name, diagnostic] : trace.diagnostics) {
    if (!name.starts_with("cuda_") || name == "cuda_metrics_times") continue;
    sentences.push_back(fmt::format("Metrics run: {}. {}", diagnostic.example, diagnostic.hint));
  }
  return sentences;
}

}  // namespace

MetricsFigures FiguresOf(const trace::Trace& trace) {
  MetricsFigures figures;
  for (const auto& [key, value] : trace.facts) {
    if (Is(key, "cuda.metrics.kernels")) figures.kernels += Number(value);
    if (Is(key, "cuda.metrics.kernels_untied") || Is(key, "cuda.metrics.kernels_unmeasured"))
      figures.unmeasured += Number(value);
    if (Is(key, "cuda.metrics.graph_launches")) figures.graph_launches += Number(value);
    if (key.starts_with("cuda.metrics.device.") && key.find(".passes") != std::string::npos)
      figures.passes = std::max(figures.passes, Number(value));
  }
  figures.kernels = std::max(figures.kernels, KernelsWithMetrics(trace));
  return figures;
}

std::vector<std::string> MetricsNotes(const MetricsRun& run, std::string_view asked) {
  const MetricsFigures figures = FiguresOf(run.trace);
  std::vector<std::string> notes;
  if (figures.kernels > 0) {
    notes.push_back(fmt::format(
        "Kernel metrics ({}) come from a separate run: {} kernels, each replayed in {} passes; it "
        "took {:.3g} s, {:.2g} times as long as the recorded one, and its times are discarded.",
        asked, figures.kernels, figures.passes, run.seconds,
        run.recorded_s > 0 ? run.seconds / run.recorded_s : 0.0));
  } else {
    notes.push_back(
        fmt::format("Kernel metrics ({}) were requested, and no kernel has any.", asked));
  }
  if (figures.unmeasured > 0)
    notes.push_back(fmt::format("{} kernels were launched without metrics.", figures.unmeasured));
  if (!run.exit.success())
    notes.push_back("The run for metrics failed; its results until then are stored.");
  for (std::string& sentence : Problems(run.trace)) notes.push_back(std::move(sentence));
  return notes;
}

}  // namespace xsp::sessions
