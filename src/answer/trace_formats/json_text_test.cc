#include "answer/trace_formats/json_text.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>

#include "core/json_text.h"

namespace xsp::trace_formats {
namespace {

TEST(JsonText, IsValidForAnyBytes) {
  std::string all;
  for (int byte = 0; byte < 256; ++byte) all += static_cast<char>(byte);
  const auto read = core::ParseJson(JsonQuoted(all));
  EXPECT_EQ(read.get<std::string>().substr(0, 130), "\xef\xbf\xbd" + all.substr(1, 127));
  EXPECT_EQ(JsonQuoted("a\xff\"\n"), "\"a\xef\xbf\xbd\\\"\\n\"");
}

TEST(JsonText, NumbersReadBackAsTheSame) {
  EXPECT_EQ(core::ParseJson(JsonNumber(0.1)).get<double>(), 0.1);
  EXPECT_EQ(core::ParseJson(JsonNumber(1e300)).get<double>(), 1e300);
  EXPECT_EQ(JsonNumber(std::nan("")), "null");
  EXPECT_EQ(JsonNumber(-std::numeric_limits<double>::infinity()), "null");
}

TEST(JsonText, MicrosecondsKeepEveryNanosecond) {
  EXPECT_EQ(Microseconds(0), "0.000");
  EXPECT_EQ(Microseconds(1234), "1.234");
  EXPECT_EQ(Microseconds(-5), "-0.005");
  EXPECT_EQ(Microseconds(std::numeric_limits<std::int64_t>::min()), "-9223372036854775.808");
}

}  // namespace
}  // namespace xsp::trace_formats
