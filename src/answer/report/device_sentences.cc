#include "answer/report/device_sentences.h"

#include <fmt/format.h>

#include <string>

#include "answer/report/rows.h"
#include "answer/wording/quantity.h"

namespace xsp::report {
namespace {

// Below these shares of the devices' time there is little to gain.
constexpr double kIdleMatters = 0.1;
constexpr double kAloneMatters = 0.05;
/// Of the kernels; the host can hardly run ahead of that many.
constexpr double kManyShort = 0.3;
/// Of the busy time: two streams that each work this much and still hardly overlap.
constexpr double kStreamWorks = 0.05;
constexpr double kHardlyOverlaps = 0.05;

/// Times of all devices together, whole runs.
Result<Rows> DeviceTime(const store::Database& database, std::int64_t point_id) {
  return Rows::Of(database, fmt::format(R"(
      SELECT count(*) AS devices, sum(total_ns) AS total_ns, sum(busy_ns) AS busy_ns,
             sum(idle_ns) AS idle_ns, sum(exposed_communication_ns) AS communication_ns,
             sum(exposed_copy_ns) AS copy_ns
      FROM device_time JOIN run USING (run_id) WHERE point_id = {} AND step IS NULL)",
                                        point_id));
}

std::vector<Sentence> Alone(const Rows& time) {
  const double communication = time.Number(0, "communication_ns") / time.Number(0, "total_ns");
  const double copies = time.Number(0, "copy_ns") / time.Number(0, "total_ns");
  std::string text;
  if (communication >= kAloneMatters)
    text = fmt::format("Communication that no computation hides takes {} of the device time",
                       wording::Percent(communication));
  if (copies >= kAloneMatters) {
    text += text.empty() ? "Copies beside which nothing runs take " : ", copies alone ";
    text += wording::Percent(copies);
    if (communication < kAloneMatters) text += " of the device time";
  }
  if (text.empty()) return {};
  return {{text + ".", "analysis-device_breakdown"}};
}

Result<std::vector<Sentence>> Launches(const store::Database& database, std::int64_t point_id) {
  XSP_TRY(const Rows rows, Rows::Of(database, fmt::format(R"(
      SELECT sum(launches) AS launches, sum(short) AS short
      FROM launch JOIN run USING (run_id) WHERE point_id = {} AND type = 'kernel')",
                                                          point_id)));
  const double share = rows.Number(0, "short") / rows.Number(0, "launches");
  if (!(share >= kManyShort)) return std::vector<Sentence>{};
  return std::vector<Sentence>{
      {fmt::format("{} of the kernels are shorter than the call that launches them: the host "
                   "cannot keep the device busy with these.",
                   wording::Percent(share)),
       "analysis-kernel_launches"}};
}

Result<std::vector<Sentence>> Streams(const store::Database& database, std::int64_t point_id) {
  XSP_TRY(const Rows rows, Rows::Of(database, fmt::format(R"(
      SELECT count(*) FILTER (s.busy_ns >= {1} * d.busy_ns) AS working,
             sum(s.busy_ns - s.alone_ns) AS overlapped_ns, sum(s.busy_ns) AS streams_ns
      FROM stream s JOIN run USING (run_id) JOIN device_time d ON d.run_id = s.run_id
        AND d.rank IS NOT DISTINCT FROM s.rank AND d.device IS NOT DISTINCT FROM s.device
        AND d.step IS NULL
      WHERE point_id = {0} GROUP BY s.run_id, s.rank, s.device HAVING working > 1
      ORDER BY overlapped_ns / streams_ns, s.run_id, s.rank, s.device LIMIT 1)",
                                                          point_id, kStreamWorks)));
  if (rows.empty()) return std::vector<Sentence>{};
  const double share = rows.Number(0, "overlapped_ns") / rows.Number(0, "streams_ns");
  if (!(share < kHardlyOverlaps)) return std::vector<Sentence>{};
  return std::vector<Sentence>{
      {fmt::format("{} streams of a device share its work and run side by side for only {} of "
                   "their time.",
                   rows.Integer(0, "working"), wording::Percent(share)),
       "analysis-streams"}};
}

}  // namespace

Result<std::vector<Sentence>> DeviceSentences(const store::Database& database,
                                              std::int64_t point_id) {
  XSP_TRY(const Rows time, DeviceTime(database, point_id));
  if (!(time.Number(0, "total_ns") > 0)) return std::vector<Sentence>{};
  std::vector<Sentence> sentences = Alone(time);
  const auto append = [&](const std::vector<Sentence>& found) {
    sentences.insert(sentences.end(), found.begin(), found.end());
  };
  if (time.Number(0, "idle_ns") / time.Number(0, "total_ns") >= kIdleMatters) {
    XSP_TRY(const std::vector<Sentence> launches, Launches(database, point_id));
    append(launches);
  }
  XSP_TRY(const std::vector<Sentence> streams, Streams(database, point_id));
  append(streams);
  return sentences;
}

}  // namespace xsp::report
