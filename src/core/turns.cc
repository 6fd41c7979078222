#include "core/turns.h"

#include <algorithm>
#include <numeric>

namespace xsp::core {

Turns::Turns(std::size_t members, std::uint64_t seed) : random_(seed), members_(members) {
  std::iota(members_.begin(), members_.end(), std::size_t{0});
  EndTurn();
}

void Turns::Join(std::size_t member) {
  std::unique_lock lock(mutex_);
  Wait(lock, member);
}

void Turns::Pass(std::size_t member) {
  std::unique_lock lock(mutex_);
  round_.pop_back();
  EndTurn();
  Wait(lock, member);
}

void Turns::Leave(std::size_t member) {
  const std::unique_lock lock(mutex_);
  members_.erase(std::find(members_.begin(), members_.end(), member));
  round_.pop_back();
  EndTurn();
}

void Turns::Wait(std::unique_lock<std::mutex>& lock, std::size_t member) {
  changed_.wait(lock, [&] { return !round_.empty() && round_.back() == member; });
}

void Turns::EndTurn() {
  if (round_.empty()) {
    round_ = members_;
    std::shuffle(round_.begin(), round_.end(), random_);
  }
  changed_.notify_all();
}

}  // namespace xsp::core
