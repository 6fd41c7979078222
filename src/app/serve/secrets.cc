#include "app/serve/secrets.h"

#include <fmt/format.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/rand.h>

#include <array>
#include <charconv>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "os/sha256.h"

namespace xsp::serve {
namespace {

constexpr std::size_t kSaltBytes = 16;
constexpr std::size_t kKeyBytes = 32;
constexpr std::uint64_t kMostMemory = std::uint64_t{256} << 20;

struct Parameters {
  int log2_n = 15;
  int r = 8;
  int p = 3;
};

struct PasswordHash {
  Parameters parameters;
  std::vector<unsigned char> salt, key;
};

std::string Hexadecimal(const unsigned char* bytes, std::size_t count) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i) text += fmt::format("{:02x}", bytes[i]);
  return text;
}

std::optional<std::vector<unsigned char>> FromHexadecimal(std::string_view text) {
  if (text.size() % 2 != 0) return std::nullopt;
  std::vector<unsigned char> bytes(text.size() / 2);
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const char* begin = text.data() + 2 * i;
    if (std::from_chars(begin, begin + 2, bytes[i], 16).ptr != begin + 2) return std::nullopt;
  }
  return bytes;
}

std::optional<int> Integer(std::string_view text) {
  int value = 0;
  const auto end = std::from_chars(text.data(), text.data() + text.size(), value);
  if (end.ec != std::errc() || end.ptr != text.data() + text.size()) return std::nullopt;
  return value;
}

Result<std::array<unsigned char, kKeyBytes>> Derive(std::string_view password,
                                                    const std::vector<unsigned char>& salt,
                                                    const Parameters& parameters) {
  std::array<unsigned char, kKeyBytes> key{};
  const int done = EVP_PBE_scrypt(
      password.data(), password.size(), salt.data(), salt.size(),
      std::uint64_t{1} << parameters.log2_n, static_cast<std::uint64_t>(parameters.r),
      static_cast<std::uint64_t>(parameters.p), kMostMemory, key.data(), key.size());
  if (done != 1)
    return Error{ErrorKind::kEnvironment, "scrypt failed: not enough memory",
                 "Free memory, or log in later."};
  return key;
}

std::vector<std::string_view> Split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t end = text.find(separator);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

std::optional<PasswordHash> ParsePasswordHash(std::string_view text) {
  const std::vector<std::string_view> parts = Split(text, '$');
  if (parts.size() != 6 || parts[0] != "scrypt") return std::nullopt;
  const std::optional<int> log2_n = Integer(parts[1]), r = Integer(parts[2]), p = Integer(parts[3]);
  auto salt = FromHexadecimal(parts[4]);
  auto key = FromHexadecimal(parts[5]);
  if (!log2_n || !r || !p || !salt || !key || key->size() != kKeyBytes) return std::nullopt;
  if (*log2_n < 1 || *log2_n > 20 || *r < 1 || *r > 64 || *p < 1 || *p > 16) return std::nullopt;
  if (*log2_n >= 16 * *r) return std::nullopt;  // RFC 7914, section 2.
  if ((std::uint64_t{128} << *log2_n) * static_cast<std::uint64_t>(*r) > kMostMemory / 2)
    return std::nullopt;
  return PasswordHash{{*log2_n, *r, *p}, std::move(*salt), std::move(*key)};
}

}  // namespace

std::string RandomToken(std::size_t bytes) {
  std::vector<unsigned char> random(bytes);
  // It only fails where the system has no generator: then there is no secret to go on with.
  XSP_CHECK(RAND_bytes(random.data(), static_cast<int>(random.size())) == 1);
  return Hexadecimal(random.data(), random.size());
}

bool IsSameSecret(std::string_view given, std::string_view secret) {
  // Digests have one length, so that the comparison does not tell that of the secret.
  const std::string a = os::Sha256(given);
  const std::string b = os::Sha256(secret);
  return CRYPTO_memcmp(a.data(), b.data(), a.size()) == 0 && !secret.empty();
}

Result<std::string> HashPassword(std::string_view password) {
  std::vector<unsigned char> salt(kSaltBytes);
  XSP_CHECK(RAND_bytes(salt.data(), static_cast<int>(salt.size())) == 1);
  const Parameters parameters;
  XSP_TRY(const auto key, Derive(password, salt, parameters));
  return fmt::format("scrypt${}${}${}${}${}", parameters.log2_n, parameters.r, parameters.p,
                     Hexadecimal(salt.data(), salt.size()), Hexadecimal(key.data(), key.size()));
}

bool IsPasswordHash(std::string_view text) { return ParsePasswordHash(text).has_value(); }

Result<bool> IsPassword(std::string_view password, std::string_view hash) {
  const std::optional<PasswordHash> parsed = ParsePasswordHash(hash);
  if (!parsed)
    return Error{ErrorKind::kBadInput, "not a hash of a password",
                 "Make one with `xsp serve --hash-password`."};
  XSP_TRY(const auto derived, Derive(password, parsed->salt, parsed->parameters));
  return CRYPTO_memcmp(derived.data(), parsed->key.data(), derived.size()) == 0;
}

}  // namespace xsp::serve
