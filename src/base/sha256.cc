#include "base/sha256.h"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <vector>

namespace xsp::base {

namespace fs = std::filesystem;

namespace {

constexpr std::array<std::uint32_t, 64> kRound = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

class Hasher {
 public:
  void Add(std::string_view text) {
    length_bytes_ += text.size();
    while (!text.empty()) {
      const std::size_t part = std::min(text.size(), block_.size() - filled_);
      std::memcpy(block_.data() + filled_, text.data(), part);
      filled_ += part;
      text.remove_prefix(part);
      if (filled_ == block_.size()) Digest();
    }
  }

  std::string Finish() {
    const std::uint64_t length_bits = length_bytes_ * 8;
    const char end = '\x80';
    Add(std::string_view(&end, 1));
    while (filled_ != block_.size() - 8) Add(std::string_view("\0", 1));
    for (int shift = 56; shift >= 0; shift -= 8)
      block_[filled_++] = static_cast<unsigned char>(length_bits >> shift);
    Digest();
    std::string text;
    for (std::uint32_t word : state_) text += fmt::format("{:08x}", word);
    return text;
  }

 private:
  void Digest() {
    std::array<std::uint32_t, 64> w;
    for (std::size_t i = 0; i < 16; ++i) {
      w[i] = std::uint32_t{block_[4 * i]} << 24 | std::uint32_t{block_[4 * i + 1]} << 16 |
             std::uint32_t{block_[4 * i + 2]} << 8 | std::uint32_t{block_[4 * i + 3]};
    }
    for (std::size_t i = 16; i < 64; ++i) {
      const std::uint32_t a = w[i - 15], b = w[i - 2];
      w[i] = w[i - 16] + (std::rotr(a, 7) ^ std::rotr(a, 18) ^ a >> 3) + w[i - 7] +
             (std::rotr(b, 17) ^ std::rotr(b, 19) ^ b >> 10);
    }
    auto [a, b, c, d, e, f, g, h] = state_;
    for (std::size_t i = 0; i < 64; ++i) {
      const std::uint32_t t1 = h + (std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25)) +
                               ((e & f) ^ (~e & g)) + kRound[i] + w[i];
      const std::uint32_t t2 =
          (std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
      h = g, g = f, f = e, e = d + t1, d = c, c = b, b = a, a = t1 + t2;
    }
    const std::array<std::uint32_t, 8> out = {a, b, c, d, e, f, g, h};
    for (std::size_t i = 0; i < 8; ++i) state_[i] += out[i];
    filled_ = 0;
  }

  std::array<std::uint32_t, 8> state_ = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                         0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  std::array<unsigned char, 64> block_ = {};
  std::size_t filled_ = 0;
  std::uint64_t length_bytes_ = 0;
};

}  // namespace

std::string Sha256(std::string_view text) {
  Hasher hasher;
  hasher.Add(text);
  return hasher.Finish();
}

Result<std::string> Sha256OfFile(const fs::path& path) {
  std::error_code error;
  if (!fs::exists(path, error))
    return Error{ErrorKind::kBadInput, fmt::format("no such file: {}", path.string()), ""};
  if (fs::is_directory(path, error))
    return Error{ErrorKind::kBadInput, fmt::format("is a directory: {}", path.string()), ""};
  std::ifstream file(path, std::ios::binary);
  std::vector<char> chunk(1 << 20);
  Hasher hasher;
  while (file) {
    file.read(chunk.data(), static_cast<std::streamsize>(chunk.size()));
    hasher.Add(std::string_view(chunk.data(), static_cast<std::size_t>(file.gcount())));
  }
  if (!file.eof())
    return Error{ErrorKind::kEnvironment, fmt::format("cannot read: {}", path.string()), ""};
  return hasher.Finish();
}

}  // namespace xsp::base
