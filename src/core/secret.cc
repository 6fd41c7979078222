#include "core/secret.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>
#include <vector>

namespace xsp::core {
namespace {

constexpr std::array<std::string_view, 12> kSecretWords = {
    "token",       "secret", "password", "passwd",        "passphrase", "credential",
    "credentials", "cookie", "auth",     "authorization", "apikey",     "bearer"};
/// Before "key".
constexpr std::array<std::string_view, 7> kKinds = {"api", "access",  "private", "secret",
                                                    "ssh", "account", "signing"};
/// Hugging Face, GitHub, GitLab, OpenAI and Anthropic, Slack, Amazon, Google, HTTP.
constexpr std::array<std::string_view, 10> kBeginnings = {
    "hf_", "ghp_", "github_pat_", "glpat-", "sk-", "xoxb-", "xoxp-", "AKIA", "AIza", "Bearer "};
/// What begins so and is shorter is a name: "hf_model".
constexpr std::size_t kShortestSecret = 20;

template <typename List>
bool Has(const List& list, std::string_view text) {
  return std::ranges::find(list, text) != list.end();
}

/// The words of "HF_TOKEN", "awsSecretKey" and "a.b-c", in small letters.
std::vector<std::string> WordsOf(std::string_view name) {
  std::vector<std::string> words(1);
  char before = 0;
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    const bool is_letter = std::isalnum(byte) != 0;
    const bool begins = std::isupper(byte) != 0 && std::islower(static_cast<unsigned char>(before));
    if ((!is_letter || begins) && !words.back().empty()) words.emplace_back();
    if (is_letter) words.back() += static_cast<char>(std::tolower(byte));
    before = c;
  }
  return words;
}

bool IsNumber(std::string_view value) {
  return std::ranges::all_of(value, [](unsigned char c) {
    return std::isdigit(c) != 0 || c == '.' || c == '-' || c == '+';
  });
}

bool HasNameOfSecret(std::string_view name) {
  const std::vector<std::string> words = WordsOf(name);
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (Has(kSecretWords, words[i])) return true;
    if (i > 0 && words[i] == "key" && Has(kKinds, words[i - 1])) return true;
  }
  return false;
}

}  // namespace

bool LooksLikeSecret(std::string_view name, std::string_view value) {
  if (IsNumber(value)) return false;
  if (HasNameOfSecret(name)) return value != "true" && value != "false" && value != "null";
  return value.size() >= kShortestSecret && value.find_first_of("/\n") == std::string_view::npos &&
         std::ranges::any_of(
             kBeginnings, [&](std::string_view beginning) { return value.starts_with(beginning); });
}

}  // namespace xsp::core
