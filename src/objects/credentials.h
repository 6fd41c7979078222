#ifndef XSP_OBJECTS_CREDENTIALS_H_
#define XSP_OBJECTS_CREDENTIALS_H_

#include <mutex>
#include <optional>
#include <string>

#include "core/result.h"
#include "objects/signature.h"

namespace xsp::objects {

/// Keys of the cloud, by the means that its own programs use, the first that is there:
///
/// 1. AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_SESSION_TOKEN;
/// 2. AWS_WEB_IDENTITY_TOKEN_FILE and AWS_ROLE_ARN (Kubernetes);
/// 3. the profile AWS_PROFILE (default: `default`) of ~/.aws/credentials and ~/.aws/config
///    (AWS_SHARED_CREDENTIALS_FILE, AWS_CONFIG_FILE): keys, or `credential_process`;
/// 4. a container's (AWS_CONTAINER_CREDENTIALS_RELATIVE_URI or _FULL_URI);
/// 5. the machine's role (instance metadata, version 2), unless AWS_EC2_METADATA_DISABLED.
///
/// Threading: any thread.
class CredentialSource {
 public:
  /// `region`: of the service that changes a web identity into keys.
  explicit CredentialSource(std::string region) : region_(std::move(region)) {}

  /// The keys, read again five minutes before they expire. Errors: kNotPossible (there are none,
  /// with what was tried), kEnvironment (a means that is there gives none).
  Result<Credentials> Get();

  /// The server refused the keys: the next Get() reads them again.
  void Forget();

 private:
  Result<Credentials> Find() const;

  std::string region_;
  std::mutex mutex_;
  std::optional<Credentials> known_;
};

/// AWS_REGION, AWS_DEFAULT_REGION, the profile's region, else us-east-1.
std::string DefaultRegion();

}  // namespace xsp::objects

#endif  // XSP_OBJECTS_CREDENTIALS_H_
