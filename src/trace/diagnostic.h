#ifndef XSP_TRACE_DIAGNOSTIC_H_
#define XSP_TRACE_DIAGNOSTIC_H_

#include <cstdint>
#include <string>
#include <string_view>

namespace xsp::trace {

/// What it means for the data that a diagnostic was counted.
enum class DiagnosticKind : std::uint8_t {
  kLoss,  ///< Something of the source could not be kept or read as it stood.
  kNote,  ///< All of the source is there; what it does not have, or how it was placed.
};
inline constexpr int kDiagnosticKindCount = 2;

/// As stored: "loss", "note".
constexpr std::string_view ToString(DiagnosticKind kind) {
  return kind == DiagnosticKind::kNote ? "note" : "loss";
}

/// Something that whoever writes a trace may have to report, with the words that help a user fix
/// it. Borrows its texts.
struct DiagnosticSpec {
  std::string_view name;  ///< Stable id, snake_case, led by who reports it: its importer's name.
  std::string_view help;  ///< What happened and what to do. Shown as the diagnostic's hint.
  DiagnosticKind kind = DiagnosticKind::kLoss;
};

/// How often something happened, one example of it, and what to do.
struct Diagnostic {
  std::int64_t count = 0;
  std::string example;
  std::string hint;
  DiagnosticKind kind = DiagnosticKind::kLoss;
};

}  // namespace xsp::trace

#endif  // XSP_TRACE_DIAGNOSTIC_H_
