#include "derive/timeline/collectives/operation_name.h"

#include <array>
#include <string>

namespace xsp::timeline::collectives {
namespace {

struct Spelling {
  std::string_view part;  ///< Of the name, in lower case and without underscores.
  std::string_view operation;
};

// The first that fits counts: "reduce" is in others' names, too. Custom all-reduces (vLLM, SGLang,
// TensorRT-LLM) and DeepEP's dispatch and combine have names of their own.
constexpr std::array kSpellings = {
    Spelling{"allreduce", "all_reduce"},
    Spelling{"crossdevicereduce", "all_reduce"},
    Spelling{"quickreduce", "all_reduce"},
    Spelling{"reducescatter", "reduce_scatter"},
    Spelling{"allgather", "all_gather"},
    Spelling{"alltoall", "all_to_all"},
    Spelling{"internode::dispatch", "all_to_all"},
    Spelling{"internode::combine", "all_to_all"},
    Spelling{"broadcast", "broadcast"},
    Spelling{"barrier", "barrier"},
    Spelling{"send", "send_receive"},
    Spelling{"recv", "send_receive"},
    Spelling{"reduce", "reduce"},
};

std::string_view Find(std::string_view name) {
  std::string plain;
  for (const char c : name) {
    // Arguments and template arguments say nothing of what a kernel does.
    if (c == '(' || c == '<') break;
    if (c != '_') plain += c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
  }
  for (const Spelling& spelling : kSpellings)
    if (plain.find(spelling.part) != std::string::npos) return spelling.operation;
  return {};
}

}  // namespace

std::string_view OperationOf(std::string_view attributes, std::string_view kernel) {
  std::string_view operation = Find(attributes);
  if (operation.empty()) operation = Find(kernel);
  return operation.empty() ? "other" : operation;
}

}  // namespace xsp::timeline::collectives
