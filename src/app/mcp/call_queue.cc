#include "app/mcp/call_queue.h"

#include <algorithm>
#include <utility>

#include "os/signals_blocked.h"

namespace xsp::mcp {

CallQueue::CallQueue() {
  const os::SignalsBlocked blocked;
  thread_ = std::thread([this] { Run(); });
}

CallQueue::~CallQueue() { Stop(); }

CallQueue::Added CallQueue::Add(const std::string& key, Work work) {
  const std::lock_guard lock(mutex_);
  const auto has_key = [&key](const std::shared_ptr<Call>& call) { return call->key == key; };
  if ((current_ != nullptr && has_key(current_)) || std::ranges::any_of(waiting_, has_key))
    return Added::kKeyInUse;
  if (waiting_.size() >= kMaxWaiting) return Added::kFull;
  auto call = std::make_shared<Call>();
  call->key = key;
  call->work = std::move(work);
  waiting_.push_back(std::move(call));
  changed_.notify_one();
  return Added::kYes;
}

void CallQueue::Cancel(const std::string& key) {
  const std::lock_guard lock(mutex_);
  std::erase_if(waiting_, [&key](const std::shared_ptr<Call>& call) { return call->key == key; });
  if (current_ == nullptr || current_->key != key) return;
  current_->state.is_cancelled = true;
  current_->state.interrupts.Request();
}

void CallQueue::Finish() { End(false); }

void CallQueue::Stop() { End(true); }

void CallQueue::End(bool cancels) {
  {
    const std::lock_guard lock(mutex_);
    is_over_ = true;
    if (cancels) {
      waiting_.clear();
      if (current_ != nullptr) current_->state.is_cancelled = true;
    }
    for (const std::shared_ptr<Call>& call : waiting_) call->state.interrupts.Request();
    if (current_ != nullptr) current_->state.interrupts.Request();
    changed_.notify_one();
  }
  if (thread_.joinable()) thread_.join();
}

void CallQueue::Run() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] { return is_over_ || !waiting_.empty(); });
    if (waiting_.empty()) return;
    current_ = std::move(waiting_.front());
    waiting_.pop_front();
    lock.unlock();
    current_->work(current_->state);
    lock.lock();
    current_ = nullptr;
  }
}

}  // namespace xsp::mcp
