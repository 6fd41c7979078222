#include "core/dtype.h"

#include <algorithm>

namespace xsp::core {
namespace {

struct DtypeFacts {
  std::size_t bytes;
  const char* npy;
};

// In the order of Dtype's values.
constexpr std::array<DtypeFacts, kDtypeNames.size()> kFacts = {{{4, "<f4"},
                                                                {8, "<f8"},
                                                                {2, "<f2"},
                                                                {2, "<f4"},
                                                                {8, "<i8"},
                                                                {4, "<i4"},
                                                                {2, "<i2"},
                                                                {1, "|i1"},
                                                                {1, "|u1"},
                                                                {1, "|b1"}}};

}  // namespace

std::size_t DtypeBytes(Dtype dtype) { return kFacts.at(static_cast<std::size_t>(dtype)).bytes; }

const char* DtypeName(Dtype dtype) {
  return kDtypeNames.at(static_cast<std::size_t>(dtype)).data();  // Of a literal: it ends in NUL.
}

std::optional<Dtype> DtypeNamed(std::string_view name) {
  const auto found = std::find(kDtypeNames.begin(), kDtypeNames.end(), name);
  if (found == kDtypeNames.end()) return std::nullopt;
  return static_cast<Dtype>(found - kDtypeNames.begin());
}

std::string DtypeNamesText(std::string_view last) {
  std::string text(kDtypeNames.front());
  for (std::size_t i = 1; i < kDtypeNames.size(); ++i) {
    text += i + 1 == kDtypeNames.size() ? last : ", ";
    text += kDtypeNames[i];
  }
  return text;
}

const char* NpyName(Dtype dtype) { return kFacts.at(static_cast<std::size_t>(dtype)).npy; }

}  // namespace xsp::core
