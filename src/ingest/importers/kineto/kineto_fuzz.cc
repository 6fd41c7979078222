// libFuzzer: any bytes as a trace. The first one chooses how much is read at a time; the result
// must not depend on it. Half of the mutations know what a trace is made of: they move, repeat and
// drop whole objects and put other keys and values where one stood.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <random>
#include <string>
#include <string_view>

#include "ingest/importers/kineto/kineto_importer.h"

namespace {

struct Outcome {
  bool ok;
  std::size_t spans, counters, marks, links, diagnostics;
  bool operator==(const Outcome&) const = default;
};

Outcome Import(const std::string& text, std::size_t chunk_bytes) {
  xsp::trace::Trace trace;
  xsp::trace::SourceWriter writer(trace, nullptr, {}, xsp::trace::ClockDomain::kSession,
                                  xsp::trace::Role::kTimeline);
  const bool ok = xsp::importers::kineto::ImportKinetoText(text, writer, chunk_bytes).ok();
  return {ok,
          trace.spans.size(),
          trace.counters.size(),
          trace.marks.size(),
          trace.links.size(),
          trace.diagnostics.size()};
}

constexpr std::array<std::string_view, 52> kWords = {"\"traceEvents\"",
                                                     "\"ph\"",
                                                     "\"cat\"",
                                                     "\"name\"",
                                                     "\"pid\"",
                                                     "\"tid\"",
                                                     "\"ts\"",
                                                     "\"dur\"",
                                                     "\"id\"",
                                                     "\"args\"",
                                                     "\"X\"",
                                                     "\"s\"",
                                                     "\"f\"",
                                                     "\"i\"",
                                                     "\"M\"",
                                                     "\"C\"",
                                                     "\"kernel\"",
                                                     "\"cuda_sync\"",
                                                     "\"cuda_profiler_range\"",
                                                     "\"gpu_memcpy\"",
                                                     "\"gpu_memset\"",
                                                     "\"python_function\"",
                                                     "\"user_annotation\"",
                                                     "\"gpu_user_annotation\"",
                                                     "\"cuda_driver\"",
                                                     "\"overhead\"",
                                                     "\"Trace\"",
                                                     "\"fwdbwd\"",
                                                     "\"record_param_comms\"",
                                                     "\"Collective name\"",
                                                     "\"wait_on_stream\"",
                                                     "\"stream\"",
                                                     "\"dtype\"",
                                                     "\"cpu_op\"",
                                                     "\"cuda_runtime\"",
                                                     "\"ac2g\"",
                                                     "\"[memory]\"",
                                                     "\"correlation\"",
                                                     "\"External id\"",
                                                     "\"Input Dims\"",
                                                     "\"baseTimeNanoseconds\"",
                                                     "\"distributedInfo\"",
                                                     "9223372036854775807",
                                                     "-1",
                                                     "1e308",
                                                     "1682725898082.2285",
                                                     "\"17\"",
                                                     "null",
                                                     "[[[[[[[[",
                                                     "{}",
                                                     "\"\\ud800\"",
                                                     "\"a\\nb\\u0000\""};

/// Where the object that `open` starts ends, one past its '}'; the text's end where it does not.
std::size_t EndOfObject(std::string_view text, std::size_t open) {
  int depth = 0;
  for (std::size_t at = open; at < text.size(); ++at) {
    if (text[at] == '{') ++depth;
    if (text[at] == '}' && --depth == 0) return at + 1;
  }
  return text.size();
}

/// The first `wanted` at or after a random place, else from the start; npos: there is none.
std::size_t FindFrom(std::string_view text, char wanted, std::mt19937& random) {
  const std::size_t found = text.find(wanted, random() % text.size());
  return found != std::string_view::npos ? found : text.find(wanted);
}

void MutateObject(std::string& text, std::mt19937& random) {
  const std::size_t open = FindFrom(text, '{', random);
  if (open == std::string::npos) return;
  const std::size_t end = EndOfObject(text, open);
  const std::string object = text.substr(open, end - open);
  switch (random() % 3) {
    case 0:
      text.erase(open, end - open);
      break;
    case 1:
      text.insert(end, "," + object);
      break;
    default: {
      text.erase(open, end - open);
      const std::size_t other = text.empty() ? 0 : random() % text.size();
      text.insert(other, object);
    }
  }
}

void MutateToken(std::string& text, std::mt19937& random) {
  constexpr std::string_view kMarks = ":,{[";
  const std::size_t mark = FindFrom(text, kMarks[random() % kMarks.size()], random);
  if (mark == std::string::npos) return;
  const std::size_t end = std::min(text.find_first_of(",:}]", mark + 1), text.size());
  text.replace(mark + 1, random() % 4 == 0 ? 0 : end - mark - 1, kWords[random() % kWords.size()]);
}

}  // namespace

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t most, unsigned seed) {
  std::mt19937 random(seed);
  if (size < 2 || random() % 2 == 0) return LLVMFuzzerMutate(data, size, most);
  std::string text(reinterpret_cast<const char*>(data) + 1, size - 1);
  for (unsigned left = 1 + random() % 3; left > 0 && !text.empty(); --left)
    random() % 2 == 0 ? MutateObject(text, random) : MutateToken(text, random);
  text.resize(std::min(text.size(), most - 1));
  std::memcpy(data + 1, text.data(), text.size());
  return text.size() + 1;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string text(reinterpret_cast<const char*>(data) + 1, size - 1);
  const Outcome whole = Import(text, 4096);
  if (Import(text, 1 + data[0] % 64) != whole) std::abort();
  return 0;
}
