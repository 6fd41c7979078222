#include "app/serve/gzip.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include <cstddef>
#include <random>
#include <string>

namespace xsp::serve {
namespace {

/// What zlib makes of it; "damaged" for what is not exactly one gzip member.
std::string Gunzip(std::string compressed, std::size_t most_bytes) {
  std::string out(most_bytes + 1, '\0');
  z_stream stream{};
  if (inflateInit2(&stream, MAX_WBITS + 16) != Z_OK) return "damaged";
  stream.next_in = reinterpret_cast<Bytef*>(compressed.data());
  stream.avail_in = static_cast<uInt>(compressed.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  const bool is_whole = inflate(&stream, Z_FINISH) == Z_STREAM_END && stream.avail_in == 0;
  out.resize(stream.total_out);
  inflateEnd(&stream);
  return is_whole ? out : "damaged";
}

TEST(Gzip, IsReadByZlib) {
  std::mt19937 random(1);
  for (const std::size_t size : {0U, 1U, 2U, 1400U, 65'535U, 65'536U, 300'000U}) {
    for (const unsigned kinds : {1U, 4U, 256U}) {
      std::string text(size, '\0');
      for (char& c : text) c = static_cast<char>(random() % kinds);
      EXPECT_TRUE(Gunzip(Gzip(text), size) == text) << size << " bytes of " << kinds << " kinds";
    }
  }
}

TEST(Gzip, MakesRepetitionShort) { EXPECT_LT(Gzip(std::string(100'000, 'x')).size(), 2000U); }

}  // namespace
}  // namespace xsp::serve
