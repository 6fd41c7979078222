#ifndef XSP_MEASURE_MANIFEST_FIELD_READER_H_
#define XSP_MEASURE_MANIFEST_FIELD_READER_H_

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "measure/manifest/document.h"

namespace xsp::manifest {

/// Takes typed fields out of a map and notes everything that is wrong. A field that is missing or
/// wrong leaves the target as it was. `map` and `problems` outlive it.
class FieldReader {
 public:
  /// `where` names the map in messages: "inputs[0]"; empty for the whole manifest.
  FieldReader(const Value& map, std::string where, std::vector<Problem>& problems);

  /// Notes every key that is not among `known`, with the nearest that is as the hint.
  void OnlyKeys(std::span<const std::string_view> known);

  /// Text that is not empty. `number_too`: an unquoted number is taken as it was written.
  const Value* Text(std::string_view key, std::string& target, bool number_too = false);
  /// Text that is one of `known`.
  const Value* Choice(std::string_view key, std::span<const std::string_view> known,
                      std::string& target);
  /// A list of texts, each not empty; `single_too`: one text is a list of one.
  const Value* Texts(std::string_view key, std::vector<std::string>& target,
                     bool single_too = false);
  /// The list of a key; null when it is missing or something else (noted).
  const Value* List(std::string_view key);
  /// Notes that `key` is missing.
  void Require(std::string_view key);

  const Value* Find(std::string_view key) const { return map_.Find(key); }
  /// "inputs[0].shape"
  std::string Name(std::string_view key) const;
  void Wrong(Position at, std::string what, std::string hint = "");
  /// "NAME is TEXT, not EXPECTED"
  void NotA(std::string_view key, const Value& value, std::string_view expected);

 private:
  const Value& map_;
  std::string where_;
  std::vector<Problem>& problems_;
};

}  // namespace xsp::manifest

#endif  // XSP_MEASURE_MANIFEST_FIELD_READER_H_
