/* XSP recording, C API: what a measured process calls to put spans, marks, metrics and counters
 * into a crash-safe log. No third-party code; C11 and C++; also in libxsp.so for dlopen.
 *
 * Threading: every function may be called from any thread, none from a signal handler. Spans nest
 * per thread: a span begun on a thread ends on it. The hot path (everything but xsp_open, xsp_close
 * and the first sight of a text by xsp_intern) takes no lock and allocates no memory; once per
 * block (64 KiB) it asks for the next one, which waits for others only where disk space is
 * obtained. Before xsp_open and after xsp_close every call but xsp_intern is a no-op that returns
 * 0. Fork: the child records into a file of its own, PATH.<pid>, made at its first event. Exec: the
 * mapping ends, what was recorded stays (see xsp_open). Exit: exit() closes the recording. Times
 * are CLOCK_MONOTONIC ns in the API; inside, the cheapest clock there is, calibrated against
 * CLOCK_MONOTONIC and CLOCK_REALTIME. Format and guarantees: docs/recording.md. */
#ifndef XSP_CAPTURE_WIRE_XSP_H_
#define XSP_CAPTURE_WIRE_XSP_H_

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define XSP_API __attribute__((visibility("default")))

/* How deep in the stack a span lies. */
typedef enum xsp_level {
  XSP_LEVEL_APPLICATION = 0,
  XSP_LEVEL_MODEL = 1,
  XSP_LEVEL_LAYER = 2,
  XSP_LEVEL_LIBRARY = 3,
  XSP_LEVEL_KERNEL = 4
} xsp_level;

#define XSP_LEVEL_BIT(level) (1u << (level))
#define XSP_LEVELS_ALL 0x1fu

/* An interned string of this process; 0 is the empty string. Valid for the life of the process,
 * over xsp_close, xsp_open and fork. */
typedef uint32_t xsp_string;
/* A span of this recording; 0: nothing was recorded (its level is off, or the recording is full).
 */
typedef uint64_t xsp_span;

typedef struct xsp_options {
  uint32_t size;           /* sizeof(xsp_options): lets later versions grow it. */
  uint32_t levels;         /* Bits of the levels to record; XSP_LEVELS_ALL if 0. */
  uint64_t capacity_bytes; /* Largest file; 1 GiB if 0. When it is full the newest are dropped
                              and counted. */
  uint32_t flags;          /* XSP_KEEP_EXISTING, XSP_START_HELD, or 0. */
  uint32_t block_bytes;    /* Space that a thread takes at a time, a power of two from 8 KiB to
                              1 MiB; 64 KiB if 0. */
  uint64_t prepare_bytes;  /* Pages made ready while opening, so that no fault falls into what is
                              measured; 8 MiB (260,000 spans) if 0. Later ones a block at a time. */
} xsp_options;

/* A recording that is already at `path` is kept: this one goes to PATH.<pid>. For injection, where
 * a tree of processes inherits one path. */
#define XSP_KEEP_EXISTING 1u
/* The recording starts as if xsp_hold(XSP_HOLD_RANGE, 1) had been called. */
#define XSP_START_HELD 2u

/* Starts recording this process into `path`. `options` may be NULL. A file of that name is replaced
 * by a new one, except a recording that another process is writing, or that an earlier program of
 * this process wrote before exec: then, and in a forked child, the file is PATH.<pid>, or
 * PATH.<pid>.2, ... Returns 0, or an errno value (EEXIST when a recording is already open, EINVAL,
 * ENOSPC, EISDIR, ...). The file never grows past RLIMIT_FSIZE; no SIGXFSZ is raised. */
XSP_API int xsp_open(const char* path, const xsp_options* options);

/* Ends the recording: marks the file complete and trims it. Open spans stay "never ended". */
XSP_API void xsp_close(void);

/* Copies the path of the open recording with its final 0 into `buffer` of `size` bytes, cut where
 * it does not fit; returns its length, 0 when none is open (or a forked child has made none). */
XSP_API size_t xsp_path(char* buffer, size_t size);

/* Switches levels on and off at run time (while held, for afterwards); returns the mask that was in
 * force. A span that was
 * begun while its level was on is ended whatever the mask says then. Marks, counters and facts
 * belong to no level and are recorded whatever the mask says. */
XSP_API uint32_t xsp_set_levels(uint32_t mask);
XSP_API uint32_t xsp_levels(void);

/* Why spans are not recorded for a while. Each has a count of its own, shared by all who record in
 * this process. */
typedef enum xsp_hold_reason {
  XSP_HOLD_RANGE = 0,   /* Outside the range that recording is confined to (docs/ranges.md). */
  XSP_HOLD_PROGRAM = 1, /* The program asked for a pause. */
  XSP_HOLD_USER = 2     /* Whoever records did: a signal, a delay, a duration. */
} xsp_hold_reason;

/* Adds `change` to the count of `reason`. While any count is above 0 all levels are off; when none
 * is, those that xsp_open or xsp_set_levels asked for are in force again. Counts start at 0 with
 * each recording, may go below 0, and are kept by a forked child. No-op without a recording. */
XSP_API void xsp_hold(xsp_hold_reason reason, int change);

/* Bits 0-4: the levels in force; the rest is the library's own. Read it through xsp_enabled. */
extern XSP_API uint64_t xsp_state_word;

/* Whether spans of `level` are being recorded: one relaxed load, for use before work that only a
 * recording needs (such as making a name). */
static inline int xsp_enabled(xsp_level level) {
  return (int)((__atomic_load_n(&xsp_state_word, __ATOMIC_RELAXED) >> (unsigned)level) & 1u);
}

