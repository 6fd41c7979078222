#ifndef XSP_API_OPERATIONS_GATE_TEXT_H_
#define XSP_API_OPERATIONS_GATE_TEXT_H_

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace xsp::api {

// How people read a judged gate: a member of `gates` in the document of compare_operation.cc.

/// "309 us, then 620 us; ratio 2.006, 95 % interval 1.98 to 2.03, limit 1.03 (reason)".
std::string GateValueText(const nlohmann::json& gate);

/// The path of a compared row of this kind, with the name of a kernel as people can read it.
std::string ShortRowPath(const std::string& path, const std::string& kind);

/// One line for each row that took more time: "+311 us (87.1 %) conv2/aten::conv2d: 20 us, then 331
/// us".
std::vector<std::string> GateNodeLines(const nlohmann::json& gate);

}  // namespace xsp::api

#endif  // XSP_API_OPERATIONS_GATE_TEXT_H_
