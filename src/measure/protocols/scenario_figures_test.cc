#include "measure/protocols/scenario_figures.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace xsp::protocols {
namespace {

using testing::HasSubstr;

ScenarioTry Served(double rate, std::size_t queries, double service_ns, double queue_ns) {
  ScenarioTry tried;
  tried.offered_rate = rate;
  tried.service_ns.assign(queries, service_ns);
  tried.queue_ns.assign(queries, queue_ns);
  tried.end_ns = 1e9;
  return tried;
}

const requests::ScenarioRequest kServer = {
    .kind = "server", .latency_bound_ns = 10'000'000, .percentile = 99, .queries = 1000};

TEST(Judge, CountsQueueAndServiceTogether) {
  EXPECT_TRUE(Judge(Served(100, 1000, 2e6, 7e6), kServer).passed);
  const Verdict verdict = Judge(Served(100, 1000, 2e6, 9e6), kServer);
  EXPECT_FALSE(verdict.passed);
  EXPECT_FALSE(verdict.by_calls_alone);
  EXPECT_THAT(verdict.reason, HasSubstr("1000 of 1000 queries took longer than 10 ms"));
}

TEST(Judge, TellsCallsThatAreTooLongByThemselves) {
  ScenarioTry tried = Served(10, 1000, 2e6, 0);
  for (std::size_t i = 0; i < 3; ++i) tried.service_ns[i] = 11e6;
  const Verdict verdict = Judge(tried, kServer);
  EXPECT_FALSE(verdict.passed);
  EXPECT_TRUE(verdict.by_calls_alone);
  EXPECT_THAT(verdict.reason, HasSubstr("3 of 1000 calls alone took longer than 10 ms; 2 may"));
}

TEST(Judge, AllowsAsManyAsTheCriterion) {
  ScenarioTry tried = Served(100, 1001, 2e6, 0);
  // FewestQueries(3, 99) is 1001.
  for (std::size_t i = 0; i < 3; ++i) tried.queue_ns[i] = 1e9;
  EXPECT_TRUE(Judge(tried, kServer).passed);
  tried.queue_ns[3] = 1e9;
  EXPECT_FALSE(Judge(tried, kServer).passed);
}

TEST(Judge, RefusesARateThatOnlyTheEndOfTheRunSaves) {
  // What the worker does between calls is time that no query can have.
  ScenarioTry tried = Served(400, 1000, 2e6, 0);
  EXPECT_TRUE(Judge(tried, kServer).passed);
  tried.gap_ns = 1e6;
  EXPECT_FALSE(Judge(tried, kServer).passed);
  // 600 queries a second of 2 ms each: 1.2 seconds of work in every second.
  const Verdict verdict = Judge(Served(600, 1000, 2e6, 0), kServer);
  EXPECT_FALSE(verdict.passed);
  EXPECT_THAT(verdict.reason, HasSubstr("queue grew"));
}

TEST(AddTry, KeepsQueueAndServiceApart) {
  std::vector<store::ScenarioRow> table;
  AddTry({1, 2, 4, 3, true}, Served(100, 1000, 2e6, 5e6), kServer, table);
  const store::ScenarioRow& row = table.at(0);
  EXPECT_EQ(row.latency_p99_ns, 7e6);
  EXPECT_EQ(row.queue_p50_ns, 5e6);
  EXPECT_EQ(row.service_p95_ns, 2e6);
  EXPECT_EQ(row.throughput_per_s, 999.0 * 4);
  EXPECT_EQ(row.utilisation, 0.2);
  EXPECT_EQ(row.above_bound, 0);
  EXPECT_EQ(row.estimate_ns, 7e6);
  EXPECT_EQ(row.passed, true);
  EXPECT_TRUE(row.chosen);
  EXPECT_EQ(row.message, std::nullopt);
}

TEST(AddTry, OfflineHasNoLatencyOfAQuery) {
  ScenarioTry tried;
  tried.service_ns.assign(10, 50e6);
  tried.end_ns = 1e9;
  std::vector<store::ScenarioRow> table;
  AddTry({1, 1, 8, 0, true}, tried, {.kind = "offline", .queries = 10}, table);
  const store::ScenarioRow& row = table.at(0);
  EXPECT_EQ(row.latency_p50_ns, std::nullopt);
  EXPECT_EQ(row.queue_p50_ns, std::nullopt);
  EXPECT_EQ(row.percentile, std::nullopt);
  EXPECT_EQ(row.percentile_ns, std::nullopt);
  EXPECT_EQ(row.estimate_ns, std::nullopt);
  EXPECT_EQ(row.bound_ns, std::nullopt);
  EXPECT_EQ(row.passed, std::nullopt);
  EXPECT_EQ(row.message, std::nullopt);
  EXPECT_EQ(row.utilisation, std::nullopt);
  EXPECT_EQ(row.throughput_per_s, 80.0);
  EXPECT_EQ(row.service_p50_ns, 50e6);
}

TEST(TakeTry, MissesNoQuery) {
  EXPECT_EQ(TakeTry(trace::Trace(), 0, 3, std::nullopt).error().kind, ErrorKind::kInternal);
}

}  // namespace
}  // namespace xsp::protocols
