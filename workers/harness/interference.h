#ifndef XSP_WORKERS_HARNESS_INTERFERENCE_H_
#define XSP_WORKERS_HARNESS_INTERFERENCE_H_

#include <cstdint>
#include <vector>

namespace xsp::worker {

/// What others did to this process so far. The difference around a call says whether its time can
/// be trusted.
/// What the process itself had the operating system do is kept beside it.
struct Interference {
  std::uint64_t involuntary_context_switches = 0;  ///< getrusage(), all threads.
  std::uint64_t run_queue_wait_ns = 0;  ///< Runnable but not running: /proc/self/task/*/schedstat.
  std::uint64_t steal_ns = 0;           ///< Taken by the hypervisor, whole machine: /proc/stat.
  std::uint64_t system_ns = 0;          ///< CPU time in the kernel, all threads: getrusage().
  std::uint64_t page_faults = 0;        ///< Minor and major, all threads: getrusage().
};

/// Reads the counters of a process in a few microseconds: files stay open between reads. What the
/// kernel does not offer reads as 0. One thread.
class InterferenceReader {
 public:
  InterferenceReader();
  ~InterferenceReader();
  InterferenceReader(const InterferenceReader&) = delete;
  InterferenceReader& operator=(const InterferenceReader&) = delete;

  /// Looks for threads that were started since. Call it outside timed code, before a block of
  /// calls.
  void FindThreads();

  Interference Read();

 private:
  struct Thread {
    int id;
    int file;
    std::uint64_t wait_ns;  ///< Last seen: a thread that ends takes nothing back.
  };
  std::vector<Thread> threads_;
  int stat_file_ = -1;
  std::uint64_t ns_per_tick_;
};

}  // namespace xsp::worker

#endif  // XSP_WORKERS_HARNESS_INTERFERENCE_H_
