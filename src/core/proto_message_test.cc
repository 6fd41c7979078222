#include "core/proto_message.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>

namespace xsp::core {
namespace {

// Expected bytes: the examples of https://protobuf.dev/programming-guides/encoding/.

TEST(ProtoMessage, WritesVarints) {
  ProtoMessage message;
  message.AddInteger(1, 150);
  EXPECT_EQ(message.bytes(), std::string("\x08\x96\x01"));
  ProtoMessage largest;
  largest.AddInteger(16, std::numeric_limits<std::uint64_t>::max());
  EXPECT_EQ(largest.bytes(), "\x80\x01" + std::string(9, '\xff') + "\x01");
  ProtoMessage zero;
  zero.AddInteger(2, 0);
  EXPECT_EQ(zero.bytes(), std::string("\x10\0", 2));
}

TEST(ProtoMessage, WritesTextAndMessages) {
  ProtoMessage text;
  text.AddText(2, "testing");
  EXPECT_EQ(text.bytes(), "\x12\x07testing");
  ProtoMessage inner, outer;
  inner.AddInteger(1, 150);
  outer.AddMessage(3, inner);
  EXPECT_EQ(outer.bytes(), std::string("\x1a\x03\x08\x96\x01"));
  EXPECT_TRUE(ProtoMessage().empty());
}

TEST(ProtoMessage, WritesFixedNumbersInLittleEndian) {
  ProtoMessage message;
  message.AddFixed64(1, 0x0102030405060708);
  EXPECT_EQ(message.bytes(), std::string("\x09\x08\x07\x06\x05\x04\x03\x02\x01"));
  ProtoMessage number;
  number.AddDouble(1, 1.0);
  EXPECT_EQ(number.bytes(), std::string("\x09\0\0\0\0\0\0\xf0\x3f", 9));
}

}  // namespace
}  // namespace xsp::core
