#ifndef XSP_OBJECTS_SIGNATURE_H_
#define XSP_OBJECTS_SIGNATURE_H_

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace xsp::objects {

/// What signs requests: an access key of the cloud.
struct Credentials {
  std::string key_id, secret;
  std::string session_token;  ///< Of temporary keys; else empty.
  std::optional<std::chrono::system_clock::time_point> expires = {};
  std::string source = {};  ///< Where they come from, for messages.
};

/// Names and values of a query, which are not encoded yet.
using Query = std::map<std::string, std::string>;

/// What is signed of a request.
struct SignedRequest {
  std::string method;
  std::string path;  ///< Encoded: of EncodePath().
  Query query;
  std::map<std::string, std::string> headers;  ///< By their names in lower case; `host` is one.
  std::string payload_sha256;                  ///< Hexadecimal.
};

/// Percent-encodes all but letters, digits and "-._~" (RFC 3986); a path keeps its slashes.
std::string EncodePart(std::string_view text);
std::string EncodePath(std::string_view path);

/// "a=1&b=2", encoded and in the order of names.
std::string EncodeQuery(const Query& query);

/// The headers that a request needs beside its own: `authorization`, `x-amz-date`,
/// `x-amz-content-sha256` and, of temporary keys, `x-amz-security-token`. Source: AWS, "Signature
/// Version 4 signing process", with the S3 rule that a path is encoded once.
std::map<std::string, std::string> SignatureHeaders(const SignedRequest& request,
                                                    const Credentials& credentials,
                                                    std::string_view region,
                                                    std::string_view service,
                                                    std::chrono::system_clock::time_point now);

}  // namespace xsp::objects

#endif  // XSP_OBJECTS_SIGNATURE_H_
