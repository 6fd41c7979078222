#include "measure/live/otlp_endpoint.h"

#include <arpa/inet.h>
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <string_view>

namespace xsp::live {
namespace {

constexpr std::string_view kPath = "/v1/traces";
constexpr const char* kDefaultServer = "http://localhost:4318";
constexpr const char* kUrlHint =
    "Write --otlp http://HOST:4318; an OpenTelemetry Collector receives OTLP over HTTP there.";

Error BadUrl(std::string what) { return {ErrorKind::kUsage, std::move(what), kUrlHint}; }

/// A setting of traces, else of all signals; empty counts as not set.
struct Setting {
  std::string name, value;
};
std::optional<Setting> Find(const Variables& variables, const char* setting) {
  for (const char* prefix : {"OTEL_EXPORTER_OTLP_TRACES_", "OTEL_EXPORTER_OTLP_"}) {
    std::string name = std::string(prefix) + setting;
    auto value = variables(name.c_str());
    if (value && !value->empty()) return Setting{std::move(name), std::move(*value)};
  }
  return std::nullopt;
}

int HexDigit(char digit) {
  if (digit >= '0' && digit <= '9') return digit - '0';
  if (digit >= 'a' && digit <= 'f') return digit - 'a' + 10;
  if (digit >= 'A' && digit <= 'F') return digit - 'A' + 10;
  return -1;
}

std::string PercentDecoded(std::string_view text) {
  std::string decoded;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const int high = text[i] == '%' && i + 2 < text.size() ? HexDigit(text[i + 1]) : -1;
    const int low = high >= 0 ? HexDigit(text[i + 2]) : -1;
    decoded += low >= 0 ? static_cast<char>(high * 16 + low) : text[i];
    if (low >= 0) i += 2;
  }
  return decoded;
}

std::string_view Trimmed(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

bool IsToken(std::string_view name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           std::string_view("!#$%&'*+-.^_`|~").find(c) != std::string_view::npos;
  });
}

/// "key=value,key=value", values percent-encoded. Names no value in errors: they are secrets.
Status ReadHeaders(const Setting& setting, OtlpEndpoint& endpoint) {
  std::string_view rest = setting.value;
  while (!rest.empty()) {
    const std::size_t comma = std::min(rest.find(','), rest.size());
    const std::string_view pair = Trimmed(rest.substr(0, comma));
    rest.remove_prefix(std::min(rest.size(), comma + 1));
    if (pair.empty()) continue;
    const std::size_t equals = std::min(pair.find('='), pair.size());
    const std::string name = PercentDecoded(Trimmed(pair.substr(0, equals)));
    const bool has_value = equals < pair.size();
    std::string value =
        has_value ? PercentDecoded(Trimmed(pair.substr(equals + 1))) : std::string();
    const bool is_plain = std::none_of(value.begin(), value.end(), [](char c) {
      return static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
    });
    if (!has_value || !IsToken(name) || !is_plain) {
      // Without an equals sign it may be a token that stands alone.
      return Error{ErrorKind::kUsage,
                   fmt::format("not a list of HTTP headers: {}{}", setting.name,
                               has_value && IsToken(name) ? ", at " + name : std::string()),
                   "Write NAME=VALUE,NAME=VALUE with percent-encoded values, such as "
                   "Authorization=Bearer%20TOKEN."};
    }
    endpoint.headers.emplace_back(name, std::move(value));
  }
  return Ok{};
}

