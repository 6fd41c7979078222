// Imports logs of `nvidia-smi dmon -o DT`: series of GPUs, which stand beside the spans of a trace
// that is imported along. What becomes of what: README.md.

#include "ingest/importers/nvidia_smi_dmon/nvidia_smi_dmon_importer.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/utf8.h"
#include "ingest/importers/byte_stream.h"
#include "ingest/importers/importer.h"
#include "ingest/importers/line_reader.h"
#include "ingest/importers/nvidia_smi_dmon/diagnostics.h"
#include "ingest/importers/nvidia_smi_dmon/log_line.h"
#include "ingest/importers/nvidia_smi_dmon/series.h"

namespace xsp::importers::nvidia_smi_dmon {
namespace {

constexpr int kMostGpus = 1024;

/// A whole field as a number.
template <typename Number>
std::optional<Number> NumberOf(std::string_view field) {
  Number value = 0;
  const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), value);
  if (error != std::errc() || end != field.data() + field.size()) return std::nullopt;
  return value;
}

/// "-", and "N/A" of older drivers.
bool IsHidden(std::string_view field) { return field == "-" || field == "N/A"; }

/// Letters that a series may be named after.
bool IsPlainName(std::string_view name) {
  constexpr std::size_t kLongest = 32;
  return !name.empty() && name.size() <= kLongest &&
         name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_") == std::string_view::npos;
}

/// Turns the lines of one log into counters.
class LogBuilder {
 public:
  explicit LogBuilder(trace::SourceWriter& writer) : writer_(writer) {}

  void AddLine(std::string_view line) {
    switch (ReadFields(line, fields_)) {
      case LineKind::kNames:
        return SetNames();
      case LineKind::kUnits:
        return SetUnits();
      case LineKind::kSample:
        return AddSample(line);
      case LineKind::kEmpty:
        return;
    }
  }

  /// A header without date and time came before any sample.
  bool lacks_time() const { return !names_.empty() && !HasTime() && samples_ == 0; }
  bool has_header() const { return !names_.empty(); }

  /// After the last line. False: the log holds no sample.
  bool Finish() {
    for (const auto& [place, has_value] : has_value_)
      if (!has_value) Count(kHidden, fmt::format("gpu {}: {}", place.first, place.second));
    return samples_ > 0;
  }

  void Count(const DiagnosticSpec& diagnostic, std::string_view example) {
    constexpr std::size_t kShown = 200;
    writer_.Count(diagnostic, core::ToCleanUtf8(example.substr(0, kShown)));
  }

 private:
  struct Column {
    std::string name;  ///< In the log.
    std::string series, unit;
    double factor = 1;
  };

  bool HasTime() const { return date_ && time_; }

  std::optional<std::size_t> IndexOf(std::string_view name) const {
    const auto found = std::find(names_.begin(), names_.end(), name);
    if (found == names_.end()) return std::nullopt;
    return static_cast<std::size_t>(found - names_.begin());
  }

  void SetNames() {
    // A header is repeated every so often.
    if (std::equal(fields_.begin(), fields_.end(), names_.begin(), names_.end())) return;
    if (!AreOfDmon(fields_)) return Count(kBadLine, fields_.front());
    if (samples_ > 0) Count(kColumnsChanged, fmt::format("after sample {}", samples_));
    names_.assign(fields_.begin(), fields_.end());
    units_.clear();
    date_ = IndexOf("Date");
    time_ = IndexOf("Time");
    gpu_ = *IndexOf("gpu");
    columns_.clear();
  }

  void SetUnits() {
    if (fields_.size() != names_.size()) return Count(kBadLine, fields_.front());
    if (!columns_.empty()) return;  // Repeated.
    units_.assign(fields_.begin(), fields_.end());
  }

  /// Once the first sample shows that the header is complete.
  void MakeColumns() {
    for (std::size_t i = gpu_ + 1; i < names_.size(); ++i) {
      const std::string& name = names_[i];
      const std::string unit = units_.empty() ? "" : units_[i];
      Column column{name, "", "", 1};
      if (const auto series = SeriesOf(name, unit)) {
        column.series = series->name;
        column.unit = series->unit;
        column.factor = series->factor;
      } else {
        Count(kUnknownColumn, unit.empty() ? name : name + " in " + unit);
        if (IsPlainName(name)) column.series = "nvidia_smi." + name;
        column.unit = core::ToCleanUtf8(unit);
      }
      columns_.push_back(std::move(column));
    }
  }

  void AddSample(std::string_view line) {
    if (!HasTime() || fields_.size() != names_.size()) return Count(kBadLine, line);
    const auto time_ns = LocalTimeNs(fields_[*date_], fields_[*time_]);
    const auto gpu = NumberOf<int>(fields_[gpu_]);
    if (!time_ns || !gpu || *gpu < 0 || *gpu >= kMostGpus) return Count(kBadLine, line);
    if (last_ns_ && *time_ns < *last_ns_) return Count(kTimeWentBack, line);
    last_ns_ = time_ns;
    ++samples_;
    if (columns_.empty()) MakeColumns();
    for (std::size_t i = 0; i < columns_.size(); ++i)
      AddValue(columns_[i], *gpu, *time_ns, fields_[gpu_ + 1 + i]);
  }

