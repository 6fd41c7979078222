#include "derive/accuracy/ranking.h"

#include <fmt/core.h>

#include <cmath>

namespace xsp::accuracy {

Result<RankingScores> ScoreRanking(std::span<const float> scores, std::size_t candidates,
                                   std::span<const std::size_t> positives, std::size_t k) {
  if (positives.empty())
    return Error{ErrorKind::kBadInput, "there are no users to rank for", "give at least one user"};
  if (k == 0) return Error{ErrorKind::kUsage, "hit rate needs a k of at least 1: 0", ""};
  if (candidates == 0 || scores.size() / candidates != positives.size() ||
      scores.size() % candidates != 0)
    return Error{ErrorKind::kBadInput,
                 fmt::format("scores do not fit the users: {} scores, {} candidates, {} users",
                             scores.size(), candidates, positives.size()),
                 "give one row of scores, one per candidate, for each user"};
  RankingScores sums;
  for (std::size_t user = 0; user < positives.size(); ++user) {
    if (positives[user] >= candidates)
      return Error{ErrorKind::kBadInput,
                   fmt::format("a positive is no candidate: column {} of user {}, {} candidates",
                               positives[user], user, candidates),
                   "columns count from 0"};
    const auto row = scores.subspan(user * candidates, candidates);
    const float mine = row[positives[user]];
    if (std::isnan(mine)) continue;
    std::size_t rank = 0;
    for (std::size_t i = 0; i < candidates; ++i) rank += i != positives[user] && row[i] >= mine;
    if (rank >= k) continue;
    sums.hit_rate += 1;
    sums.ndcg += 1 / std::log2(static_cast<double>(rank) + 2);
  }
  const auto users = static_cast<double>(positives.size());
  return RankingScores{.hit_rate = sums.hit_rate / users, .ndcg = sums.ndcg / users};
}

}  // namespace xsp::accuracy
