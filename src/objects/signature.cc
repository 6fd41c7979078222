#include "objects/signature.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>

#include "core/result.h"
#include "os/sha256.h"

namespace xsp::objects {
namespace {

constexpr std::string_view kAlgorithm = "AWS4-HMAC-SHA256";

std::string HmacSha256(std::string_view key, std::string_view text) {
  unsigned char digest[EVP_MAX_MD_SIZE];
  unsigned int size = 0;
  XSP_CHECK(HMAC(EVP_sha256(), key.data(), static_cast<int>(key.size()),
                 reinterpret_cast<const unsigned char*>(text.data()), text.size(), digest,
                 &size) != nullptr);
  return {reinterpret_cast<const char*>(digest), size};
}

std::string Hexadecimal(std::string_view bytes) {
  std::string text;
  for (const char byte : bytes) text += fmt::format("{:02x}", static_cast<unsigned char>(byte));
  return text;
}

std::string Encode(std::string_view text, std::string_view kept) {
  std::string encoded;
  for (const char c : text) {
    const bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                          (c >= '0' && c <= '9') || kept.find(c) != std::string_view::npos;
    if (is_plain) {
      encoded += c;
    } else {
      encoded += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
  }
  return encoded;
}

}  // namespace

std::string EncodePart(std::string_view text) { return Encode(text, "-._~"); }
std::string EncodePath(std::string_view path) { return Encode(path, "-._~/"); }

std::string EncodeQuery(const Query& query) {
  std::string text;
  for (const auto& [name, value] : query)
    text += fmt::format("{}{}={}", text.empty() ? "" : "&", EncodePart(name), EncodePart(value));
  return text;
}

std::map<std::string, std::string> SignatureHeaders(const SignedRequest& request,
                                                    const Credentials& credentials,
                                                    std::string_view region,
                                                    std::string_view service,
                                                    std::chrono::system_clock::time_point now) {
  const std::time_t seconds = std::chrono::system_clock::to_time_t(now);
  const std::string time = fmt::format("{:%Y%m%dT%H%M%SZ}", fmt::gmtime(seconds));
  const std::string day = time.substr(0, 8);

  std::map<std::string, std::string> added = {{"x-amz-date", time},
                                              {"x-amz-content-sha256", request.payload_sha256}};
  if (!credentials.session_token.empty()) added["x-amz-security-token"] = credentials.session_token;

  std::map<std::string, std::string> headers = request.headers;
  headers.insert(added.begin(), added.end());
  std::string canonical_headers, names;
  for (const auto& [name, value] : headers) {
    canonical_headers += fmt::format("{}:{}\n", name, value);
    names += fmt::format("{}{}", names.empty() ? "" : ";", name);
  }
  const std::string canonical =
      fmt::format("{}\n{}\n{}\n{}\n{}\n{}", request.method, request.path,
                  EncodeQuery(request.query), canonical_headers, names, request.payload_sha256);
  const std::string scope = fmt::format("{}/{}/{}/aws4_request", day, region, service);
  const std::string to_sign =
      fmt::format("{}\n{}\n{}\n{}", kAlgorithm, time, scope, os::Sha256(canonical));

  std::string key = "AWS4" + credentials.secret;
  for (const std::string_view part :
       {std::string_view(day), region, service, std::string_view("aws4_request")})
    key = HmacSha256(key, part);
  added["authorization"] =
      fmt::format("{} Credential={}/{},SignedHeaders={},Signature={}", kAlgorithm,
                  credentials.key_id, scope, names, Hexadecimal(HmacSha256(key, to_sign)));
  return added;
}

}  // namespace xsp::objects
