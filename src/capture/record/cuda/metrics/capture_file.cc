#include "capture/record/cuda/metrics/capture_file.h"

#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>

namespace xsp::record::cuda {
namespace {

constexpr std::size_t kMetricsAlign = 8;
constexpr std::size_t kMetricsHeaderBytes = sizeof kMetricCaptureMagic + 8;
constexpr std::size_t kMetricsBlockHeadBytes = 16;

std::size_t Padding(std::size_t bytes) {
  return (kMetricsAlign - bytes % kMetricsAlign) % kMetricsAlign;
}

class Writer {
 public:
  template <typename Number>
  void Add(Number number) {
    data_.append(reinterpret_cast<const char*>(&number), sizeof number);
  }
  void AddText(std::string_view text) {
    Add(static_cast<std::uint32_t>(text.size()));
    data_.append(text);
  }
  const std::string& data() const { return data_; }

 private:
  std::string data_;
};

/// Reads what Writer wrote; past the end everything is 0 and is_whole() false.
class Reader {
 public:
  explicit Reader(std::string_view data) : rest_(data) {}

  template <typename Number>
  Number Take() {
    Number number = 0;
    if (rest_.size() < sizeof number) {
      is_whole_ = false;
      rest_ = {};
      return number;
    }
    std::memcpy(&number, rest_.data(), sizeof number);
    rest_.remove_prefix(sizeof number);
    return number;
  }
  std::string TakeText() {
    const auto bytes = Take<std::uint32_t>();
    if (bytes > rest_.size()) {
      is_whole_ = false;
      rest_ = {};
      return {};
    }
    std::string text(rest_.substr(0, bytes));
    rest_.remove_prefix(bytes);
    return text;
  }
  /// A count of things of at least `bytes_each`; 0 and not whole where they cannot all be here.
  std::size_t TakeCount(std::size_t bytes_each) {
    const std::size_t count = Take<std::uint32_t>();
    if (count <= rest_.size() / bytes_each) return count;
    is_whole_ = false;
    return 0;
  }
  bool is_whole() const { return is_whole_; }

 private:
  std::string_view rest_;
  bool is_whole_ = true;
};

}  // namespace

MetricCaptureWriter::MetricCaptureWriter(const char* path, std::uint32_t cupti_version) {
  if (path == nullptr || *path == '\0') return;
  file_ = std::fopen(path, "wbxe");
  if (file_ == nullptr)
    file_ = std::fopen((std::string(path) + "." + std::to_string(getpid())).c_str(), "wbe");
  if (file_ == nullptr) return;
  Writer header;
  header.Add(kMetricCaptureFormat);
  header.Add(cupti_version);
  std::fwrite(kMetricCaptureMagic, 1, sizeof kMetricCaptureMagic, file_);
  std::fwrite(header.data().data(), 1, header.data().size(), file_);
  std::fflush(file_);  // A forked child that exits would write it a second time.
}

MetricCaptureWriter::~MetricCaptureWriter() {
  if (file_ != nullptr) std::fclose(file_);
}

void MetricCaptureWriter::Block(std::uint32_t context, MetricCaptureBlock kind, const void* data,
                                std::size_t bytes) {
  if (file_ == nullptr) return;
  Writer head;
  head.Add(static_cast<std::uint32_t>(kind));
  head.Add(context);
  head.Add(static_cast<std::uint64_t>(bytes));
  std::fwrite(head.data().data(), 1, head.data().size(), file_);
  if (bytes > 0) std::fwrite(data, 1, bytes, file_);
  static constexpr char kZeros[kMetricsAlign] = {};
  std::fwrite(kZeros, 1, Padding(bytes), file_);
  std::fflush(file_);  // A crash must not take it along.
}

void MetricCaptureWriter::Plan(std::uint32_t context, int compute_capability, std::size_t passes,
                               const std::string& chip, std::string_view asked,
                               std::string_view table, const MetricPlan& plan) {
  if (file_ == nullptr) return;
  Writer content;
  content.Add(static_cast<std::uint32_t>(compute_capability));
  content.Add(static_cast<std::uint32_t>(passes));
  content.Add(static_cast<std::uint32_t>(plan.raw.size()));
  content.AddText(chip);
  content.AddText(asked);
  content.AddText(table);
  for (const std::string& raw : plan.raw) content.AddText(raw);
  Block(context, MetricCaptureBlock::kPlan, content.data().data(), content.data().size());
}

void MetricCaptureWriter::Batch(std::uint32_t context, const std::vector<MeasuredLaunch>& launches,
                                const MeasuredRanges& ranges) {
  if (file_ == nullptr) return;
  Writer content;
  content.Add(static_cast<std::uint32_t>(ranges.names.size()));
  content.Add(static_cast<std::uint32_t>(ranges.values.size()));
  content.Add(static_cast<std::uint32_t>(launches.size()));
  for (const std::string& name : ranges.names) content.AddText(name);
  for (const double value : ranges.values) content.Add(value);
  for (const MeasuredLaunch& launch : launches) {
    content.Add(launch.start_ns);
    content.Add(launch.end_ns);
    content.Add(launch.correlation);
    for (const std::uint32_t number :
         {launch.device, launch.stream, launch.thread, launch.grid[0], launch.grid[1],
          launch.grid[2], launch.block[0], launch.block[1], launch.block[2],
          launch.dynamic_shared_bytes})
      content.Add(number);
    content.AddText(launch.call);
    content.AddText(launch.kernel);
  }
  Block(context, MetricCaptureBlock::kBatch, content.data().data(), content.data().size());
}

namespace {

class MetricsReplay {
 public:
  /// Empty, or what is wrong.
  std::string Run(std::string_view data) {
    std::size_t at = kMetricsHeaderBytes;
    while (at + kMetricsBlockHeadBytes <= data.size()) {
      Reader head(data.substr(at, kMetricsBlockHeadBytes));
      const auto kind = static_cast<MetricCaptureBlock>(head.Take<std::uint32_t>());
      const auto context = head.Take<std::uint32_t>();
      const auto bytes = head.Take<std::uint64_t>();
      const std::size_t room = data.size() - at - kMetricsBlockHeadBytes;
      if (bytes > room) break;
      const std::string_view content = data.substr(at + kMetricsBlockHeadBytes, bytes);
      if (!Block(kind, context, content))
        return "kept metrics are damaged: block at " + std::to_string(at);
      at += kMetricsBlockHeadBytes + std::min<std::size_t>(bytes + Padding(bytes), room);
    }
    return at == data.size() ? "" : "kept metrics end within a block: at " + std::to_string(at);
  }

