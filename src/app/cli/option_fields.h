#ifndef XSP_APP_CLI_OPTION_FIELDS_H_
#define XSP_APP_CLI_OPTION_FIELDS_H_

#include <string>
#include <vector>

#include "core/request_fields.h"
#include "core/result.h"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace xsp::cli {

/// Makes the fields of a request options of a command: `time_limit` is --time-limit, a positional
/// field is a word, a program is what follows `--`. Outlives the parsing of the command line.
class OptionFields final : public core::RequestFields {
 public:
  explicit OptionFields(CLI::App& app) : app_(app) {}

  void Add(const std::string& name, core::FieldValue value, const core::FieldInfo& info) override;

  /// Ends the declaration: once, after the last Add().
  void Finish();

  /// Once the command line of `command` has been read. `for_people`: they read the answer. Errors:
  /// kUsage (a program that is not after `--`).
  Status Complete(const std::string& command, bool for_people) const;

  bool takes_program() const { return takes_program_; }

 private:
  template <typename T>
  CLI::Option* AddValue(const std::string& name, T& value, const core::FieldInfo& info);
  void AddProgram(std::vector<std::string>& program, const core::FieldInfo& info);
  /// A field that may be missing and the word after it, which may not: as one option of both.
  void AddPair(const core::FieldInfo& info, std::string& last);

  CLI::App& app_;
  bool takes_program_ = false;
  bool has_positional_list_ = false;
  std::vector<std::string> misplaced_;  ///< Words that stand where a program's name does in help.
  std::vector<std::string> pair_;
  /// A positional text that may be missing, until it is known whether another follows it.
  std::string* pending_ = nullptr;
  core::FieldInfo pending_info_;
  struct Added {
    CLI::Option* option;
    core::FieldValue value;
    core::FieldInfo info;
  };
  std::vector<Added> added_;
};

}  // namespace xsp::cli

#endif  // XSP_APP_CLI_OPTION_FIELDS_H_
