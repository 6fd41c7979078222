/* The smallest whole worker: a toy framework (toy.h) behind the harness. Copy it to begin one. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/worker.h"
#include "toy.h"

typedef struct example {
  toy_model* toy;
  xsp_worker_rung rung;
  xsp_worker_tensor input;
  float* buffers[2];
  const float* result;
  int64_t result_columns;
  xsp_string names[TOY_MAX_OPERATIONS];
} example;

static xsp_string intern(const char* text) { return xsp_intern(text, strlen(text)); }

static const char* example_describe(void) {
  return "{\"framework\": {\"name\": \"Toy\", \"version\": \"1.0\"},"
         " \"models\": [{\"format\": \"toy\", \"extensions\": [\".toy\"],"
         "   \"levels\": [\"model\", \"layer\", \"kernel\"], \"note\": \"\"}],"
         " \"devices\": [\"cpu\"], \"graphs\": [\"eager\"], \"precisions\": [\"default\"],"
         " \"rungs\": [\"model\", \"layer\", \"kernel\", \"details\"],"
         " \"switch\": {\"layer\": \"call\", \"kernel\": \"call\"}}";
}

static int example_load(const xsp_worker_job* job, void** model, xsp_worker_ran* ran,
                        xsp_worker_error* error) {
  char message[1024];
  example* self = calloc(1, sizeof *self);
  if (self) self->toy = toy_load(job->model_path, job->seed, message, sizeof message);
  if (!self || !self->toy) {
    free(self);
    return xsp_worker_fail(error, XSP_WORKER_BAD_INPUT, "see workers/example/toy.h for the format",
                           "%s", self ? message : "out of memory");
  }
  for (int i = 0; i < self->toy->count; ++i) {
    self->names[i] = intern(self->toy->operations[i].name);
  }
  ran->threads = 1;
  strcpy(ran->graph, "eager");
  *model = self;
  return XSP_WORKER_OK;
}

static int example_infer_inputs(void* model, const xsp_worker_job* job, xsp_worker_input* inputs,
                                size_t capacity, size_t* count, xsp_worker_error* error) {
  const example* self = model;
  (void)job;
  if (capacity < 1) return xsp_worker_fail(error, XSP_WORKER_INTERNAL, NULL, "no room for inputs");
  *count = 1;
  strcpy(inputs[0].name, "input");
  inputs[0].dtype = XSP_FLOAT32;
  inputs[0].rank = 2;
  inputs[0].shape[0] = XSP_WORKER_UNKNOWN;
  inputs[0].shape[1] = self->toy->operations[0].columns;
  return XSP_WORKER_OK;
}

static int example_bind(void* model, const xsp_worker_tensor* inputs, size_t count,
                        xsp_worker_error* error) {
  example* self = model;
  const int64_t columns = self->toy->operations[0].columns;
  if (count != 1 || inputs[0].rank != 2 || inputs[0].dtype != XSP_FLOAT32 ||
      inputs[0].shape[1] != columns) {
    return xsp_worker_fail(error, XSP_WORKER_BAD_INPUT, "mend the inputs of the model's manifest",
                           "the model takes one float32 input of shape [batch, %" PRId64 "]",
                           columns);
  }
  self->input = inputs[0];
  int64_t widest = 0;
  for (int i = 0; i < self->toy->count; ++i) {
    if (self->toy->operations[i].columns > widest) widest = self->toy->operations[i].columns;
  }
  for (int i = 0; i < 2; ++i) {
    free(self->buffers[i]);
    self->buffers[i] = malloc((size_t)(inputs[0].shape[0] * widest) * sizeof(float));
    if (!self->buffers[i]) {
      return xsp_worker_fail(error, XSP_WORKER_ENVIRONMENT, "use a smaller batch", "out of memory");
    }
  }
  return XSP_WORKER_OK;
}

static int example_profile(void* model, xsp_worker_rung rung, xsp_worker_error* error) {
  (void)error;
  ((example*)model)->rung = rung;
  return XSP_WORKER_OK;
}

/* A matrix product is announced as oneDNN would announce it, so that the same importer reads it. */
static void record_kernel(int64_t rows, int64_t k, int64_t columns, uint64_t start_ns) {
  const uint64_t duration_ns = xsp_now_ns() - start_ns;
  char line[256];
  const int length =
      snprintf(line, sizeof line,
               "onednn_verbose,v1,primitive,exec,cpu,matmul,toy:c,undef,src:f32::blocked:ab::f0 "
               "wei:f32::blocked:ab::f0 dst:f32::blocked:ab::f0,,,%" PRId64 "x%" PRId64 ":%" PRId64
               "x%" PRId64 ",%.6f",
               rows, k, k, columns, (double)duration_ns / 1e6);
  const xsp_span kernel =
      xsp_complete(XSP_LEVEL_KERNEL, intern("primitive"), intern("matmul"), start_ns, duration_ns);
  xsp_attribute(kernel, intern("raw"), line, (size_t)length);
}