 private:
  bool Block(MetricCaptureBlock kind, std::uint32_t context, std::string_view content) {
    if (kind == MetricCaptureBlock::kPlan) return Plan(context, content);
    if (kind == MetricCaptureBlock::kBatch) return Batch(context, content);
    return true;
  }

  bool Plan(std::uint32_t context, std::string_view content) {
    Reader reader(content);
    const auto compute_capability = reader.Take<std::uint32_t>();
    reader.Take<std::uint32_t>();
    const std::size_t count = reader.TakeCount(sizeof(std::uint32_t));
    reader.TakeText();
    const std::string asked = reader.TakeText(), table = reader.TakeText();
    std::vector<std::string> raw;
    for (std::size_t i = 0; i < count; ++i) raw.push_back(reader.TakeText());
    if (!reader.is_whole() || compute_capability > 999) return false;
    MetricPlan plan = MetricTable(table).Resolve(
        asked, static_cast<int>(compute_capability), [&](const std::string& name) {
          return std::find(raw.begin(), raw.end(), name) != raw.end();
        });
    if (plan.raw != raw) return false;
    plans_[context] = std::move(plan);
    return true;
  }

  bool Batch(std::uint32_t context, std::string_view content) {
    const auto plan = plans_.find(context);
    if (plan == plans_.end()) return false;
    Reader reader(content);
    const std::size_t range_count = reader.TakeCount(sizeof(std::uint32_t));
    const std::size_t value_count = reader.TakeCount(sizeof(double));
    const std::size_t launch_count = reader.TakeCount(1);
    MeasuredRanges ranges;
    for (std::size_t i = 0; i < range_count; ++i) ranges.names.push_back(reader.TakeText());
    for (std::size_t i = 0; i < value_count; ++i) ranges.values.push_back(reader.Take<double>());
    std::vector<MeasuredLaunch> launches;
    for (std::size_t i = 0; i < launch_count && reader.is_whole(); ++i) {
      MeasuredLaunch& launch = launches.emplace_back();
      launch.start_ns = reader.Take<std::uint64_t>();
      launch.end_ns = reader.Take<std::uint64_t>();
      launch.correlation = reader.Take<std::uint64_t>();
      for (std::uint32_t* number :
           {&launch.device, &launch.stream, &launch.thread, &launch.grid[0], &launch.grid[1],
            &launch.grid[2], &launch.block[0], &launch.block[1], &launch.block[2],
            &launch.dynamic_shared_bytes})
        *number = reader.Take<std::uint32_t>();
      launch.call = reader.TakeText();
      launch.kernel = reader.TakeText();
      if (launch.end_ns < launch.start_ns) return false;
    }
    if (!reader.is_whole()) return false;
    // Those that could not be tied were kept as well; they are no damage.
    recorder_.Record(plan->second, launches, ranges);
    return true;
  }

  std::map<std::uint32_t, MetricPlan> plans_;
  BatchRecorder recorder_;
};

}  // namespace

std::string ReplayMetricCapture(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  const std::string data{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  if (data.size() < kMetricsHeaderBytes ||
      std::memcmp(data.data(), kMetricCaptureMagic, sizeof kMetricCaptureMagic) != 0)
    return "no kept metrics: " + path;
  Reader header(std::string_view(data).substr(sizeof kMetricCaptureMagic));
  const auto format = header.Take<std::uint32_t>();
  if (format != kMetricCaptureFormat)
    return "kept metrics of another format: " + std::to_string(format);
  return MetricsReplay().Run(data);
}

}  // namespace xsp::record::cuda
