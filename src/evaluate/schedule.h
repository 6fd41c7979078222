#ifndef XSP_EVALUATE_SCHEDULE_H_
#define XSP_EVALUATE_SCHEDULE_H_

#include <cstddef>
#include <cstdint>
#include <vector>

namespace xsp::evaluate {

/// Calls in one turn of one worker.
inline constexpr int kBlockIterations = 10;

/// One worker makes `iterations` calls while the others wait.
struct Turn {
  std::size_t worker;
  int iterations;
};

/// Cuts the calls of several workers into blocks and takes the workers in turns, in an order that
/// is shuffled anew each round: what slows the machine for a while hits all of them alike, and none
/// always follows the same other (randomised block design, Fisher 1935). `iterations[w]` calls of
/// worker w in total. The same seed gives the same turns on every machine.
std::vector<Turn> InterleavedTurns(const std::vector<int>& iterations, int block_iterations,
                                   std::uint64_t seed);

}  // namespace xsp::evaluate

#endif  // XSP_EVALUATE_SCHEDULE_H_
