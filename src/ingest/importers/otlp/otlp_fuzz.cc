// libFuzzer: any bytes as a file of OTLP. The first one chooses how much is read at a time; the
// result must not depend on it.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "ingest/importers/otlp/otlp_importer.h"

namespace {

struct Outcome {
  bool ok;
  std::size_t tracks, spans, marks, diagnostics;
  bool operator==(const Outcome&) const = default;
};

Outcome Import(const std::string& text, std::size_t chunk_bytes) {
  xsp::trace::Trace trace;
  xsp::trace::SourceWriter writer(trace, nullptr, {}, xsp::trace::ClockDomain::kEpoch,
                                  xsp::trace::Role::kTimeline);
  const bool ok = xsp::importers::otlp::ImportOtlpText(text, writer, chunk_bytes).ok();
  return {ok, trace.tracks.size(), trace.spans.size(), trace.marks.size(),
          trace.diagnostics.size()};
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string text(reinterpret_cast<const char*>(data) + 1, size - 1);
  const Outcome whole = Import(text, 4096);
  if (Import(text, 1 + data[0] % 64) != whole) std::abort();
  return 0;
}
