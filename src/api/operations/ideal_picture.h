#ifndef XSP_API_OPERATIONS_IDEAL_PICTURE_H_
#define XSP_API_OPERATIONS_IDEAL_PICTURE_H_

#include <nlohmann/json.hpp>
#include <string>

namespace xsp::api {

/// The answer of `xsp ideal` as one SVG document that needs nothing else: for each point the 20
/// longest layers, each with three bars on a common axis: measured, best known, bound. Texts may
/// hold anything: they are escaped.
std::string IdealSvg(const nlohmann::json& document);

}  // namespace xsp::api

#endif  // XSP_API_OPERATIONS_IDEAL_PICTURE_H_
