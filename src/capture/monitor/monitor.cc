#include "capture/monitor/monitor.h"

#include <fmt/format.h>
#include <poll.h>
#include <pthread.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <system_error>
#include <thread>

#include "capture/monitor/row_store.h"
#include "os/clocks.h"
#include "os/signals_blocked.h"

namespace xsp::monitor {

namespace {

using os::Now;
using os::RealtimeOffsetNs;
using os::SignalsBlocked;

constexpr double kLowestRateHz = 0.01;
constexpr double kHighestRateHz = 1000;
constexpr std::int64_t kSecondNs = 1'000'000'000;

timespec ToTimespec(std::int64_t ns) { return {ns / kSecondNs, ns % kSecondNs}; }

class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  ~Descriptor() {
    if (fd_ >= 0) close(fd_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const { return fd_; }

 private:
  int fd_;
};

}  // namespace

struct Monitor::State {
  State()
      : timer(timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK)),
        stop(eventfd(0, EFD_CLOEXEC)) {}

  Status Open(std::span<const SamplerSpec* const> specs, const MonitorOptions& options) {
    if (timer.get() < 0 || stop.get() < 0)
      return Error{ErrorKind::kEnvironment, "no timer for the system monitor", ""};
    for (const SamplerSpec* spec : specs) {
      samplers.push_back(spec->open(options.files));
      const auto channels = samplers.back()->channels();
      const auto hidden = samplers.back()->hidden();
      series.channels.insert(series.channels.end(), channels.begin(), channels.end());
      series.hidden.insert(series.hidden.end(), hidden.begin(), hidden.end());
    }
    reading.resize(series.channels.size());
    series.rate_hz = options.rate_hz;
    series.realtime_offset_ns = RealtimeOffsetNs();
    // Rates need a first state of the counters to start from.
    series.start_ns = Read();
    rows.emplace(series, options.most_values);
    return StartTimer(options.rate_hz);
  }

  Status StartTimer(double rate_hz) {
    const auto period_ns = static_cast<std::int64_t>(1e9 / rate_hz);
    const itimerspec times = {ToTimespec(period_ns), ToTimespec(series.start_ns + period_ns)};
    if (timerfd_settime(timer.get(), TFD_TIMER_ABSTIME, &times, nullptr) != 0)
      return Error{ErrorKind::kEnvironment, "no timer for the system monitor", ""};
    return Ok{};
  }

  /// Reads all samplers into `reading`; returns when it began.
  std::int64_t Read() {
    std::fill(reading.begin(), reading.end(), kUnknown);
    const std::int64_t begin_ns = Now(CLOCK_MONOTONIC);
    std::size_t at = 0;
    for (const auto& sampler : samplers) {
      const std::size_t count = sampler->channels().size();
      sampler->Sample(Now(CLOCK_MONOTONIC), std::span(reading).subspan(at, count));
      at += count;
    }
    return begin_ns;
  }

  void Sample(std::int64_t late) {
    const std::int64_t end_ns = Read();
    rows->Add(end_ns, reading);
    series.late += late;
    series.cpu_ns = Now(CLOCK_THREAD_CPUTIME_ID);
    series.wall_ns = end_ns - series.start_ns;
  }

  void Run() {
    pthread_setname_np(pthread_self(), "xsp-monitor");
    for (;;) {
      pollfd waits[2] = {{timer.get(), POLLIN, 0}, {stop.get(), POLLIN, 0}};
      if (poll(waits, 2, -1) < 0) continue;  // No signal gets here; EINTR is all that is left.
      const std::int64_t passed = (waits[0].revents & POLLIN) != 0 ? DeadlinesPassed() : 0;
      if ((waits[1].revents & POLLIN) != 0) {
        // The last sample is no deadline's: those that passed unseen are left out.
        Sample(passed);
        return;
      }
      if (passed > 0) Sample(passed - 1);
    }
  }

  /// Since the call before.
  std::int64_t DeadlinesPassed() const {
    std::uint64_t passed = 0;
    if (read(timer.get(), &passed, sizeof(passed)) != sizeof(passed)) return 0;
    return static_cast<std::int64_t>(passed);
  }

  Descriptor timer, stop;
  std::vector<std::unique_ptr<Sampler>> samplers;
  std::vector<double> reading;
  std::optional<RowStore> rows;
  Series series;
  std::thread thread;
};

Monitor::Monitor(std::unique_ptr<State> state) : state_(std::move(state)) {}

Monitor::~Monitor() { Stop(); }

Result<std::unique_ptr<Monitor>> Monitor::Start(std::span<const SamplerSpec* const> specs,
                                                const MonitorOptions& options) {
  if (!(options.rate_hz >= kLowestRateHz && options.rate_hz <= kHighestRateHz)) {
    return Error{ErrorKind::kUsage,
                 fmt::format("rate is not between {} and {} Hz: {}", kLowestRateHz, kHighestRateHz,
                             options.rate_hz),
                 ""};
  }
  auto state = std::make_unique<State>();
  XSP_RETURN_IF_ERROR(state->Open(specs, options));
  const SignalsBlocked blocked;
  try {
    state->thread = std::thread([state = state.get()] { state->Run(); });
  } catch (const std::system_error& error) {
    return Error{ErrorKind::kEnvironment,
                 fmt::format("no thread for the system monitor: {}", error.what()), ""};
  }
  return std::unique_ptr<Monitor>(new Monitor(std::move(state)));
}

const Series& Monitor::Stop() {
  if (!state_->thread.joinable()) return state_->series;
  const std::uint64_t one = 1;
  // An eventfd takes its first number always.
  [[maybe_unused]] const ssize_t written = write(state_->stop.get(), &one, sizeof(one));
  state_->thread.join();
  state_->rows->Finish();
  return state_->series;
}

}  // namespace xsp::monitor
