#include "core/secret.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>
#include <vector>

namespace xsp::core {
namespace {

/// A word of a name that ends so: "HF_TOKEN", "PGPASSWORD".
constexpr std::array<std::string_view, 14> kSecretEndings = {
    "token",      "secret", "password",    "passwd", "passphrase", "pwd",           "pass",
    "credential", "cookie", "credentials", "apikey", "auth",       "authorization", "bearer"};
/// Before "key".
constexpr std::array<std::string_view, 7> kKinds = {"api", "access",  "private", "secret",
                                                    "ssh", "account", "signing"};
/// Hugging Face, GitHub, GitLab, OpenAI and Anthropic, Slack, Amazon, Google, JSON Web Tokens,
/// HTTP, PEM.
constexpr std::array<std::string_view, 17> kBeginnings = {
    "hf_",   "ghp_",  "gho_", "ghs_", "ghu_", "github_pat_", "glpat-",  "sk-",       "xoxb-",
    "xoxp-", "xapp-", "AKIA", "ASIA", "AIza", "eyJ",         "Bearer ", "-----BEGIN"};
/// What begins like a secret and is shorter, is a name: "hf_model".
constexpr std::size_t kShortestSecret = 20;

template <typename List>
bool Has(const List& list, std::string_view text) {
  return std::ranges::find(list, text) != list.end();
}

bool IsUpper(char c) { return std::isupper(static_cast<unsigned char>(c)) != 0; }
bool IsLower(char c) { return std::islower(static_cast<unsigned char>(c)) != 0; }

/// The words of "HF_TOKEN", "awsSecretKey", "APIToken" and "a.b-c", in small letters.
std::vector<std::string> WordsOf(std::string_view name) {
  std::vector<std::string> words(1);
  for (std::size_t i = 0; i < name.size(); ++i) {
    const auto byte = static_cast<unsigned char>(name[i]);
    const bool is_letter = std::isalnum(byte) != 0;
    const bool is_after_small = i > 0 && IsLower(name[i - 1]);
    const bool is_before_small = i + 1 < name.size() && IsLower(name[i + 1]);
    const bool begins =
        IsUpper(name[i]) && (is_after_small || (is_before_small && i > 0 && IsUpper(name[i - 1])));
    if ((!is_letter || begins) && !words.back().empty()) words.emplace_back();
    if (is_letter) words.back() += static_cast<char>(std::tolower(byte));
  }
  return words;
}

bool IsNumber(std::string_view value) {
  return std::ranges::all_of(value, [](unsigned char c) {
    return std::isdigit(c) != 0 || c == '.' || c == '-' || c == '+';
  });
}

/// Short endings must be whole words: "forwardpass" is none.
bool IsSecretWord(std::string_view word) {
  constexpr std::size_t kShort = 4;
  return std::ranges::any_of(kSecretEndings, [&](std::string_view ending) {
    return ending.size() > kShort ? word.ends_with(ending) : word == ending;
  });
}

bool HasNameOfSecret(std::string_view name) {
  const std::vector<std::string> words = WordsOf(name);
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (IsSecretWord(words[i])) return true;
    if (i > 0 && words[i] == "key" && Has(kKinds, words[i - 1])) return true;
  }
  return false;
}

/// What counts tokens: "max_token".
bool IsCount(std::string_view name) {
  const std::vector<std::string> words = WordsOf(name);
  return std::ranges::any_of(words, [](const std::string& word) { return word == "token"; });
}

bool HasValueOfSecret(std::string_view value) {
  return value.size() >= kShortestSecret &&
         std::ranges::any_of(
             kBeginnings, [&](std::string_view beginning) { return value.starts_with(beginning); });
}

/// "https://user:password@host".
bool HasUserInAddress(std::string_view value) {
  const std::size_t scheme = value.find("://");
  if (scheme == std::string_view::npos) return false;
  const std::string_view host =
      value.substr(scheme + 3, value.find_first_of("/ \n", scheme + 3) - scheme - 3);
  const std::size_t at = host.find('@');
  return at != std::string_view::npos && host.substr(0, at).find(':') != std::string_view::npos;
}

}  // namespace

bool LooksLikeSecret(std::string_view name, std::string_view value) {
  if (value.empty() || value == "true" || value == "false" || value == "null") return false;
  if (HasNameOfSecret(name) && !(IsNumber(value) && IsCount(name))) return true;
  if (HasValueOfSecret(value) || HasUserInAddress(value)) return true;
  // "HF_TOKEN=hf_...", as in a list of environment variables.
  const std::size_t equals = value.find('=');
  return equals != std::string_view::npos &&
         value.substr(0, equals).find_first_of(" \n{") == std::string_view::npos &&
         equals + 1 < value.size() &&
         (HasNameOfSecret(value.substr(0, equals)) || HasValueOfSecret(value.substr(equals + 1)));
}

}  // namespace xsp::core
