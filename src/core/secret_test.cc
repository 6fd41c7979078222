#include "core/secret.h"

#include <gtest/gtest.h>

namespace xsp::core {
namespace {

TEST(LooksLikeSecret, ByAWordOfTheName) {
  for (const char* name :
       {"HF_TOKEN", "token", "env.HF_TOKEN", "AwsSecretAccessKey", "OPENAI_API_KEY", "apiKey",
        "db-password", "Authorization", "git.auth", "SSH_PRIVATE_KEY", "session_cookie"})
    EXPECT_TRUE(LooksLikeSecret(name, "x1y2")) << name;
  for (const char* name : {"tokenizer", "tokens", "key", "monkey", "keys", "key_value_heads",
                           "author", "passes", "schedule", "deviceProperties.0.name", ""})
    EXPECT_FALSE(LooksLikeSecret(name, "x1y2")) << name;
}

TEST(LooksLikeSecret, ByTheBeginningOfTheValue) {
  EXPECT_TRUE(LooksLikeSecret("note", "hf_abcdefghijklmnopqrstuvwxyz"));
  EXPECT_TRUE(LooksLikeSecret("note", "Bearer abcdefghijklmnop"));
  EXPECT_FALSE(LooksLikeSecret("note", "hf_model"));
  EXPECT_FALSE(LooksLikeSecret("note", "sk-learn/pipelines/classifier-of-images"));
}

TEST(LooksLikeSecret, NumbersAndTruthsAreNone) {
  for (const char* value : {"", "128", "-1.5", "true", "false", "null"})
    EXPECT_FALSE(LooksLikeSecret("max_token", value)) << value;
}

}  // namespace
}  // namespace xsp::core
