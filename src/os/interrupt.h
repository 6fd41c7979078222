#ifndef XSP_OS_INTERRUPT_H_
#define XSP_OS_INTERRUPT_H_

namespace xsp::os {

/// While it lives, SIGINT and SIGTERM are counted instead of ending the process: the first asks to
/// stop measuring and keep what there is, the second to give up at once, the third ends the process
/// as if nothing had caught it. At most one may live at a time; its owner's thread reads it.
class Interrupts {
 public:
  Interrupts();
  ~Interrupts();
  Interrupts(const Interrupts&) = delete;
  Interrupts& operator=(const Interrupts&) = delete;

  bool stop() const { return count() >= 1; }     ///< Stop measuring, keep what was measured.
  bool give_up() const { return count() >= 2; }  ///< Keep nothing.

  /// A descriptor that is readable from a signal until Acknowledge(): what waits can be woken by
  /// it.
  int wake_fd() const;
  void Acknowledge();

 private:
  static int count();
};

}  // namespace xsp::os

#endif  // XSP_OS_INTERRUPT_H_
