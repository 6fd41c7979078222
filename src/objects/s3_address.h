#ifndef XSP_OBJECTS_S3_ADDRESS_H_
#define XSP_OBJECTS_S3_ADDRESS_H_

#include <string>
#include <string_view>

#include "core/result.h"

namespace xsp::objects {

/// `s3://bucket/prefix`.
struct S3Address {
  std::string bucket;
  std::string prefix;  ///< Ends with a slash; empty: the whole bucket.

  std::string url() const;  ///< As a user writes it: without the slash at the end.
};

/// Whether `text` is meant as the address of object storage: it begins with "s3:".
bool IsS3Address(std::string_view text);

/// Errors: kUsage (no bucket, a name that no bucket can have, a prefix with empty or dotted parts).
Result<S3Address> ParseS3Address(std::string_view text);

/// Where a bucket's server is, and how it is named in requests.
struct S3Server {
  bool is_https = true;
  std::string host;  ///< Without the port.
  int port = 443;
  std::string host_header;  ///< With the port where it is not the scheme's.
  std::string path;         ///< What comes before the key in every path: "/" or "/bucket/".
  std::string region;
};

/// The server of `bucket`, from AWS_ENDPOINT_URL_S3 or AWS_ENDPOINT_URL, else Amazon's in `region`.
/// Errors: kUsage (an endpoint that is no URL of http or https).
Result<S3Server> ServerOf(const std::string& bucket, const std::string& region);

}  // namespace xsp::objects

#endif  // XSP_OBJECTS_S3_ADDRESS_H_
