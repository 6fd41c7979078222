#ifndef XSP_STORE_THREAD_SANITIZER_TESTING_H_
#define XSP_STORE_THREAD_SANITIZER_TESTING_H_

// For a test program that is labelled `threads` and linked to DuckDB: included by one of its files.
// DuckDB comes compiled without the thread sanitizer, which does not see what orders its threads;
// where a process forks it takes more locks at once than the detector of deadlocks can count.
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)

extern "C" const char* __tsan_default_suppressions();
extern "C" const char* __tsan_default_options();
extern "C" const char* __tsan_default_suppressions() { return "race:libduckdb.so\n"; }
extern "C" const char* __tsan_default_options() { return "detect_deadlocks=0"; }

#endif
#endif

#endif  // XSP_STORE_THREAD_SANITIZER_TESTING_H_
