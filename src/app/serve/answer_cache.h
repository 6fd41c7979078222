#ifndef XSP_APP_SERVE_ANSWER_CACHE_H_
#define XSP_APP_SERVE_ANSWER_CACHE_H_

#include <cstddef>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>

#include "app/serve/message.h"
#include "app/serve/turnstile.h"
#include "core/result.h"

namespace xsp::serve {

/// A reply that is sent often: with its entity tag, and compressed once.
struct StoredAnswer {
  Reply reply;
  std::string compressed;  ///< The body with gzip; empty: not worth it.
  std::string etag;        ///< Strong: of the body. With the quotes.

  std::size_t bytes() const;  ///< That it takes in memory, about.
};

/// Computes answers, a few at a time, and stores them until the store changes. Who asks for an
/// answer that is being computed waits for it. Threading: any thread.
class AnswerCache {
 public:
  struct Settings {
    std::size_t most_bytes = std::size_t{128} << 20;  ///< Of what is stored, keys and all.
    int at_once = 2;      ///< Answers that are computed at the same time.
    int sql_at_once = 1;  ///< The same of SQL, apart from the others.
    int waiting = 64;     ///< Requests that wait for their turn, of each of the two.
    std::chrono::milliseconds longest_wait{30'000};
  };
  enum class Lane { kAnswer, kSql };
  using Compute = std::function<Result<Reply>()>;
  using Answer = std::shared_ptr<const StoredAnswer>;

  explicit AnswerCache(const Settings& settings);

  /// The stored answer of `key` where it was computed at the same `stamp` (of StoreState); else
  /// what `compute` returns, which is stored. An empty stamp: not stored. Errors: those of
  /// `compute`, which are not stored; kEnvironment (too many wait).
  Result<Answer> Get(const std::string& key, const std::string& stamp, Lane lane,
                     const Compute& compute);

  /// While this machine measures, one answer is computed at a time.
  void SetMeasuring(bool is_measuring);

 private:
  struct Entry {
    std::string key;
    std::string stamp;
    Answer answer;

    std::size_t bytes() const;
  };
  struct Pending;

  Answer Find(const std::string& key, const std::string& stamp);
  void Store(const std::string& key, const std::string& stamp, const Answer& answer);
  Result<Answer> ComputeNow(Lane lane, const Compute& compute);

  const Settings settings_;
  Turnstile answers_, sql_;
  std::mutex mutex_;
  std::list<Entry> entries_;  ///< The latest used first.
  std::unordered_map<std::string, std::list<Entry>::iterator> by_key_;
  std::unordered_map<std::string, std::shared_ptr<Pending>> pending_;
  std::size_t bytes_ = 0;
};

}  // namespace xsp::serve

#endif  // XSP_APP_SERVE_ANSWER_CACHE_H_
