#include "objects/s3_address.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "os/paths.h"

namespace xsp::objects {
namespace {

constexpr std::string_view kScheme = "s3://";

bool IsLowerOrDigit(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); }

/// The rules of Amazon S3 ("Bucket naming rules"), which other servers share or loosen.
bool IsBucketName(std::string_view name) {
  if (name.size() < 3 || name.size() > 63) return false;
  if (!IsLowerOrDigit(name.front()) || !IsLowerOrDigit(name.back())) return false;
  return std::all_of(name.begin(), name.end(),
                     [](char c) { return IsLowerOrDigit(c) || c == '-' || c == '.' || c == '_'; });
}

Error NotAnAddress(std::string_view text, std::string_view why) {
  return {ErrorKind::kUsage, fmt::format("not an address of object storage: {}: {}", text, why),
          "Write s3://BUCKET/PREFIX, for example --store s3://team-profiles/xsp."};
}

/// The endpoint of the environment; the one for S3 alone comes first.
std::optional<std::string> Endpoint() {
  for (const char* name : {"AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL"})
    if (auto url = os::Environment(name)) return url;
  return std::nullopt;
}

}  // namespace

std::string S3Address::url() const {
  std::string url = fmt::format("{}{}/{}", kScheme, bucket, prefix);
  url.pop_back();
  return url;
}

bool IsS3Address(std::string_view text) { return text.starts_with("s3:"); }

Result<S3Address> ParseS3Address(std::string_view text) {
  std::string_view rest = text;
  if (!rest.starts_with(kScheme)) return NotAnAddress(text, "it does not begin with s3://");
  rest.remove_prefix(kScheme.size());
  const std::size_t slash = std::min(rest.find('/'), rest.size());
  S3Address address{std::string(rest.substr(0, slash)), {}};
  if (!IsBucketName(address.bucket)) return NotAnAddress(text, "no bucket can have this name");
  rest.remove_prefix(std::min(slash + 1, rest.size()));
  while (rest.ends_with('/')) rest.remove_suffix(1);
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('/'), rest.size());
    const std::string_view part = rest.substr(0, end);
    if (part.empty() || part == "." || part == "..")
      return NotAnAddress(text, "a part of the prefix is empty or made of dots");
    const bool is_printable = std::all_of(part.begin(), part.end(), [](char c) {
      return static_cast<unsigned char>(c) >= 0x20 && c != 0x7f;
    });
    if (!is_printable) return NotAnAddress(text, "the prefix has control characters");
    address.prefix += fmt::format("{}/", part);
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return address;
}

Result<S3Server> ServerOf(const std::string& bucket, const std::string& region) {
  S3Server server;
  server.region = region;
  const std::optional<std::string> endpoint = Endpoint();
  if (!endpoint) {
    // A certificate of Amazon's is for one name before its domain.
    const bool is_in_host = bucket.find('.') == std::string::npos;
    server.host = fmt::format("{}s3.{}.amazonaws.com", is_in_host ? bucket + "." : "", region);
    server.host_header = server.host;
    server.path = is_in_host ? "/" : fmt::format("/{}/", bucket);
    return server;
  }
  std::string_view rest = *endpoint;
  const Error bad{ErrorKind::kUsage, fmt::format("not the URL of a server: {}", *endpoint),
                  "AWS_ENDPOINT_URL is like http://127.0.0.1:9000 or https://s3.example.org."};
  server.is_https = rest.starts_with("https://");
  if (!server.is_https && !rest.starts_with("http://")) return bad;
  rest.remove_prefix(rest.find("://") + 3);
  const std::size_t slash = std::min(rest.find('/'), rest.size());
  std::string path(rest.substr(slash));
  while (path.ends_with('/')) path.pop_back();
  server.host_header = std::string(rest.substr(0, slash));
  std::string_view host = server.host_header;
  server.port = server.is_https ? 443 : 80;
  const std::size_t colon = host.rfind(':');
  if (colon != std::string_view::npos && host.find(']', colon) == std::string_view::npos) {
    const std::string_view port = host.substr(colon + 1);
    const auto [end, error] = std::from_chars(port.data(), port.data() + port.size(), server.port);
    if (error != std::errc() || end != port.data() + port.size() || server.port < 1 ||
        server.port > 65535)
      return bad;
    host = host.substr(0, colon);
  }
  if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
  if (host.empty()) return bad;
  server.host = host;
  server.path = fmt::format("{}/{}/", path, bucket);
  return server;
}

}  // namespace xsp::objects
