#ifndef XSP_CORE_SECRET_H_
#define XSP_CORE_SECRET_H_

#include <string_view>

namespace xsp::core {

/// Whether what is called `name` and has the value `value` is likely to be a password, a key or a
/// token: by a word of its name ("HF_TOKEN", "env.AwsSecretAccessKey"; not "tokenizer", nor a
/// number such as "max_token: 128"), by how the values of widely used services begin ("hf_",
/// "ghp_", "Bearer "), or because the value is an address with a password or "HF_TOKEN=...". A
/// heuristic: others remain. Pure; any bytes.
bool LooksLikeSecret(std::string_view name, std::string_view value);

}  // namespace xsp::core

#endif  // XSP_CORE_SECRET_H_
