#ifndef XSP_CORE_REQUEST_FIELDS_H_
#define XSP_CORE_REQUEST_FIELDS_H_

#include <cstdint>
#include <filesystem>
#include <limits>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace xsp::core {

/// Which numbers a field takes.
struct NumberRange {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  bool above_low = false;   ///< `low` itself is not one of them.
  bool below_high = false;  ///< `high` itself is not one of them.

  constexpr bool Contains(double value) const {
    return (above_low ? value > low : value >= low) && (below_high ? value < high : value <= high);
  }
};

inline constexpr NumberRange kAnyNumber = {};
inline constexpr NumberRange kPositive = {0, std::numeric_limits<double>::infinity(), true, false};
inline constexpr NumberRange kNonNegative = {0, std::numeric_limits<double>::infinity(), false,
                                             false};
constexpr NumberRange Between(double low, double high) { return {low, high, false, false}; }

/// How a list is written on a command line. Elsewhere it is an array.
enum class ListStyle {
  kWords,     ///< --name A B C, or repeated.
  kCommas,    ///< --name A,B,C; also as kWords.
  kRepeated,  ///< --name A --name B: one element each.
  kOneWord,   ///< --name A,B,C in one word; may be repeated.
};

/// What the value of a field stands for, where it leads to a file, a folder or a program: what a
/// server has to know before it performs requests of people who may not reach all of them, and a
/// page to offer a choice. Of a list, what each element stands for.
enum class Refers {
  kNothing,
  /// An experiment or a run as store::Resolve() takes it, with `#` and selectors where the field
  /// takes points. Where the field says so, also a data set that ships with XSP, or the path of a
  /// file that is read in its place.
  kStored,
  kModel,       ///< A model as `xsp run` takes it: a name of the zoo, or a path.
  kManifest,    ///< The path of a model's manifest, which names other files.
  kInput,       ///< The path of a file or folder that is read.
  kOutput,      ///< The path of a file or folder that is written.
  kOutputPage,  ///< The path of a self-contained HTML page that is written.
  /// A program, a command for the shell, a file of such commands, or a setting by which a program
  /// may load any file.
  kProgram,
  /// SQL, or an expression of it: a server gives it limits of time, rows and memory, and performs
  /// one such request at a time.
  kSql,
};

/// What is known of a field beside its name, type and default, for people and for programs.
struct FieldInfo {
  std::string help;             ///< One line, no full stop.
  std::string value_name = {};  ///< Stands for the value in help: "N,...", "FILE".
  std::string unit = {};        ///< "s", "Hz", "GB"; empty: a plain number or no number.
  NumberRange range = kAnyNumber;
  std::vector<std::string> allowed = {};  ///< Of a text, or of each of a list; empty: any.
  Refers refers = Refers::kNothing;
  bool required = false;
  bool positional = false;  ///< On a command line it stands without its name.
  bool program = false;     ///< A program and its arguments: on a command line, what follows `--`.
  bool hidden = false;      ///< Not in the help of the command line.
  ListStyle list = ListStyle::kWords;
  int max_items = 0;                       ///< Of a list; 0: any number.
  std::vector<std::string> excludes = {};  ///< Fields that may not be given along with it.
  std::string needs = {};                  ///< A field that must be given along with it.
  std::string or_default = {};             ///< The default in words, where it depends on something.
  std::string if_bare = {};                ///< The value where a command line has the name alone.
  int for_people = 0;  ///< Of a number: its value where people read the answer and gave none.
  char letter = 0;     ///< On a command line, a second name: 'o' is -o.
};

/// The variable that holds a field's value: of the request, which outlives the visit. What it holds
/// before is the default; an optional without a value has none.
using FieldValue = std::variant<bool*, int*, std::int64_t*, std::uint64_t*, double*, std::string*,
                                std::filesystem::path*, std::optional<int>*, std::optional<double>*,
                                std::vector<int>*, std::vector<std::int64_t>*, std::vector<double>*,
                                std::vector<std::string>*, std::vector<std::filesystem::path>*>;

/// Visits the fields of a request, in the order of their declaration. An operation declares its
/// fields once, by one function that calls Add() for each; what reads a command line or a JSON
/// object into the request, and what writes the schema, are visitors.
class RequestFields {
 public:
  virtual ~RequestFields() = default;

  /// `name` is snake_case and unique in the request; a command line writes it with dashes.
  virtual void Add(const std::string& name, FieldValue value, const FieldInfo& info) = 0;
};

}  // namespace xsp::core

#endif  // XSP_CORE_REQUEST_FIELDS_H_
