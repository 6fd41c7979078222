/* What a worker implements: load, bind inputs, predict, unload. The harness does the rest (job
 * file, inputs, warm-up, loops, recording, control protocol, errors): see docs/workers.md.
 *
 * C11 and C++. Every function is called from the main thread, one at a time. A function that
 * returns int returns XSP_WORKER_OK or the status that xsp_worker_fail() gave back. No exception
 * may leave. */
#ifndef XSP_WORKERS_HARNESS_WORKER_H_
#define XSP_WORKERS_HARNESS_WORKER_H_

#include <stddef.h>
#include <stdint.h>

#include "capture/wire/xsp.h"

#ifdef __cplusplus
extern "C" {
#endif

#define XSP_WORKER_ABI 4u
#define XSP_WORKER_MAX_RANK 8
#define XSP_WORKER_MAX_TENSORS 32

/* Whose fault a failure is; also the worker's exit status (docs/worker-protocol.md). */
typedef enum xsp_worker_status {
  XSP_WORKER_OK = 0,
  XSP_WORKER_INTERNAL = 1,
  XSP_WORKER_USAGE = 2,
  XSP_WORKER_BAD_INPUT = 3,
  XSP_WORKER_NOT_POSSIBLE = 4,
  XSP_WORKER_ENVIRONMENT = 5
} xsp_worker_status;

typedef struct xsp_worker_error {
  char what[2048]; /* Description first, values last. */
  char hint[1024]; /* What to do next; may be empty. */
} xsp_worker_error;

/* Fills `error` (text cut to fit) and returns `status`: `return xsp_worker_fail(...)`. */
int xsp_worker_fail(xsp_worker_error* error, xsp_worker_status status, const char* hint,
                    const char* format, ...) __attribute__((format(printf, 4, 5)));

typedef enum xsp_worker_rung {
  XSP_RUNG_MODEL = 0,   /* No profiling. */
  XSP_RUNG_LAYER = 1,   /* Operator times. */
  XSP_RUNG_KERNEL = 2,  /* Operators and kernels. */
  XSP_RUNG_DETAILS = 3, /* Operators with shapes, types and memory; times are discarded. */
  /* Outermost operators with what the CPU and the kernel count in them; times are discarded. A
   * worker that does not list it is never switched to it: then the harness counts whole calls. */
  XSP_RUNG_COUNTERS = 4
} xsp_worker_rung;

typedef enum xsp_worker_dtype {
  XSP_FLOAT32,
  XSP_FLOAT64,
  XSP_FLOAT16,
  XSP_BFLOAT16,
  XSP_INT64,
  XSP_INT32,
  XSP_INT16,
  XSP_INT8,
  XSP_UINT8,
  XSP_BOOL
} xsp_worker_dtype;

/* One dense row-major tensor. Inputs: the harness owns `data` (64-byte aligned) until the next bind
 * or unload returns. Outputs: the worker owns it. */
typedef struct xsp_worker_tensor {
  char name[64];
  xsp_worker_dtype dtype;
  int rank;
  int64_t shape[XSP_WORKER_MAX_RANK]; /* The batch filled in. */
  void* data;
  size_t bytes;
} xsp_worker_tensor;

/* In an xsp_worker_input: the framework does not tell. */
#define XSP_WORKER_UNKNOWN (-1)

/* An input of the model, as far as the framework tells. What it leaves open the harness fills in:
 * from the job, else by the rules of docs/models.md. */
typedef struct xsp_worker_input {
  char name[64];
  int dtype;                          /* An xsp_worker_dtype, or XSP_WORKER_UNKNOWN. */
  int rank;                           /* Or XSP_WORKER_UNKNOWN. */
  int64_t shape[XSP_WORKER_MAX_RANK]; /* Sizes; XSP_WORKER_UNKNOWN: left open. */
  /* What the model calls a size that is left open ("batch", "sequence"); sizes of one name are
   * equal. Empty: it has no name. */
  char symbols[XSP_WORKER_MAX_RANK][48];
  /* Not 0: `rank` is only the usual one, and any number of dimensions may be given, as a linear
   * layer has it. */
  int has_any_rank;
} xsp_worker_input;

/* A setting that only this framework has: execution_mode = parallel. */
typedef struct xsp_worker_option {
  const char* name;
  const char* value;
} xsp_worker_option;

/* What is asked. Strings live as long as the process. `device`, `precision`, `graph` and `rung` are
 * among those that describe() lists; `graph` may also be "default", `precision` always may. Names
 * of options are among those that describe() lists under `options`; their values the worker judges.
 */
typedef struct xsp_worker_job {
  const char* model_name;
  const char*
      model_path; /* An existing file or directory; which of them is right, load() judges. */
  const char* device;
  const char* precision;
  const char* graph;
  int64_t batch;
  int threads; /* 0: the framework's default. */
  uint64_t seed;
  xsp_worker_rung rung;
  const xsp_worker_option* options;
  size_t option_count;
} xsp_worker_job;

/* The value that the job gives an option, or `fallback`. */
const char* xsp_worker_option_value(const xsp_worker_job* job, const char* name,
                                    const char* fallback);

/* What really ran, filled by load(); preset from the job. Becomes facts of the recording. */
typedef struct xsp_worker_ran {
  int threads;
  char device[32];
  char precision[32];
  char graph[32];
} xsp_worker_ran;

typedef struct xsp_worker {
  uint32_t abi;     /* XSP_WORKER_ABI. */
  const char* name; /* "torch": the program is xsp-worker-<name>. */

  /* JSON object with framework, models, devices, graphs, precisions, rungs and switch, as in
   * docs/worker-protocol.md; the harness adds worker and protocol. Static or leaked. */
  const char* (*describe)(void);

  /* Loads the model; `*model` is passed to the functions below. */
  int (*load)(const xsp_worker_job* job, void** model, xsp_worker_ran* ran,
              xsp_worker_error* error);

  /* Says which inputs the model takes when the job does not, in the order of its call: as much as
   * the framework knows. Fields of `inputs` are preset to unknown and empty. NULL when the
   * framework tells nothing. */
  int (*infer_inputs)(void* model, const xsp_worker_job* job, xsp_worker_input* inputs,
                      size_t capacity, size_t* count, xsp_worker_error* error);

  /* Takes the inputs that every later predict() uses. Called again when they change: other data, or
   * another batch. */
  int (*bind)(void* model, const xsp_worker_tensor* inputs, size_t count, xsp_worker_error* error);

  /* Switches profiling to `rung`, one of those offered: before the warm-up, and then between the
   * job's rung and the one above it, before every call where describe() says `call` of it under
   * `switch`, else before blocks of calls; XSP_RUNG_MODEL ends it, before unload. The call that
   * follows is timed: put off what can wait. NULL when only the model rung is offered. */
  int (*profile)(void* model, xsp_worker_rung rung, xsp_worker_error* error);

  /* After a block of calls, before the worker waits for the next: does what was put off. NULL where
   * nothing is. */
  int (*end_block)(void* model, xsp_worker_error* error);

  /* One call, start to finished result (asynchronous devices: synchronised). The harness times it
   * as `call`, an open span of type predict; layers are begun inside it. */
  int (*predict)(void* model, xsp_span call, xsp_worker_error* error);

  /* After the timed call, in every rung: records what the framework's own profiler kept of it, with
   * xsp_complete_in(call, ...). NULL where predict() records everything as it happens. */
  int (*collect)(void* model, xsp_span call, xsp_worker_error* error);

  /* The results of the last predict(), in the model's order: name, dtype, rank, shape, data, bytes,
   * in host memory, valid until the next predict, bind or unload. Converts nothing: what the model
   * gives. NULL where results cannot be had. */
  int (*outputs)(void* model, xsp_worker_tensor* outputs, size_t capacity, size_t* count,
                 xsp_worker_error* error);

  void (*unload)(void* model);
} xsp_worker;

/* The whole program: `int main(int argc, char** argv) { return xsp_worker_main(argc, argv, &w); }`
 */
int xsp_worker_main(int argc, char** argv, const xsp_worker* worker);

/* In the rung `counters`: begins a layer span on this thread and counts its events until
 * xsp_worker_end_counted(), which ends it, on the same thread. What is begun inside another counted
 * layer is counted with it and gets no span: reading counters costs, and would be counted too.
 * Returns 0 then, and in every other rung; what it returned is passed on all the same. */
xsp_span xsp_worker_begin_counted(xsp_string type, xsp_string name);
void xsp_worker_end_counted(xsp_span span);

/* Bytes of one element. */
size_t xsp_worker_dtype_bytes(xsp_worker_dtype dtype);
/* "float32", ... as in the job file. */
const char* xsp_worker_dtype_name(xsp_worker_dtype dtype);

#ifdef __cplusplus
}
#endif

#endif /* XSP_WORKERS_HARNESS_WORKER_H_ */
