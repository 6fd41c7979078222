#ifndef XSP_CORE_TURNS_H_
#define XSP_CORE_TURNS_H_

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <random>
#include <vector>

namespace xsp::core {

/// Threads that work one at a time, in rounds: in each round every member that has not left has one
/// turn, in an order that is drawn anew. What a member does in its turn happens after all turns
/// before it (they synchronise). Threading: each member's calls from one thread of its own.
class Turns {
 public:
  /// `members` are numbered from 0; none has left.
  Turns(std::size_t members, std::uint64_t seed);
  Turns(const Turns&) = delete;
  Turns& operator=(const Turns&) = delete;

  /// Waits for the member's first turn.
  void Join(std::size_t member);
  /// Ends its turn and waits for the next.
  void Pass(std::size_t member);
  /// Ends its turn; it has no other.
  void Leave(std::size_t member);

  /// In a turn: whether no other member is left.
  bool alone() const { return members_.size() == 1; }

 private:
  void Wait(std::unique_lock<std::mutex>& lock, std::size_t member);
  void EndTurn();

  std::mutex mutex_;
  std::condition_variable changed_;
  std::mt19937_64 random_;
  std::vector<std::size_t> members_;  ///< That have not left.
  std::vector<std::size_t> round_;    ///< Those whose turn is to come; the last one has it.
};

}  // namespace xsp::core

#endif  // XSP_CORE_TURNS_H_
