#include "app/serve/answer_cache.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <latch>
#include <list>
#include <memory>
#include <mutex>
#include <random>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "app/serve/gzip.h"
#include "store/thread_sanitizer_testing.h"

namespace xsp::serve {
namespace {

using Lane = AnswerCache::Lane;
using testing::MatchesRegex;

AnswerCache::Compute Answers(const std::string& body) {
  return [body]() -> Result<Reply> { return Reply{.body = body}; };
}

std::string BodyOf(const Result<AnswerCache::Answer>& answer) {
  return answer.ok() ? answer.value()->reply.body : "error: " + answer.error().what;
}

TEST(AnswerCache, StoresWhatWasComputedAtTheSameStamp) {
  AnswerCache cache({});
  EXPECT_EQ(BodyOf(cache.Get("key", "1", Lane::kAnswer, Answers("a"))), "a");
  EXPECT_EQ(BodyOf(cache.Get("key", "1", Lane::kAnswer, Answers("b"))), "a");
  EXPECT_EQ(BodyOf(cache.Get("key", "1", Lane::kSql, Answers("b"))), "a");
  EXPECT_EQ(BodyOf(cache.Get("other", "1", Lane::kAnswer, Answers("c"))), "c");
}

TEST(AnswerCache, AnotherStampIsComputedAnew) {
  AnswerCache cache({});
  EXPECT_EQ(BodyOf(cache.Get("key", "1", Lane::kAnswer, Answers("a"))), "a");
  EXPECT_EQ(BodyOf(cache.Get("key", "2", Lane::kAnswer, Answers("b"))), "b");
  EXPECT_EQ(BodyOf(cache.Get("key", "2", Lane::kAnswer, Answers("c"))), "b");
  EXPECT_EQ(BodyOf(cache.Get("key", "1", Lane::kAnswer, Answers("d"))), "d");
}

TEST(AnswerCache, WithoutAStampNothingIsStored) {
  AnswerCache cache({});
  EXPECT_EQ(BodyOf(cache.Get("key", "", Lane::kAnswer, Answers("a"))), "a");
  EXPECT_EQ(BodyOf(cache.Get("key", "", Lane::kAnswer, Answers("b"))), "b");
}

TEST(AnswerCache, ErrorsAreNotStored) {
  AnswerCache cache({});
  const auto fails = []() -> Result<Reply> { return Error{ErrorKind::kGate, "no", "hint"}; };
  EXPECT_EQ(cache.Get("key", "1", Lane::kAnswer, fails).error().kind, ErrorKind::kGate);
  EXPECT_EQ(BodyOf(cache.Get("key", "1", Lane::kAnswer, Answers("a"))), "a");
  EXPECT_EQ(cache.Get("key", "2", Lane::kAnswer, fails).error().hint, "hint");
}

TEST(AnswerCache, CompressesOnceWhatIsWorthIt) {
  AnswerCache cache({});
  const std::string text(5000, 'x');
  const auto large = cache.Get("large", "1", Lane::kAnswer, Answers(text)).value();
  EXPECT_EQ(large->compressed, Gzip(text));
  const auto small = cache.Get("small", "1", Lane::kAnswer, Answers("x")).value();
  EXPECT_EQ(small->compressed, "");
}

TEST(AnswerCache, EntityTagsAreOfTheBody) {
  AnswerCache cache({});
  const auto tag = [&](const std::string& key, const std::string& body) {
    return cache.Get(key, "1", Lane::kAnswer, Answers(body)).value()->etag;
  };
  EXPECT_THAT(tag("1", "a"), MatchesRegex("\"[0-9a-f]*\""));
  EXPECT_EQ(tag("2", "a"), tag("1", "a"));
  EXPECT_NE(tag("3", "b"), tag("1", "a"));
}

TEST(AnswerCache, ComputesOnceForFiftyThreadsAtOnce) {
  constexpr int kThreads = 50;
  AnswerCache cache({});
  std::latch have_begun(kThreads);
  std::atomic<int> computed = 0;
  std::vector<std::jthread> threads;
  for (int i = 0; i < kThreads; ++i)
    threads.emplace_back([&] {
      have_begun.count_down();
      const auto answer = cache.Get("key", "1", Lane::kAnswer, [&]() -> Result<Reply> {
        have_begun.wait();
        ++computed;
        return Reply{.body = "a"};
      });
      EXPECT_EQ(BodyOf(answer), "a");
    });
  threads.clear();
  EXPECT_EQ(computed, 1);
}

TEST(AnswerCache, AnExceptionReachesWhoWaitsAsAnError) {
  constexpr int kThreads = 8;
  AnswerCache cache({});
  std::latch have_begun(kThreads);
  std::vector<std::jthread> threads;
  for (int i = 0; i < kThreads; ++i)
    threads.emplace_back([&] {
      have_begun.count_down();
      const auto answer = cache.Get("key", "1", Lane::kAnswer, [&]() -> Result<Reply> {
        have_begun.wait();
        throw std::runtime_error("thrown");
      });
      ASSERT_FALSE(answer.ok());
      EXPECT_EQ(answer.error().kind, ErrorKind::kInternal);
      EXPECT_EQ(answer.error().what, "thrown");
    });
  threads.clear();
  EXPECT_EQ(BodyOf(cache.Get("key", "1", Lane::kAnswer, Answers("a"))), "a");
}

/// Whether an answer can be computed while another one of `lane` is.
bool HasPlaceBeside(AnswerCache& cache, Lane lane, Lane beside) {
  bool has_place = false;
  const auto outer = cache.Get("outer", "", lane, [&]() -> Result<Reply> {
    const auto inner = cache.Get("inner", "", beside, Answers("b"));
    has_place = inner.ok();
    if (!inner.ok()) {
      EXPECT_EQ(inner.error().kind, ErrorKind::kEnvironment);
      EXPECT_NE(inner.error().hint, "");
    }
    return Reply{.body = "a"};
  });
  EXPECT_EQ(BodyOf(outer), "a");
  return has_place;
}

TEST(AnswerCache, SqlAndOtherAnswersTakeNoPlaceOfEachOther) {
  AnswerCache cache({.at_once = 1, .sql_at_once = 1, .waiting = 0});
  EXPECT_TRUE(HasPlaceBeside(cache, Lane::kSql, Lane::kAnswer));
  EXPECT_TRUE(HasPlaceBeside(cache, Lane::kAnswer, Lane::kSql));
  EXPECT_FALSE(HasPlaceBeside(cache, Lane::kSql, Lane::kSql));
  EXPECT_FALSE(HasPlaceBeside(cache, Lane::kAnswer, Lane::kAnswer));
}

TEST(AnswerCache, ComputesOneAtATimeWhileTheMachineMeasures) {
  AnswerCache cache({.at_once = 2, .waiting = 0});
  EXPECT_TRUE(HasPlaceBeside(cache, Lane::kAnswer, Lane::kAnswer));
  cache.SetMeasuring(true);
  EXPECT_FALSE(HasPlaceBeside(cache, Lane::kAnswer, Lane::kAnswer));
  cache.SetMeasuring(false);
  EXPECT_TRUE(HasPlaceBeside(cache, Lane::kAnswer, Lane::kAnswer));
}

TEST(AnswerCache, WhoWaitsTooLongIsRefused) {
  AnswerCache cache({.at_once = 1, .waiting = 1, .longest_wait = std::chrono::milliseconds(1)});
  EXPECT_FALSE(HasPlaceBeside(cache, Lane::kAnswer, Lane::kAnswer));
}

TEST(AnswerCache, OneOfTwoIsRefusedWhereOneMayWait) {
  AnswerCache cache({.at_once = 1, .waiting = 1, .longest_wait = std::chrono::hours(1)});
  std::mutex mutex;
  std::condition_variable changed;
  int refused = 0, answered = 0;
  std::vector<std::jthread> threads;
  const auto outer = cache.Get("outer", "1", Lane::kAnswer, [&]() -> Result<Reply> {
    for (const std::string key : {"b", "c"})
      threads.emplace_back([&, key] {
        const bool is_answered = cache.Get(key, "1", Lane::kAnswer, Answers(key)).ok();
        const std::lock_guard lock(mutex);
        ++(is_answered ? answered : refused);
        changed.notify_all();
      });
    std::unique_lock lock(mutex);
    changed.wait(lock, [&] { return refused + answered > 0; });
    EXPECT_EQ(refused, 1);
    return Reply{.body = "a"};
  });
  threads.clear();
  EXPECT_EQ(BodyOf(outer), "a");
  EXPECT_EQ(refused, 1);
  EXPECT_EQ(answered, 1);
}

struct UsedAnswer {
  std::string key;
  std::weak_ptr<const StoredAnswer> answer;
};

TEST(AnswerCache, StoresTheLatestUsedThatFitOnRandomRequests) {
  constexpr std::size_t kMost = 40'000;
  AnswerCache cache({.most_bytes = kMost});
  std::mt19937 random(9);
  std::list<UsedAnswer> used;  // The latest first.
  for (int i = 0; i < 3000; ++i) {
    const std::string key = "key " + std::to_string(random() % 100);
    const auto known = std::ranges::find(used, key, &UsedAnswer::key);
    const bool is_stored = known != used.end() && !known->answer.expired();
    const std::string body(1 + random() % 1300, 'x');
    bool is_computed = false;
    const auto answer = cache.Get(key, "1", Lane::kAnswer, [&]() -> Result<Reply> {
      is_computed = true;
      return Reply{.body = body};
    });
    ASSERT_EQ(is_computed, !is_stored) << i;
    if (known != used.end()) used.erase(known);
    used.push_front({key, answer.value()});
    std::size_t bytes = 0;
    bool has_ended = false;
    for (const UsedAnswer& entry : used) {
      const auto alive = entry.answer.lock();
      ASSERT_FALSE(alive != nullptr && has_ended) << "an older answer outlived a later one";
      has_ended = alive == nullptr;
      if (alive != nullptr) bytes += alive->reply.body.size() + 2 * entry.key.size();
    }
    ASSERT_LE(bytes, kMost);
    if (has_ended) {
      ASSERT_GT(bytes, kMost / 3) << "too little is stored";
    }
  }
}

TEST(AnswerCache, LongKeysOfShortAnswersAreBounded) {
  AnswerCache cache({.most_bytes = 100'000});
  std::vector<std::weak_ptr<const StoredAnswer>> answers;
  for (int i = 0; i < 500; ++i)
    answers.push_back(
        cache.Get(std::string(1000, 'k') + std::to_string(i), "1", Lane::kAnswer, Answers(""))
            .value());
  EXPECT_LT(std::ranges::count_if(answers, [](const auto& answer) { return !answer.expired(); }),
            100);
}

TEST(AnswerCache, AnAnswerThatWouldDriveOutTheOthersIsNotStored) {
  AnswerCache cache({.most_bytes = 10'000});
  EXPECT_EQ(BodyOf(cache.Get("small", "1", Lane::kAnswer, Answers("a"))), "a");
  const std::string large(3000, 'x');
  EXPECT_EQ(BodyOf(cache.Get("large", "1", Lane::kAnswer, Answers(large))), large);
  EXPECT_EQ(BodyOf(cache.Get("large", "1", Lane::kAnswer, Answers("b"))), "b");
  EXPECT_EQ(BodyOf(cache.Get("small", "1", Lane::kAnswer, Answers("c"))), "a");
}

}  // namespace
}  // namespace xsp::serve
