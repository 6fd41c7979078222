#include "derive/timeline/activity.h"

#include <algorithm>
#include <array>

#include "trace/vocabulary.h"

namespace xsp::timeline {
namespace {

/// Parts of names of communicating kernels, without case. The last four are the one-shot
/// all-reduces of vLLM, SGLang, TensorRT-LLM and PyTorch's symmetric memory.
constexpr std::array<std::string_view, 11> kCommunicating = {"nccl",
                                                             "rccl",
                                                             "oneccl",
                                                             "msccl",
                                                             "nvshmem",
                                                             "internode::dispatch",
                                                             "internode::combine",
                                                             "cross_device_reduce",
                                                             "quickreduce",
                                                             "oneshotallreduce",
                                                             "one_shot_all_reduce"};

char Lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c; }

bool Holds(std::string_view text, std::string_view lower_case_part) {
  return std::search(text.begin(), text.end(), lower_case_part.begin(), lower_case_part.end(),
                     [](char a, char b) { return Lower(a) == b; }) != text.end();
}

}  // namespace

std::string_view ToString(Activity activity) {
  constexpr std::array<std::string_view, kActivityCount> kNames = {"compute", "communication",
                                                                   "copy"};
  return kNames[static_cast<std::size_t>(activity)];
}

Activity ActivityOf(std::string_view type, std::string_view name) {
  if (type == trace::type::kMemcpy || type == trace::type::kMemset) return Activity::kCopy;
  const bool communicates = std::any_of(kCommunicating.begin(), kCommunicating.end(),
                                        [&](std::string_view part) { return Holds(name, part); });
  return communicates ? Activity::kCommunication : Activity::kCompute;
}

}  // namespace xsp::timeline
