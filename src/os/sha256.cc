#include "os/sha256.h"

#include <fmt/format.h>
#include <openssl/evp.h>

#include <array>
#include <fstream>
#include <memory>
#include <vector>

namespace xsp::os {

namespace fs = std::filesystem;

namespace {

class Hasher {
 public:
  Hasher() : context_(EVP_MD_CTX_new(), EVP_MD_CTX_free) {
    EVP_DigestInit_ex(context_.get(), EVP_sha256(), nullptr);
  }
  void Add(std::string_view text) { EVP_DigestUpdate(context_.get(), text.data(), text.size()); }
  std::string Finish() {
    std::array<unsigned char, EVP_MAX_MD_SIZE> digest;
    unsigned int length = 0;
    EVP_DigestFinal_ex(context_.get(), digest.data(), &length);
    std::string text;
    for (unsigned int i = 0; i < length; ++i) text += fmt::format("{:02x}", digest[i]);
    return text;
  }

 private:
  std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context_;
};

}  // namespace

std::string Sha256(std::string_view text) {
  Hasher hasher;
  hasher.Add(text);
  return hasher.Finish();
}

Result<std::string> Sha256OfFile(const fs::path& path) {
  std::error_code error;
  if (!fs::exists(path, error))
    return Error{ErrorKind::kBadInput, fmt::format("no such file: {}", path.string()), ""};
  if (fs::is_directory(path, error))
    return Error{ErrorKind::kBadInput, fmt::format("is a directory: {}", path.string()), ""};
  std::ifstream file(path, std::ios::binary);
  std::vector<char> chunk(1 << 20);
  Hasher hasher;
  while (file) {
    file.read(chunk.data(), static_cast<std::streamsize>(chunk.size()));
    hasher.Add(std::string_view(chunk.data(), static_cast<std::size_t>(file.gcount())));
  }
  if (!file.eof())
    return Error{ErrorKind::kEnvironment, fmt::format("cannot read: {}", path.string()), ""};
  return hasher.Finish();
}

}  // namespace xsp::os
