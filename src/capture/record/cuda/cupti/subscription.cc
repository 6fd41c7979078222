#include "capture/record/cuda/cupti/subscription.h"

#include "capture/record/process.h"

namespace xsp::record::cuda {
namespace {

void SeatFact(std::string_view key, std::string_view value) {
  xsp_attribute(0, Intern(key), value.data(), value.size());
}

#if CUPTI_API_VERSION >= 130200
/// CUpti_SubscriberParams, which headers of CUDA 12 do not have.
struct SubscriberParameters {
  std::size_t size;
  const char* name;
  char* old_name;
  std::size_t old_name_size;
  std::uint8_t allow_others;
  std::uint8_t padding[7];
};
static_assert(sizeof(SubscriberParameters) == sizeof(CUpti_SubscriberParams) &&
              offsetof(SubscriberParameters, allow_others) ==
                  offsetof(CUpti_SubscriberParams, allowMultipleSubscribers));
#endif

}  // namespace

std::string_view CuptiHint(CUptiResult result) {
  switch (result) {
    case CUPTI_ERROR_INSUFFICIENT_PRIVILEGES:
    case CUPTI_ERROR_VIRTUALIZED_DEVICE_INSUFFICIENT_PRIVILEGES:
      return "Only administrators may profile this GPU. Load the driver's module with "
             "NVreg_RestrictProfilingToAdminUsers=0 (options nvidia in /etc/modprobe.d, then "
             "reboot), or run the program with CAP_SYS_ADMIN (driver 570 and later: CAP_PERFMON).";
    case CUPTI_ERROR_NOT_INITIALIZED:
      return "The driver did not come up for CUPTI, or is older than CUPTI: use the CUPTI of the "
             "driver's CUDA version (XSP_CUPTI_LIBRARY names one).";
    case CUPTI_ERROR_MIG_DEVICE_NOT_SUPPORTED:
      return "This GPU is cut into MIG slices that CUPTI cannot profile here: run on a whole GPU, "
             "or in the container that owns the slice.";
    case CUPTI_ERROR_OUT_OF_MEMORY:
      return "There was no memory for profiling; leave more to it, or record fewer levels.";
    default:
      return "Nothing of that kind is in the recording; see docs/cuda.md.";
  }
}

SubscriptionProblem CuptiSubscription::Take(const Callbacks& callbacks) {
  callbacks_ = callbacks;
  if (!HasSubscriberCalls()) return Settled(TakeUnnamed());
  is_named_ = true;
  if (api_.version < kSharedFromCupti || DriverVersion() < kSharedFromDriver) {
    SeatFact("cuda.cupti.shared", "no: it takes CUPTI and a driver of CUDA 13.3");
  } else {
    const CUptiResult result = TakeShared();
    SeatFact("cuda.cupti.shared",
             result == CUPTI_SUCCESS ? "yes" : std::string("no: ") + api_.Text(result));
    if (result == CUPTI_SUCCESS) return {};
    GiveUp();
  }
  // The subscription for one alone may still do, but for the other family of calls it is too late.
  return Settled(TakeNamed());
}

SubscriptionProblem CuptiSubscription::Settled(CUptiResult result) {
  if (result == CUPTI_SUCCESS) return {};
  SubscriptionProblem problem = Refused(result);
  GiveUp();
  return problem;
}

void CuptiSubscription::GiveUp() {
  if (is_subscribed_ && api_.Unsubscribe != nullptr) api_.Unsubscribe(subscriber_);
  is_subscribed_ = false;
  subscriber_ = nullptr;
}

bool CuptiSubscription::HasSubscriberCalls() const {
#if CUPTI_API_VERSION < 130200
  return false;  // What it takes to set clock and thread numbers has no names in these headers.
#else
  return api_.Subscribe_v2 != nullptr && api_.ActivityEnable_v2 != nullptr &&
         api_.ActivityRegisterCallbacks_v2 != nullptr && api_.ActivitySetAttribute_v2 != nullptr;
#endif
}

CUptiResult CuptiSubscription::SubscribeNamed([[maybe_unused]] bool shares) {
#if CUPTI_API_VERSION < 130200
  return CUPTI_ERROR_NOT_SUPPORTED;
#else
  char other[128] = {};
  SubscriberParameters parameters = {sizeof parameters,
                                     "XSP",
                                     other,
                                     sizeof other,
                                     shares ? std::uint8_t{1} : std::uint8_t{0},
                                     {}};
  const CUptiResult result =
      api_.Subscribe_v2(&subscriber_, callbacks_.on_event, callbacks_.user, &parameters);
  is_subscribed_ = result == CUPTI_SUCCESS;
  other[sizeof other - 1] = '\0';
  other_ = other;
  return result;
#endif
}

/// Sharing is young: the subscription counts only where it does what it was granted for. A refusal
/// that holds for every subscription, as of permission, is not its fault.
CUptiResult CuptiSubscription::TakeShared() {
  if (const CUptiResult result = SubscribeNamed(true); result != CUPTI_SUCCESS) return result;
  SetClock();
  if (const CUptiResult result = RegisterNamed(); result != CUPTI_SUCCESS) return result;
  const CUptiResult result = Enable(CUPTI_ACTIVITY_KIND_RUNTIME);
  switch (result) {
    case CUPTI_SUCCESS:
      Disable(CUPTI_ACTIVITY_KIND_RUNTIME);  // Whoever decodes is not there yet.
      break;
    case CUPTI_ERROR_INSUFFICIENT_PRIVILEGES:
    case CUPTI_ERROR_VIRTUALIZED_DEVICE_INSUFFICIENT_PRIVILEGES:
    case CUPTI_ERROR_MIG_DEVICE_NOT_SUPPORTED:
    case CUPTI_ERROR_OUT_OF_MEMORY:
      break;
    default:
      return result;
  }
  if (!other_.empty()) SeatFact("cuda.cupti.shared_with", other_);
  return CUPTI_SUCCESS;
}

CUptiResult CuptiSubscription::TakeNamed() {
  if (const CUptiResult result = SubscribeNamed(false); result != CUPTI_SUCCESS) return result;
  SetClock();
  return RegisterNamed();
}

CUptiResult CuptiSubscription::TakeUnnamed() {
  const CUptiResult result = api_.Subscribe(&subscriber_, callbacks_.on_event, callbacks_.user);
  if (result != CUPTI_SUCCESS) return result;
  is_subscribed_ = true;
  SetClock();
  return api_.ActivityRegisterCallbacks(callbacks_.request, callbacks_.complete);
}

CUptiResult CuptiSubscription::RegisterNamed() const {
  return api_.ActivityRegisterCallbacks_v2(subscriber_, callbacks_.request_v2,
                                           callbacks_.complete_v2);
}

void CuptiSubscription::SetClock() {
  if (!is_named_) {
    has_our_clock_ = api_.ActivityRegisterTimestampCallback != nullptr &&
                     api_.ActivityRegisterTimestampCallback(callbacks_.clock) == CUPTI_SUCCESS;
    numbers_threads_ = api_.SetThreadIdType != nullptr &&
                       api_.SetThreadIdType(CUPTI_ACTIVITY_THREAD_ID_TYPE_SYSTEM) == CUPTI_SUCCESS;
    return;
  }
#if CUPTI_API_VERSION >= 130200
  const auto set = [this](CUpti_ActivityAttribute attribute, auto value) {
    std::size_t size = sizeof value;
    return api_.ActivitySetAttribute_v2(subscriber_, attribute, &size, &value) == CUPTI_SUCCESS;
  };
  has_our_clock_ = set(CUPTI_ACTIVITY_ATTR_TIMESTAMP_CALLBACK, callbacks_.clock);
  numbers_threads_ = set(CUPTI_ACTIVITY_ATTR_THREAD_ID_TYPE, CUPTI_ACTIVITY_THREAD_ID_TYPE_SYSTEM);
#endif
}

SubscriptionProblem CuptiSubscription::Refused(CUptiResult result) const {
  if (is_subscribed_) {
    return {"cuda_subscribe_failed",
            "CUPTI takes no buffers, nothing of CUDA is recorded: " + api_.Text(result),
            CuptiHint(result)};
  }
  if (result != CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED) {
    return {"cuda_subscribe_failed",
            "CUPTI refused, nothing of CUDA is recorded: " + api_.Text(result), CuptiHint(result)};
  }
  return {"cuda_other_profiler",
          "another profiler holds CUPTI in this process, and does not share it with XSP: nothing "
          "of CUDA is recorded" +
              (other_.empty() ? "" : ": " + other_),
          "Run without the other one (nsys, ncu, cuda-gdb, torch.profiler, a monitoring agent), or "
          "import what that one writes."};
}

CUptiResult CuptiSubscription::Enable(CUpti_ActivityKind kind) const {
  return is_named_ ? api_.ActivityEnable_v2(subscriber_, kind, nullptr) : api_.ActivityEnable(kind);
}

CUptiResult CuptiSubscription::Disable(CUpti_ActivityKind kind) const {
  if (is_named_) {
    return api_.ActivityDisable_v2 == nullptr ? CUPTI_ERROR_NOT_SUPPORTED
                                              : api_.ActivityDisable_v2(subscriber_, kind, nullptr);
  }
  return api_.ActivityDisable == nullptr ? CUPTI_ERROR_NOT_SUPPORTED : api_.ActivityDisable(kind);
}

void CuptiSubscription::LeaveOut(CUpti_CallbackDomain domain, CUpti_CallbackId call) const {
  const bool is_driver = domain == CUPTI_CB_DOMAIN_DRIVER_API;
  const auto named = is_driver ? api_.ActivityEnableDriverApi_v2 : api_.ActivityEnableRuntimeApi_v2;
  const auto unnamed = is_driver ? api_.ActivityEnableDriverApi : api_.ActivityEnableRuntimeApi;
  if (is_named_ && named != nullptr) named(subscriber_, call, 0);
  if (!is_named_ && unnamed != nullptr) unnamed(call, 0);
}

void CuptiSubscription::LeaveOutVainQueries() const {
  if (!is_named_) {
    if (api_.ActivityEnableAllSyncRecords != nullptr) api_.ActivityEnableAllSyncRecords(0);
    return;
  }
#if CUPTI_API_VERSION >= 130200
  std::uint8_t value = 0;
  std::size_t size = sizeof value;
  api_.ActivitySetAttribute_v2(subscriber_, CUPTI_ACTIVITY_ATTR_ENABLE_ALL_SYNC_RECORDS, &size,
                               &value);
#endif
}

CUptiResult CuptiSubscription::EnableCallback(CUpti_CallbackDomain domain,
                                              CUpti_CallbackId id) const {
  return api_.EnableCallback == nullptr ? CUPTI_ERROR_NOT_SUPPORTED
                                        : api_.EnableCallback(1, subscriber_, domain, id);
}

CUptiResult CuptiSubscription::Timestamp(std::uint64_t* time) const {
  return is_named_ && api_.GetTimestamp_v2 != nullptr ? api_.GetTimestamp_v2(subscriber_, time)
                                                      : api_.GetTimestamp(time);
}

CUptiResult CuptiSubscription::DroppedRecords(std::size_t* count) const {
  if (is_named_ && api_.ActivityGetNumDroppedRecords_v2 != nullptr)
    return api_.ActivityGetNumDroppedRecords_v2(subscriber_, nullptr, 0, count);
  return api_.ActivityGetNumDroppedRecords == nullptr
             ? CUPTI_ERROR_NOT_SUPPORTED
             : api_.ActivityGetNumDroppedRecords(nullptr, 0, count);
}

CUptiResult CuptiSubscription::NextRecord(std::uint8_t* data, std::size_t bytes,
                                          CUpti_Activity** record) const {
  return is_named_ && api_.ActivityGetNextRecord_v2 != nullptr
             ? api_.ActivityGetNextRecord_v2(subscriber_, data, bytes, record)
             : api_.ActivityGetNextRecord(data, bytes, record);
}

}  // namespace xsp::record::cuda