  void AddValue(const Column& column, int gpu, std::int64_t time_ns, std::string_view field) {
    if (column.series.empty()) return;
    bool& has_value = has_value_.try_emplace({gpu, column.name}, false).first->second;
    if (IsHidden(field)) return;
    has_value = true;
    const std::optional<double> number = NumberOf<double>(field);
    const double value = number.value_or(NAN) * column.factor;
    if (!std::isfinite(value)) return Count(kBadValue, fmt::format("{}: {}", column.name, field));
    writer_.AddCounter(TrackOf(gpu), column.series, time_ns, value, column.unit);
  }

  trace::TrackId TrackOf(int gpu) {
    const auto [it, is_new] = tracks_.try_emplace(gpu, trace::TrackId{0});
    if (is_new) {
      // As the system monitor's (docs/monitor.md).
      trace::Track track;
      track.kind = trace::TrackKind::kDevice;
      track.name = fmt::format("gpu {}", gpu);
      track.device = gpu;
      it->second = writer_.AddTrack(std::move(track));
    }
    return it->second;
  }

  trace::SourceWriter& writer_;
  std::vector<std::string_view> fields_;  ///< Of the line that is read.
  std::vector<std::string> names_, units_;
  std::optional<std::size_t> date_, time_;
  std::size_t gpu_ = 0;
  std::vector<Column> columns_;  ///< Those after the GPU's number; empty until the first sample.
  std::map<int, trace::TrackId> tracks_;
  std::map<std::pair<int, std::string>, bool> has_value_;
  std::optional<std::int64_t> last_ns_;
  std::int64_t samples_ = 0;
};

Status ReadLog(ByteStream& stream, const std::string& file, std::size_t chunk_bytes,
               trace::SourceWriter& writer) {
  LogBuilder builder(writer);
  LineReader lines(stream, chunk_bytes);
  while (const auto line = lines.Next()) {
    if (!lines.is_whole()) {
      builder.Count(kCut, *line);
      continue;
    }
    builder.AddLine(*line);
    if (builder.lacks_time()) {
      return Error{ErrorKind::kBadInput, fmt::format("log has no date and time: {}", file),
                   "Record it with `nvidia-smi dmon -o DT -f dmon.log`: without date and time its "
                   "samples have no place beside a trace."};
    }
  }
  if (!stream.damage().empty()) builder.Count(kCut, stream.damage());
  if (!builder.Finish()) {
    return Error{
        ErrorKind::kBadInput,
        builder.has_header() ? fmt::format("log holds no sample: {}", file)
                             : fmt::format("log has no line of column names: {}", file),
        "Record it with `nvidia-smi dmon -o DT -f dmon.log`, without `--format noheader`."};
  }
  writer.SetAssumedZone();
  builder.Count(kLocalTime, "");
  return Ok{};
}

Status Import(const SourceFile& file, trace::SourceWriter& writer) {
  XSP_TRY(ByteStream stream, ByteStream::Open(file.path));
  return ReadLog(stream, file.path.string(), file.chunk_bytes, writer);
}

/// The first line that is not empty names columns of dmon.
Sniff SniffDmon(const SniffInput& input) {
  std::string_view prefix = input.first_bytes();
  std::vector<std::string_view> fields;
  const std::size_t first = std::min(prefix.find_first_not_of(" \t\r\n"), prefix.size());
  prefix.remove_prefix(first);
  const std::string_view line = prefix.substr(0, prefix.find('\n'));
  const bool is_header = ReadFields(line, fields) == LineKind::kNames;
  return is_header && AreOfDmon(fields) ? Sniff::kCertain : Sniff::kNo;
}

}  // namespace

Status ImportDmonText(std::string text, trace::SourceWriter& writer, std::size_t chunk_bytes) {
  ByteStream stream = ByteStream::OfText(std::move(text));
  return ReadLog(stream, "text", chunk_bytes, writer);
}

extern const ImporterSpec kSpec;
constinit const ImporterSpec kSpec = {
    .name = "nvidia_smi_dmon",
    .summary = "Log of `nvidia-smi dmon -o DT`: series of GPUs, alone or beside a trace",
    .clock = ClockDomain::kEpoch,  // Converted from local time, whose zone is assumed.
    .role = Role::kCounters,
    .priority = 90,  // Last: series stand beside what is there.
    .diagnostics = kDiagnostics,
    .sniff = SniffDmon,
    .import = Import,
};

}  // namespace xsp::importers::nvidia_smi_dmon
