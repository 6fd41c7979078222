#ifndef XSP_API_OPERATIONS_COMPARE_GATES_H_
#define XSP_API_OPERATIONS_COMPARE_GATES_H_

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "api/operation.h"
#include "core/request_fields.h"
#include "core/result.h"
#include "derive/compare/gates.h"

namespace xsp::api {

/// What a user asks of a comparison beside the sides.
struct GateRequest {
  std::string baseline;
  std::vector<std::string> gates;
  std::string noise;
  std::filesystem::path junit;
};

/// Declares its fields: baseline, gate, gate_noise and junit.
void AddGateFields(core::RequestFields& fields, GateRequest& request);

/// `sides` with the experiment of the baseline, if one was named, as the first. Errors: as
/// store::FindBaseline.
Result<std::vector<std::string>> WithBaseline(const Context& context, const GateRequest& request,
                                              std::vector<std::string> sides);

/// The gates of one comparison of several pairs.
class GateCheck {
 public:
  /// Errors: kUsage (compare::ParseGates, ParseShare).
  static Result<GateCheck> Create(const GateRequest& request);

  /// Judges a pair and adds `gates` to its document. Without a gate it does nothing. Errors: as
  /// compare::ReadMeasures.
  Status Judge(const compare::Sides& sides, const compare::ComparedSides& compared,
               nlohmann::json& pair) const;

  /// Adds `outcome`, of all pairs, and the exit status to the document, and writes the JUnit file
  /// if one is wanted. Errors: kEnvironment.
  Status Finish(Document& document) const;

 private:
  std::vector<compare::Gate> gates_;
  std::optional<double> noise_;
  std::filesystem::path junit_;
};

}  // namespace xsp::api

#endif  // XSP_API_OPERATIONS_COMPARE_GATES_H_
