#ifndef XSP_CAPTURE_RECORD_CUDA_CUPTI_CUPTI_API_H_
#define XSP_CAPTURE_RECORD_CUDA_CUPTI_CUPTI_API_H_

#include <cupti.h>

#include <cstdint>
#include <string>
#include <vector>

namespace xsp::record::cuda {

/// The functions of the CUPTI that this process has, or null where it lacks one: each is asked for
/// before its use, so that an older library loses a feature and not the recording.
struct CuptiApi {
  decltype(&cuptiGetVersion) GetVersion = nullptr;
  decltype(&cuptiGetResultString) GetResultString = nullptr;
  decltype(&cuptiGetCallbackName) GetCallbackName = nullptr;
  decltype(&cuptiGetTimestamp) GetTimestamp = nullptr;
  decltype(&cuptiGetGraphNodeId) GetGraphNodeId = nullptr;
  decltype(&cuptiSetThreadIdType) SetThreadIdType = nullptr;
  decltype(&cuptiSubscribe) Subscribe = nullptr;
  decltype(&cuptiUnsubscribe) Unsubscribe = nullptr;
  decltype(&cuptiEnableCallback) EnableCallback = nullptr;
  decltype(&cuptiActivityEnable) ActivityEnable = nullptr;
  decltype(&cuptiActivityDisable) ActivityDisable = nullptr;
  decltype(&cuptiActivityRegisterCallbacks) ActivityRegisterCallbacks = nullptr;
  decltype(&cuptiActivityGetNextRecord) ActivityGetNextRecord = nullptr;
  decltype(&cuptiActivityGetNumDroppedRecords) ActivityGetNumDroppedRecords = nullptr;
  decltype(&cuptiActivityFlushAll) ActivityFlushAll = nullptr;
  decltype(&cuptiActivityRegisterTimestampCallback) ActivityRegisterTimestampCallback = nullptr;
  decltype(&cuptiActivityEnableRuntimeApi) ActivityEnableRuntimeApi = nullptr;
  decltype(&cuptiActivityEnableDriverApi) ActivityEnableDriverApi = nullptr;
  CUptiResult (*ActivityEnableAllSyncRecords)(std::uint8_t) = nullptr;  // CUDA 12.8.
  // Those that name their subscriber (CUPTI 13.2, from GetTimestamp_v2 on 13.3). Their types are
  // written out, so that headers of CUDA 12 do as well.
  CUptiResult (*Subscribe_v2)(CUpti_SubscriberHandle*, CUpti_CallbackFunc, void*, void*) = nullptr;
  CUptiResult (*ActivityEnable_v2)(CUpti_SubscriberHandle, CUpti_ActivityKind, void*) = nullptr;
  CUptiResult (*ActivityDisable_v2)(CUpti_SubscriberHandle, CUpti_ActivityKind, void*) = nullptr;
  CUptiResult (*ActivityRegisterCallbacks_v2)(CUpti_SubscriberHandle, void*, void*) = nullptr;
  CUptiResult (*ActivitySetAttribute_v2)(CUpti_SubscriberHandle, int, std::size_t*,
                                         void*) = nullptr;
  CUptiResult (*GetTimestamp_v2)(CUpti_SubscriberHandle, std::uint64_t*) = nullptr;
  CUptiResult (*ActivityGetNumDroppedRecords_v2)(CUpti_SubscriberHandle, CUcontext, std::uint32_t,
                                                 std::size_t*) = nullptr;
  CUptiResult (*ActivityGetNextRecord_v2)(CUpti_SubscriberHandle, std::uint8_t*, std::size_t,
                                          CUpti_Activity**) = nullptr;
  CUptiResult (*ActivityEnableRuntimeApi_v2)(CUpti_SubscriberHandle, CUpti_CallbackId,
                                             std::uint8_t) = nullptr;
  CUptiResult (*ActivityEnableDriverApi_v2)(CUpti_SubscriberHandle, CUpti_CallbackId,
                                            std::uint8_t) = nullptr;

  std::string path;           ///< Of the library; empty: none was found.
  std::uint32_t version = 0;  ///< As CUPTI says: 130200; CUDA 12's count 19 to 28.
  std::string missing;        ///< The first function without which nothing can be recorded.

  /// "CUPTI_ERROR_...", or the number.
  std::string Text(CUptiResult result) const;
};

/// Versions whose records have the layout that activity_decoder.cc checks against the headers.
inline constexpr std::uint32_t kOldestVersion = 19;       ///< CUDA 12.0.
inline constexpr std::uint32_t kNewestVersion = 139'999;  ///< CUDA 13.x.

/// CUDA's version that the loaded driver serves, as 13030 for 13.3; 0: there is none, or it does
/// not say.
int DriverVersion();

/// In which order names of CUPTI's library are looked for: `runtime_major` of the loaded libcudart
/// (0: none is), `driver_version` as DriverVersion says. The newest first, as it knows more, but
/// for what fits a program or a driver of CUDA 12: an older driver refuses a newer CUPTI.
std::vector<std::string> CuptiSonames(int runtime_major, int driver_version);

/// Loads CUPTI: the one that XSP_CUPTI_LIBRARY names, one that the process has loaded already, one
/// that the loader finds, or one beside a loaded libcudart or below the usual toolkit. Never
/// throws.
CuptiApi LoadCupti();

}  // namespace xsp::record::cuda

#endif  // XSP_CAPTURE_RECORD_CUDA_CUPTI_CUPTI_API_H_
