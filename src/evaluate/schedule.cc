#include "evaluate/schedule.h"

#include <algorithm>
#include <random>
#include <utility>

namespace xsp::evaluate {

std::vector<Turn> InterleavedTurns(const std::vector<int>& iterations, int block_iterations,
                                   std::uint64_t seed) {
  // The engine's output is fixed by the standard; std::shuffle's use of it is not.
  std::mt19937_64 random(seed);
  std::vector<int> left = iterations;
  std::vector<Turn> turns;
  for (;;) {
    std::vector<std::size_t> round;
    for (std::size_t worker = 0; worker < left.size(); ++worker)
      if (left[worker] > 0) round.push_back(worker);
    if (round.empty()) return turns;
    for (std::size_t i = round.size(); i > 1; --i) std::swap(round[i - 1], round[random() % i]);
    for (std::size_t worker : round) {
      const int block = std::min(std::max(block_iterations, 1), left[worker]);
      left[worker] -= block;
      turns.push_back({worker, block});
    }
  }
}

}  // namespace xsp::evaluate
