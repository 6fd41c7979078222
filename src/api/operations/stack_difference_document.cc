#include "api/operations/stack_difference_document.h"

#include <string>
#include <utility>

namespace xsp::api {
namespace {

using nlohmann::json;

json OrNull(const std::string& text) { return text.empty() ? json() : json(text); }

}  // namespace

json StackDifferenceDocument(const StackCapture& a, const StackCapture& b,
                             const collect::StackDifference& difference) {
  json differing = json::array();
  for (const collect::FactDifference& both : difference.differing)
    differing.push_back({{"key", both.a.key},
                         {"a", OrNull(both.a.value)},
                         {"b", OrNull(both.b.value)},
                         {"a_hidden", OrNull(both.a.why)},
                         {"b_hidden", OrNull(both.b.why)}});
  return {{"a", {{"name", a.name}, {"kind", a.kind}}}, {"b", {{"name", b.name}, {"kind", b.kind}}},
          {"differences", std::move(differing)},       {"same", difference.same},
          {"left_out", difference.left_out},           {"only_in_a", difference.only_in_a},
          {"only_in_b", difference.only_in_b}};
}

}  // namespace xsp::api
