#ifndef XSP_CAPTURE_RECORD_ITT_ITT_ABI_H_
#define XSP_CAPTURE_RECORD_ITT_ITT_ABI_H_

#include <pthread.h>

#include <cstdint>

namespace xsp::record::itt {

// The part of ITT's binary interface that a collector meets, declared anew: frameworks compile
// ITT's static part into themselves, no package brings its headers. Source: the project
// intel/ittapi (include/ittnotify.h, src/ittnotify/ittnotify_config.h; BSD-3-Clause), compared with
// version 3.24 as in the crate ittapi-sys 0.4.0 and with the copies in the wheels of PyTorch 2.15
// and TensorFlow 2.21. Structures only grow at their ends; what is not used here is left out there.
//
// The static part loads the library that INTEL_LIBITTNOTIFY64 names at a program's first call, and
// calls its __itt_api_init with its own description: a list of names, each with the pointer that
// the program calls through. The collector fills in those that it wants. Domains, string handles
// and counters that were made before are the static part's own; from then on it makes none itself.

inline constexpr unsigned char kMagic[8] = {0xED, 0xAB, 0xAB, 0xEC, 0x0D, 0xEE, 0xDA, 0x30};
inline constexpr unsigned long kMajorVersion = 3;

struct ApiInfo {
  const char* name;  ///< "__itt_task_begin"; null: end of the list.
  void** function;
  void* initial_function;
  void* null_function;  ///< What to put where the collector has none.
  int group;
};

struct Global {
  unsigned char magic[8];
  unsigned long version_major, version_minor, version_build;
  volatile long is_initialized, is_mutex_initialized, counter;
  pthread_mutex_t mutex;
  void* library;
  void* error_handler;
  const char** path;
  ApiInfo* functions;
};

/// `extra` fields are the collector's; the static part makes them 0.
struct Domain {
  volatile int flags;  ///< 0: switched off.
  const char* name;
  void* wide_name;
  int extra1;
  void* extra2;
  Domain* next;
};

struct StringHandle {
  const char* text;
  void* wide_text;
  int extra1;
  void* extra2;
  StringHandle* next;
};

/// Its extra fields are not cleared by the static part: not to be used.
struct Counter {
  const char* name;
  void* wide_name;
  const char* domain;
  void* wide_domain;
  int type;  ///< A MetadataType.
};

/// Passed by value.
struct Id {
  unsigned long long d1, d2, d3;
};

enum MetadataType : int {
  kUnknown = 0,
  kU64,
  kS64,
  kU32,
  kS32,
  kU16,
  kS16,
  kFloat,
  kDouble,
};

using Timestamp = unsigned long long;
inline constexpr Timestamp kNoTimestamp = ~Timestamp{0};

inline constexpr int kScopeHost = 1;

}  // namespace xsp::record::itt

#endif  // XSP_CAPTURE_RECORD_ITT_ITT_ABI_H_
