#ifndef XSP_MEASURE_MANIFEST_DOCUMENT_H_
#define XSP_MEASURE_MANIFEST_DOCUMENT_H_

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace xsp::manifest {

/// Where something stands in a file. Both count from 1; 0: not known.
struct Position {
  int line = 0;
  int column = 0;
};

/// Something that is wrong with a manifest, or (not an error) that could not be taken over.
struct Problem {
  Position at;
  std::string what;  ///< "unknown key: tsak"
  std::string hint;  ///< What to do; may be empty.
  bool error = true;
};

/// "FILE:3:1: unknown key: tsak (did you mean task?)"; without a position "FILE: ...".
std::string ToString(const Problem& problem, std::string_view file);

/// Puts problems into the order of the file.
void SortByPosition(std::vector<Problem>& problems);

struct Member;

/// A value of a YAML document, typed by YAML's core schema, with where it stands.
struct Value {
  Position at;
  nlohmann::json scalar;  ///< null, boolean, integer, real or text; null for lists and maps.
  std::string text;       ///< A scalar as it was written, without quotes.
  std::vector<Value> items;
  std::vector<Member> members;  ///< In the order of the file; keys are unique.
  enum class Kind { kScalar, kList, kMap } kind = Kind::kScalar;

  bool is_map() const { return kind == Kind::kMap; }
  bool is_list() const { return kind == Kind::kList; }
  bool is_text() const { return kind == Kind::kScalar && scalar.is_string(); }
  /// The value of a map's key, or null.
  const Value* Find(std::string_view key) const;
};

struct Member {
  std::string key;
  Position at;  ///< Of the key.
  Value value;
};

/// "a map", "a list", "text", "a whole number", "a number", "true or false", "nothing".
std::string KindOf(const Value& value);

/// The value without positions.
nlohmann::json ToJson(const Value& value);

/// Reads the one document of a YAML text. What is wrong (syntax, a key that is no text, a key given
/// twice, lists in lists without end, more than 100,000 values) is added to `problems`; what could
/// be read is returned.
Value ParseDocument(std::string_view text, std::vector<Problem>& problems);

}  // namespace xsp::manifest

#endif  // XSP_MEASURE_MANIFEST_DOCUMENT_H_
