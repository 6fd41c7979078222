#ifndef XSP_APP_SERVE_SECRETS_H_
#define XSP_APP_SERVE_SECRETS_H_

#include <cstddef>
#include <string>
#include <string_view>

#include "core/result.h"

namespace xsp::serve {

/// `bytes` random bytes of the system's generator, as lower-case hexadecimal digits.
std::string RandomToken(std::size_t bytes = 32);

/// Whether the texts are the same. Takes the same time wherever they differ; the time depends on
/// the length of `given` only.
bool IsSameSecret(std::string_view given, std::string_view secret);

/// What a user file stores of a password: "scrypt$15$8$3$SALT$KEY", salt and key in hexadecimal
/// digits, made by scrypt (RFC 7914) with N = 2^15, r = 8, p = 3 (32 MiB of memory),
/// one of the settings of OWASP's Password Storage Cheat Sheet. Errors: kEnvironment (no memory).
Result<std::string> HashPassword(std::string_view password);

/// Whether IsPassword() can compare with `text`: one of HashPassword(), or the same of other
/// parameters, which ask for at most 128 MiB.
bool IsPasswordHash(std::string_view text);

/// Whether `password` is the one that `hash` was made of. Errors: kBadInput (`hash` is not
/// IsPasswordHash()), kEnvironment.
Result<bool> IsPassword(std::string_view password, std::string_view hash);

}  // namespace xsp::serve

#endif  // XSP_APP_SERVE_SECRETS_H_
