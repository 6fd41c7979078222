#ifndef XSP_CAPTURE_RECORD_CUDA_CUPTI_SUBSCRIPTION_H_
#define XSP_CAPTURE_RECORD_CUDA_CUPTI_SUBSCRIPTION_H_

#include <cupti.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "capture/record/cuda/cupti/cupti_api.h"

namespace xsp::record::cuda {

/// Why there is no subscription, as ReportProblem takes it; without a name there is one.
struct SubscriptionProblem {
  std::string name, what;
  std::string_view hint = {};
};

/// What to do about an error of CUPTI.
std::string_view CuptiHint(CUptiResult result);

/// This process's subscription to CUPTI, and the calls that depend on how it was granted.
///
/// CUPTI has two families of calls, and refuses to a process that has used one all of the other
/// ("V1/V2 API Mixing" in its documentation): those that name their subscriber (*_v2, CUDA 13.2)
/// are used where they exist, shared or not. Any thread, once Take has returned.
class CuptiSubscription {
 public:
  /// What CUPTI calls: on events, and for buffers in either family's form (the second one's types
  /// have no names in headers of CUDA 12).
  struct Callbacks {
    CUpti_CallbackFunc on_event = nullptr;
    void* user = nullptr;
    CUpti_BuffersCallbackRequestFunc request = nullptr;
    CUpti_BuffersCallbackCompleteFunc complete = nullptr;
    void* request_v2 = nullptr;
    void* complete_v2 = nullptr;
    CUpti_TimestampCallbackFunc clock = nullptr;
  };

  /// Other subscribers are asked in from this version of CUPTI, and of CUDA in the driver, on.
  static constexpr std::uint32_t kSharedFromCupti = 130'300;
  static constexpr int kSharedFromDriver = 13'030;

  explicit CuptiSubscription(CuptiApi api) : api_(std::move(api)) {}

  /// Subscribes, sets clock and thread numbers, and registers for buffers. Says in the recording
  /// whether the subscription is shared (fact cuda.cupti.shared).
  SubscriptionProblem Take(const Callbacks& callbacks);
  /// CUPTI has one subscription, which the program's own profiler may want.
  void GiveUp();

  const CuptiApi& api() const { return api_; }
  bool has_our_clock() const { return has_our_clock_; }      ///< It reads Callbacks::clock.
  bool numbers_threads() const { return numbers_threads_; }  ///< By the system's numbers.

  CUptiResult Enable(CUpti_ActivityKind kind) const;
  CUptiResult Disable(CUpti_ActivityKind kind) const;
  /// Calls of the runtime's or the driver's domain are not recorded, where CUPTI can leave them out
  /// itself.
  void LeaveOut(CUpti_CallbackDomain domain, CUpti_CallbackId call) const;
  /// Queries that found work unfinished are no waits: before waits are enabled.
  void LeaveOutVainQueries() const;
  CUptiResult EnableCallback(CUpti_CallbackDomain domain, CUpti_CallbackId id) const;
  CUptiResult Timestamp(std::uint64_t* time) const;
  CUptiResult DroppedRecords(std::size_t* count) const;
  CUptiResult NextRecord(std::uint8_t* data, std::size_t bytes, CUpti_Activity** record) const;

 private:
  bool HasSubscriberCalls() const;
  CUptiResult SubscribeNamed(bool shares);
  CUptiResult TakeShared();
  CUptiResult TakeNamed();
  CUptiResult TakeUnnamed();
  CUptiResult RegisterNamed() const;
  void SetClock();
  /// Nothing where that is success; else the subscription is given up, and why.
  SubscriptionProblem Settled(CUptiResult result);
  SubscriptionProblem Refused(CUptiResult result) const;

  CuptiApi api_;
  Callbacks callbacks_;
  CUpti_SubscriberHandle subscriber_ = nullptr;
  bool is_named_ = false;       ///< By cuptiSubscribe_v2: only the calls that name it do.
  bool is_subscribed_ = false;  ///< The last try got as far.
  std::string other_;           ///< Who else has subscribed, where CUPTI says so.
  bool has_our_clock_ = false, numbers_threads_ = false;
};

}  // namespace xsp::record::cuda

#endif  // XSP_CAPTURE_RECORD_CUDA_CUPTI_SUBSCRIPTION_H_
