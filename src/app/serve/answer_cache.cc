#include "app/serve/answer_cache.h"

#include <condition_variable>
#include <optional>
#include <utility>

#include "app/serve/gzip.h"
#include "os/sha256.h"

namespace xsp::serve {
namespace {

/// Below, a packet holds the body as it is.
constexpr std::size_t kWorthCompressing = 1400;

AnswerCache::Answer Stored(Reply reply) {
  auto answer = std::make_shared<StoredAnswer>();
  answer->etag = "\"" + os::Sha256(reply.body).substr(0, 32) + "\"";
  if (reply.body.size() > kWorthCompressing) answer->compressed = Gzip(reply.body);
  answer->reply = std::move(reply);
  return answer;
}

}  // namespace

std::size_t StoredAnswer::bytes() const {
  std::size_t bytes = sizeof *this + reply.body.size() + compressed.size() + etag.size();
  for (const auto& [name, value] : reply.headers) bytes += name.size() + value.size();
  return bytes;
}

std::size_t AnswerCache::Entry::bytes() const {
  // The key is there twice: here and in by_key_.
  return sizeof *this + 2 * key.size() + stamp.size() + answer->bytes();
}

/// An answer that somebody computes and others wait for.
struct AnswerCache::Pending {
  std::mutex mutex;
  std::condition_variable is_done;
  std::optional<Result<Answer>> result;

  void Set(const Result<Answer>& computed) {
    const std::lock_guard lock(mutex);
    result = computed;
    is_done.notify_all();
  }
  Result<Answer> Wait() {
    std::unique_lock lock(mutex);
    is_done.wait(lock, [&] { return result.has_value(); });
    return *result;
  }
};

AnswerCache::AnswerCache(const Settings& settings)
    : settings_(settings),
      answers_(settings.at_once, settings.waiting),
      sql_(settings.sql_at_once, settings.waiting) {}

void AnswerCache::SetMeasuring(bool is_measuring) {
  answers_.SetAtOnce(is_measuring ? 1 : settings_.at_once);
}

AnswerCache::Answer AnswerCache::Find(const std::string& key, const std::string& stamp) {
  const auto found = by_key_.find(key);
  if (found == by_key_.end() || found->second->stamp != stamp) return nullptr;
  entries_.splice(entries_.begin(), entries_, found->second);
  return found->second->answer;
}

void AnswerCache::Store(const std::string& key, const std::string& stamp, const Answer& answer) {
  if (const auto old = by_key_.find(key); old != by_key_.end()) {
    bytes_ -= old->second->bytes();
    entries_.erase(old->second);
    by_key_.erase(old);
  }
  entries_.push_front({key, stamp, answer});
  const std::size_t bytes = entries_.front().bytes();
  // A fourth of it all for one answer would drive out all others.
  if (bytes > settings_.most_bytes / 4) return entries_.pop_front();
  by_key_[key] = entries_.begin();
  bytes_ += bytes;
  while (bytes_ > settings_.most_bytes) {
    bytes_ -= entries_.back().bytes();
    by_key_.erase(entries_.back().key);
    entries_.pop_back();
  }
}

Result<AnswerCache::Answer> AnswerCache::ComputeNow(Lane lane, const Compute& compute) {
  Turnstile& turnstile = lane == Lane::kSql ? sql_ : answers_;
  const Turnstile::Place place = turnstile.Enter(settings_.longest_wait);
  if (!place.is_held())
    return Error{ErrorKind::kEnvironment, "too many requests wait for their answer",
                 "Try again in a minute."};
  XSP_TRY(Reply reply, compute());
  return Stored(std::move(reply));
}

Result<AnswerCache::Answer> AnswerCache::Get(const std::string& key, const std::string& stamp,
                                             Lane lane, const Compute& compute) {
  if (stamp.empty()) return ComputeNow(lane, compute);
  const std::string place = stamp + " " + key;
  std::shared_ptr<Pending> pending;
  bool is_mine = false;
  {
    const std::lock_guard lock(mutex_);
    if (const Answer found = Find(key, stamp)) return found;
    std::shared_ptr<Pending>& shared = pending_[place];
    is_mine = shared == nullptr;
    if (is_mine) shared = std::make_shared<Pending>();
    pending = shared;
  }
  if (!is_mine) return pending->Wait();
  Result<Answer> computed = [&]() -> Result<Answer> {
    try {
      return ComputeNow(lane, compute);
    } catch (const std::exception& exception) {  // Who waits must not wait for ever.
      return Error{ErrorKind::kInternal, exception.what(), ""};
    }
  }();
  {
    const std::lock_guard lock(mutex_);
    if (computed.ok()) Store(key, stamp, computed.value());
    pending_.erase(place);
  }
  pending->Set(computed);
  return computed;
}

}  // namespace xsp::serve