Status ReadUrl(std::string url, bool is_whole, OtlpEndpoint& endpoint) {
  const std::size_t scheme = url.find("://");
  const std::string_view name = std::string_view(url).substr(0, std::min(scheme, url.size()));
  if (scheme == std::string::npos || (name != "http" && name != "https"))
    return BadUrl(fmt::format("not an HTTP URL: --otlp {}", url));
  const std::size_t path = std::min(url.find_first_of("/?#", scheme + 3), url.size());
  const std::string_view host = std::string_view(url).substr(scheme + 3, path - scheme - 3);
  if (host.find('@') != std::string_view::npos)
    return Error{ErrorKind::kUsage, "a URL with a password would be stored with the experiment",
                 "Set OTEL_EXPORTER_OTLP_HEADERS=Authorization=Basic%20... instead."};
  const bool has_space = std::any_of(url.begin(), url.end(), [](char c) {
    return static_cast<unsigned char>(c) <= 0x20 || c == 0x7f;
  });
  if (host.empty() || host.front() == ':' || has_space)
    return BadUrl(fmt::format("URL without a host, or with spaces: --otlp {}", url));
  endpoint.is_https = name == "https";
  endpoint.port = endpoint.is_https ? 443 : 80;
  const std::size_t bracket = host.starts_with('[') ? host.find(']') : 0;
  if (bracket == std::string_view::npos)
    return BadUrl(fmt::format("URL with an address that is none: --otlp {}", url));
  const std::size_t colon = std::min(host.find(':', bracket), host.size());
  endpoint.host = host.substr(0, colon);
  if (bracket > 0) {
    endpoint.host = host.substr(1, bracket - 1);
    in6_addr address;
    if (colon != bracket + 1 || inet_pton(AF_INET6, endpoint.host.c_str(), &address) != 1)
      return BadUrl(fmt::format("URL with an address that is none: --otlp {}", url));
  }
  if (colon < host.size()) {
    const std::string_view port = host.substr(colon + 1);
    const auto [end, error] =
        std::from_chars(port.data(), port.data() + port.size(), endpoint.port);
    if (error != std::errc() || end != port.data() + port.size() || endpoint.port < 1 ||
        endpoint.port > 65535)
      return BadUrl(fmt::format("URL with a port that is none: --otlp {}", url));
  }
  endpoint.server = url.substr(0, path);
  const std::string rest = url.substr(path, url.find('#') - path);
  std::string folder = rest.substr(0, rest.find('?'));
  const std::string query = rest.substr(folder.size());
  if (!is_whole && !folder.ends_with(kPath)) {
    while (folder.ends_with('/')) folder.pop_back();
    folder += kPath;
  }
  endpoint.path = (folder.empty() ? "/" : folder) + query;
  return Ok{};
}

Status ReadTimeout(const Setting& setting, OtlpEndpoint& endpoint) {
  std::int64_t timeout_ms = 0;
  const char* const end = setting.value.data() + setting.value.size();
  const auto [stop, error] = std::from_chars(setting.value.data(), end, timeout_ms);
  if (error != std::errc() || stop != end || timeout_ms < 1 || timeout_ms > 3'600'000)
    return Error{
        ErrorKind::kUsage,
        fmt::format("not a time limit in milliseconds: {}={}", setting.name, setting.value),
        "Give a whole number up to 3600000, or unset it (10000)."};
  endpoint.timeout = std::chrono::milliseconds(timeout_ms);
  return Ok{};
}

}  // namespace

Result<OtlpEndpoint> ReadOtlpEndpoint(const std::string& url, const Variables& variables) {
  OtlpEndpoint endpoint;
  if (const auto protocol = Find(variables, "PROTOCOL");
      protocol && protocol->value != "http/protobuf") {
    return Error{
        ErrorKind::kNotPossible,
        fmt::format("spans are sent as http/protobuf only: {}={}", protocol->name, protocol->value),
        "Unset it for xsp, and give --otlp the port for HTTP (usually 4318)."};
  }
  if (url != "default") {
    XSP_RETURN_IF_ERROR(ReadUrl(url, false, endpoint));
  } else if (const auto set = Find(variables, "ENDPOINT")) {
    // By the specification the endpoint of traces is used as it is.
    XSP_RETURN_IF_ERROR(
        ReadUrl(set->value, set->name == "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", endpoint));
  } else {
    XSP_RETURN_IF_ERROR(ReadUrl(kDefaultServer, false, endpoint));
  }
  if (const auto headers = Find(variables, "HEADERS"))
    XSP_RETURN_IF_ERROR(ReadHeaders(*headers, endpoint));
  if (const auto timeout = Find(variables, "TIMEOUT"))
    XSP_RETURN_IF_ERROR(ReadTimeout(*timeout, endpoint));
  if (const auto compression = Find(variables, "COMPRESSION")) {
    endpoint.is_gzip = compression->value == "gzip";
    if (!endpoint.is_gzip && compression->value != "none")
      return Error{ErrorKind::kUsage,
                   fmt::format("unknown compression: {}={}", compression->name, compression->value),
                   "Use gzip or none."};
  }
  if (const auto certificate = Find(variables, "CERTIFICATE"))
    endpoint.certificate = certificate->value;
  return endpoint;
}

}  // namespace xsp::live