static void record_details(xsp_span layer, int64_t rows, int64_t from, int64_t to) {
  char shape[64];
  int length = snprintf(shape, sizeof shape, "[[%" PRId64 ",%" PRId64 "]]", rows, from);
  xsp_attribute(layer, intern("input_shapes"), shape, (size_t)length);
  xsp_attribute(layer, intern("input_types"), "[float32]", strlen("[float32]"));
  length = snprintf(shape, sizeof shape, "[[%" PRId64 ",%" PRId64 "]]", rows, to);
  xsp_attribute(layer, intern("output_shapes"), shape, (size_t)length);
  /* The toy writes into buffers that it owns. */
  xsp_metric(layer, intern("allocated_bytes"), 0, intern("byte"), intern("measured:toy"));
  xsp_metric(layer, intern("peak_bytes"), 0, intern("byte"), intern("measured:toy"));
}

static int example_predict(void* model, xsp_span call, xsp_worker_error* error) {
  (void)call;
  example* self = model;
  const int64_t rows = self->input.shape[0];
  const float* from = self->input.data;
  int64_t columns = self->toy->operations[0].columns;
  ++self->toy->calls;
  for (int i = 1; i < self->toy->count; ++i) {
    const toy_operation* operation = &self->toy->operations[i];
    float* to = self->buffers[i % 2];
    const int profiled = self->rung != XSP_RUNG_MODEL;
    const xsp_span layer =
        profiled ? xsp_begin(XSP_LEVEL_LAYER, self->names[i], self->names[i]) : 0;
    const uint64_t start_ns = self->rung == XSP_RUNG_KERNEL ? xsp_now_ns() : 0;
    const int status = toy_run(self->toy, operation, rows, columns, from, to);
    if (start_ns && operation->weights) record_kernel(rows, columns, operation->columns, start_ns);
    if (self->rung == XSP_RUNG_DETAILS) record_details(layer, rows, columns, operation->columns);
    if (profiled) xsp_end(layer);
    if (status != 0) {
      return xsp_worker_fail(error, XSP_WORKER_ENVIRONMENT, "", "the operation failed: %s",
                             operation->name);
    }
    from = to;
    columns = operation->columns;
  }
  self->result = from;
  self->result_columns = columns;
  return XSP_WORKER_OK;
}

static int example_outputs(void* model, xsp_worker_tensor* outputs, size_t capacity, size_t* count,
                           xsp_worker_error* error) {
  example* self = model;
  if (capacity < 1) return xsp_worker_fail(error, XSP_WORKER_INTERNAL, NULL, "no room for outputs");
  *count = 1;
  strcpy(outputs[0].name, "output");
  outputs[0].dtype = XSP_FLOAT32;
  outputs[0].rank = 2;
  outputs[0].shape[0] = self->input.shape[0];
  outputs[0].shape[1] = self->result_columns;
  outputs[0].data = (void*)self->result;
  outputs[0].bytes = (size_t)(outputs[0].shape[0] * self->result_columns) * sizeof(float);
  return XSP_WORKER_OK;
}

static void example_unload(void* model) {
  example* self = model;
  toy_free(self->toy);
  free(self->buffers[0]);
  free(self->buffers[1]);
  free(self);
}

int main(int argc, char** argv) {
  static const xsp_worker worker = {
      .abi = XSP_WORKER_ABI,
      .name = "example",
      .describe = example_describe,
      .load = example_load,
      .infer_inputs = example_infer_inputs,
      .bind = example_bind,
      .profile = example_profile,
      .predict = example_predict,
      .collect = NULL,
      .outputs = example_outputs,
      .unload = example_unload,
  };
  return xsp_worker_main(argc, argv, &worker);
}
