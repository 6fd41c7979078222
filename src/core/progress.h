#ifndef XSP_CORE_PROGRESS_H_
#define XSP_CORE_PROGRESS_H_

#include <string_view>

namespace xsp::core {

/// Told how a long piece of work goes. Called from the thread that works.
class Progress {
 public:
  virtual ~Progress() = default;

  /// What is being done now; the share of the whole that is done (0 ... 1); seconds that are
  /// probably left, negative while that is unknown.
  virtual void Step(std::string_view what, double fraction, double remaining_s) = 0;

  /// Something that a user should read, e.g. that a run failed and why. One line, no full stop.
  virtual void Note(std::string_view message) = 0;
};

/// Tells nobody.
class NoProgress final : public Progress {
 public:
  void Step(std::string_view, double, double) override {}
  void Note(std::string_view) override {}
};

}  // namespace xsp::core

#endif  // XSP_CORE_PROGRESS_H_
