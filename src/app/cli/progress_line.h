#ifndef XSP_APP_CLI_PROGRESS_LINE_H_
#define XSP_APP_CLI_PROGRESS_LINE_H_

#include <chrono>
#include <string>
#include <string_view>

#include "core/progress.h"

namespace xsp::cli {

/// One line on standard error that says what is being done, how much of it, and how long it will
/// take. On a terminal the line is rewritten in place; in a pipe only notes are written. Where
/// XSP_PROGRESS is json, each step is a line for programs, at most ten in a second:
/// {"progress":{"step":"...","fraction":0.25,"remaining_s":12.5}}; remaining_s is null if unknown.
class ProgressLine final : public core::Progress {
 public:
  ProgressLine();
  ~ProgressLine() override;
  void Step(std::string_view what, double fraction, double remaining_s) override;
  void Note(std::string_view message) override;

  /// Takes the line away, as before an answer is shown.
  void Clear();

 private:
  void WriteForPrograms(std::string_view what, double fraction, double remaining_s);

  bool terminal_;
  bool for_programs_;
  std::chrono::steady_clock::time_point written_ = {};
  bool shown_ = false;
};

/// "4 s", "2 min 10 s": how people say a duration.
std::string SpokenDuration(double seconds);

}  // namespace xsp::cli

#endif  // XSP_APP_CLI_PROGRESS_LINE_H_
