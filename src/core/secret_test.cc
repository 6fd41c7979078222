#include "core/secret.h"

#include <gtest/gtest.h>

namespace xsp::core {
namespace {

TEST(LooksLikeSecret, ByAWordOfTheName) {
  for (const char* name :
       {"HF_TOKEN", "token", "env.HF_TOKEN", "AwsSecretAccessKey", "OPENAI_API_KEY", "apiKey",
        "db-password", "Authorization", "git.auth", "SSH_PRIVATE_KEY", "session_cookie",
        "PGPASSWORD", "MYSQL_PWD", "DB_PASS", "APIToken", "HFToken"})
    EXPECT_TRUE(LooksLikeSecret(name, "x1y2")) << name;
  for (const char* name :
       {"tokenizer", "tokens", "key", "monkey", "keys", "key_value_heads", "author", "passes",
        "schedule", "forwardpass", "bypass", "deviceProperties.0.name", ""})
    EXPECT_FALSE(LooksLikeSecret(name, "x1y2")) << name;
}

TEST(LooksLikeSecret, ByTheValue) {
  for (const char* value :
       {"hf_abcdefghijklmnopqrstuvwxyz", "Bearer abc/defghijklmnop+q=", "ghs_0123456789abcdefghij",
        "-----BEGIN RSA PRIVATE KEY-----", "https://joe:x1y2@example.org/a", "HF_TOKEN=x1y2",
        "A=hf_abcdefghijklmnopqrstuvwxyz"})
    EXPECT_TRUE(LooksLikeSecret("note", value)) << value;
  for (const char* value : {"hf_model", "https://example.org/a@b:c", "user@example.org",
                            "OMP_NUM_THREADS=4", "a = b", "TOKEN=", "{\"token=\": 1}"})
    EXPECT_FALSE(LooksLikeSecret("note", value)) << value;
}

TEST(LooksLikeSecret, CountsOfTokensAndTruthsAreNone) {
  for (const char* value : {"", "128", "-1.5", "true", "false", "null"})
    EXPECT_FALSE(LooksLikeSecret("max_token", value)) << value;
  EXPECT_TRUE(LooksLikeSecret("db_password", "1234"));
}

}  // namespace
}  // namespace xsp::core