/* The id of `text` (`length` bytes, need not end in 0; what is longer than 4000 bytes is cut).
 * Same text, same id, with or without an open recording. Takes a lock the first time a text is
 * seen: call it outside the hot path and keep the id. Returns 0 when the text could not be kept
 * (2^20 texts, 64 MiB of text, or a full recording). */
XSP_API xsp_string xsp_intern(const char* text, size_t length);

/* Begins a span inside the innermost open span of this thread. */
XSP_API xsp_span xsp_begin(xsp_level level, xsp_string type, xsp_string name);

/* Ends a span; those begun inside it that are still open stay "never ended". A span that was ended
 * before, of an earlier recording or 0 is ignored. */
XSP_API void xsp_end(xsp_span span);

/* Records a span that was timed elsewhere, as a child of the innermost open span of this thread. */
XSP_API xsp_span xsp_complete(xsp_level level, xsp_string type, xsp_string name, uint64_t start_ns,
                              uint64_t duration_ns);

/* The same as a child of `parent`, a span of any thread that may have ended already; 0: of none.
   For what a framework's own profiler tells after the call: it is recorded where its level was on
   when it started. */
XSP_API xsp_span xsp_complete_in(xsp_span parent, xsp_level level, xsp_string type, xsp_string name,
                                 uint64_t start_ns, uint64_t duration_ns);

/* The innermost open span of this thread; 0: none. For what is to be tied to it later. */
XSP_API xsp_span xsp_current(void);

/* Where spans of other than the calling thread lie: device work that a profiler's thread tells of,
 * and what threads did that cannot be asked themselves. */
typedef enum xsp_track_kind {
  XSP_TRACK_THREAD = 0, /* A thread of this process, by its number in the system. */
  XSP_TRACK_STREAM = 1, /* A stream of a device. */
  XSP_TRACK_DEVICE = 2  /* A device as a whole. */
} xsp_track_kind;

/* A track of this recording; 0: none was made (no recording, or no space). */
typedef uint64_t xsp_track;

/* Makes a track. `owner`: the thread's or the device's number; `stream`: 0 but for streams. Making
 * it again makes another one of the same meaning: keep it. The name may be 0. */
XSP_API xsp_track xsp_make_track(xsp_track_kind kind, xsp_string name, uint32_t owner,
                                 int64_t stream);

#define XSP_NO_BYTES UINT64_MAX

/* Where a span lies and what ties it to others. */
typedef struct xsp_placement {
  uint32_t size;           /* sizeof(xsp_placement): lets later versions grow it. */
  xsp_string details;      /* "key=value" lines, which become attributes; 0: none. */
  xsp_track track;         /* 0: nothing is recorded. */
  uint64_t correlation_id; /* The same on a call and on the device work it launched; 0: none. */
  uint64_t graph_node;     /* Of a replayed graph; 0: none. See xsp_captured. */
  uint64_t bytes;          /* Moved or set; XSP_NO_BYTES: does not apply. */
  uint64_t decided_ns;     /* Recorded where its level was on then: when the call that launched it
                              began. 0: when the span itself did. */
} xsp_placement;

/* Records a span, timed elsewhere, on a track. It has no parent yet: that follows from its
 * correlation id, its graph node, or what surrounds it on its track. */
XSP_API xsp_span xsp_complete_on(const xsp_placement* placement, xsp_level level, xsp_string type,
                                 xsp_string name, uint64_t start_ns, uint64_t duration_ns);

/* `span` was open when `graph_node` was captured: what replays that node belongs to it. A node that
 * is cloned is captured again. With span 0 a no-op. */
XSP_API void xsp_captured(xsp_span span, uint64_t graph_node);

/* One sample of a series of a track, at a time (CLOCK_MONOTONIC ns). */
XSP_API void xsp_counter_on(xsp_track track, xsp_string name, uint64_t time_ns, double value,
                            xsp_string unit);

/* A number on a span, with unit ("ns", "byte", "flop", "1") and provenance
 * ("measured:<source>", "reported:<tool>", "analytic"). With span 0 a no-op. */
XSP_API void xsp_metric(xsp_span span, xsp_string name, double value, xsp_string unit,
                        xsp_string provenance);

/* Text on a span. With span 0: a fact about the whole process ("torch.version", "2.15.0"); so do
 * not pass on the 0 of a span that was not recorded. Text that does not fit a block (64 KiB) is
 * cut, and marked as cut. */
XSP_API void xsp_attribute(xsp_span span, xsp_string key, const char* value, size_t length);

/* A point in time on this thread. */
XSP_API void xsp_mark(xsp_string name);

/* One sample of a series, now. */
XSP_API void xsp_counter(xsp_string name, double value, xsp_string unit);

/* A call stack: a function called by another stack. 0: the empty one. Valid like xsp_span. */
typedef uint64_t xsp_stack;

/* The stack of `function`, which is in `module` (a source file or library), called by `caller`.
 * A new one at each call: keep the id, so that what stacks have in common is recorded once. Returns
 * 0 when it could not be recorded, or `caller` is of another recording. */
XSP_API xsp_stack xsp_frame(xsp_stack caller, xsp_string function, xsp_string module);

typedef enum xsp_stack_kind { XSP_STACK_NATIVE = 0, XSP_STACK_PYTHON = 1 } xsp_stack_kind;

/* A thread of this process (its id as the system numbers it) was found in `stack`, now. */
XSP_API void xsp_sample(xsp_stack_kind kind, uint32_t thread_id, xsp_stack stack);

/* Records dropped so far because the recording was full or the disk was. */
XSP_API uint64_t xsp_dropped(void);

/* Now, CLOCK_MONOTONIC ns. */
XSP_API uint64_t xsp_now_ns(void);

#ifdef __cplusplus
}
#endif

#endif /* XSP_CAPTURE_WIRE_XSP_H_ */
