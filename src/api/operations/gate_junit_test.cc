#include "api/operations/gate_junit.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

namespace xsp::api {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

json GateOf(const std::string& name, const std::string& outcome) {
  return {{"gate", name},
          {"metric", "kernel"},
          {"limit", 0.1},
          {"outcome", outcome},
          {"value", 1.5},
          {"low", 1.4},
          {"high", 1.6},
          {"a", 10.0},
          {"b", 15.0},
          {"unit", "ns"},
          {"of", "2 rows together"},
          {"reason", json()},
          {"nodes",
           {{{"path", "op/" + name},
             {"kind", "kernel"},
             {"a_ns", json()},
             {"b_ns", 5.0},
             {"difference_ns", 5.0},
             {"share", 1.0}}}}};
}

json PairOf(const std::string& name, const std::vector<json>& gates) {
  return {{"sides", {{{"name", "a"}}, {{"name", name}}}}, {"gates", gates}};
}

std::string Xml(const std::vector<json>& pairs) {
  std::vector<const json*> all;
  for (const json& pair : pairs) all.push_back(&pair);
  return JunitXml(all);
}

TEST(JunitXml, CountsCasesBySuiteAndInAll) {
  const std::string text =
      Xml({PairOf("b", {GateOf("x", "pass"), GateOf("y", "regression")}),
           PairOf("c", {GateOf("x", "inconclusive"), GateOf("y", "regression")})});
  EXPECT_THAT(text,
              HasSubstr(R"(<testsuites name="xsp compare" tests="4" failures="2" errors="1")"));
  EXPECT_THAT(text, HasSubstr(R"(<testsuite name="a -&gt; b" tests="2" failures="1" errors="0")"));
  EXPECT_THAT(text, HasSubstr(R"(<testsuite name="a -&gt; c" tests="2" failures="1" errors="1")"));
  EXPECT_THAT(text, HasSubstr(R"(<testcase classname="xsp.gates.kernel" name="x" time="0"/>)"));
  EXPECT_THAT(text, HasSubstr(R"(message="10.0 ns, then 15.0 ns (2 rows together); ratio 1.5, )"));
  EXPECT_THAT(text, HasSubstr("+5.00 ns (100 % of the difference) op/y: nothing, then 5.00 ns"));
}

TEST(JunitXml, NamesAreNoMarkup) {
  const std::string text = Xml({PairOf("<b>&\"", {GateOf("k<\"&'>\n\x01\xff", "regression")})});
  EXPECT_THAT(text, HasSubstr("a -&gt; &lt;b&gt;&amp;&quot;"));
  EXPECT_THAT(text, HasSubstr("name=\"k&lt;&quot;&amp;'&gt;&#10;\xEF\xBF\xBD\xEF\xBF\xBD\""));
  EXPECT_THAT(text, Not(HasSubstr("\x01")));
  EXPECT_THAT(text, Not(HasSubstr("\xff")));
}

TEST(JunitXml, OfNoPairHasNoSuite) {
  EXPECT_THAT(Xml({}), HasSubstr(R"(tests="0" failures="0" errors="0")"));
}

}  // namespace
}  // namespace xsp::api
