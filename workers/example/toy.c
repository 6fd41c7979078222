#define _POSIX_C_SOURCE 200809L

#include "toy.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const char* const kNames[] = {"input", "dense", "relu",  "softmax",  "crash", "hang",
                                     "exit",  "fail",  "sleep", "allocate", "print"};

static float next_weight(uint64_t* state) {
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return (float)((double)(*state >> 40) / (1 << 24) - 0.5);
}

static int is_known(const char* name) {
  for (size_t i = 0; i < sizeof kNames / sizeof *kNames; ++i) {
    if (strcmp(name, kNames[i]) == 0) return 1;
  }
  return 0;
}

static int add_operation(toy_model* model, const char* line, uint64_t* state) {
  toy_operation operation = {0};
  const int words = sscanf(line, "%15s %" SCNd64 " %" SCNd64, operation.name, &operation.number[0],
                           &operation.number[1]);
  if (words < 1 || operation.name[0] == '#') return 0;
  const int is_input = strcmp(operation.name, "input") == 0;
  const int is_dense = strcmp(operation.name, "dense") == 0;
  if (!is_known(operation.name) || is_input != (model->count == 0) ||
      model->count == TOY_MAX_OPERATIONS) {
    return -1;
  }
  const int64_t columns = is_input ? 0 : model->operations[model->count - 1].columns;
  operation.columns = is_input || is_dense ? operation.number[0] : columns;
  if (operation.columns < 1 || operation.columns > 65536) return -1;
  if (is_dense) {
    const size_t count = (size_t)(columns * operation.columns);
    operation.weights = malloc(count * sizeof(float));
    if (!operation.weights) return -1;
    for (size_t i = 0; i < count; ++i) operation.weights[i] = next_weight(state);
  }
  model->operations[model->count++] = operation;
  return 0;
}

toy_model* toy_load(const char* path, uint64_t seed, char* message, size_t capacity) {
  FILE* file = fopen(path, "r");
  toy_model* model = calloc(1, sizeof *model);
  char line[256];
  int number = 0, failed = !file || !model;
  if (failed) snprintf(message, capacity, "cannot read %s: %s", path, strerror(errno));
  while (!failed && fgets(line, sizeof line, file)) {
    ++number;
    failed = add_operation(model, line, &seed) != 0;
    if (failed) snprintf(message, capacity, "not a toy model: line %d of %s", number, path);
  }
  if (!failed && model->count == 0) {
    failed = 1;
    snprintf(message, capacity, "the model is empty: %s", path);
  }
  const int64_t announced = failed ? 0 : model->operations[0].number[1];
  if (announced > 0 && announced != model->count) {
    failed = 1;
    snprintf(message, capacity, "the model is truncated: %d of %" PRId64 " operations in %s",
             model->count, announced, path);
  }
  if (file) fclose(file);
  if (failed) toy_free(model);
  return failed ? NULL : model;
}

void toy_free(toy_model* model) {
  for (int i = 0; model && i < model->count; ++i) free(model->operations[i].weights);
  free(model);
}

static void dense(const toy_operation* operation, int64_t rows, int64_t columns, const float* from,
                  float* to) {
  memset(to, 0, (size_t)(rows * operation->columns) * sizeof *to);
  for (int64_t r = 0; r < rows; ++r) {
    for (int64_t k = 0; k < columns; ++k) {
      const float x = from[r * columns + k];
      const float* weights = operation->weights + k * operation->columns;
      for (int64_t c = 0; c < operation->columns; ++c)
        to[r * operation->columns + c] += x * weights[c];
    }
  }
}

static void softmax_row(const float* from, float* to, int64_t columns) {
  float largest = from[0], sum = 0;
  for (int64_t c = 1; c < columns; ++c) largest = fmaxf(largest, from[c]);
  for (int64_t c = 0; c < columns; ++c) sum += to[c] = expf(from[c] - largest);
  for (int64_t c = 0; c < columns; ++c) to[c] /= sum;
}

/* The operations that behave badly. */
static int misbehave(toy_model* model, const toy_operation* operation) {
  const char* name = operation->name;
  const int is_exit = strcmp(name, "exit") == 0;
  const int64_t asked = operation->number[is_exit];
  const int now = model->calls == (asked ? asked : 1);
  if (strcmp(name, "crash") == 0 && now) abort();
  if (strcmp(name, "hang") == 0 && now) {
    for (;;) pause();
  }
  if (is_exit && now) _exit((int)operation->number[0]);
  if (strcmp(name, "fail") == 0 && now) return -1;
  if (strcmp(name, "print") == 0) printf("the toy framework says hello\n"), fflush(stdout);
  if (strcmp(name, "sleep") == 0 &&
      (!operation->number[1] || model->calls == operation->number[1])) {
    const struct timespec duration = {operation->number[0] / 1000000,
                                      operation->number[0] % 1000000 * 1000};
    nanosleep(&duration, NULL);
  }
  if (strcmp(name, "allocate") == 0 && model->calls == 1) {
    /* Kept until the process ends, and known until then: it is no leak. */
    static volatile char* volatile memory;
    memory = malloc((size_t)operation->number[0]);
    if (!memory) return -1;
    for (int64_t at = 0; at < operation->number[0]; at += 4096) memory[at] = 1;
  }
  return 0;
}

int toy_run(toy_model* model, const toy_operation* operation, int64_t rows, int64_t columns,
            const float* from, float* to) {
  if (strcmp(operation->name, "dense") == 0) {
    dense(operation, rows, columns, from, to);
    return 0;
  }
  if (strcmp(operation->name, "softmax") == 0) {
    for (int64_t r = 0; r < rows; ++r) softmax_row(from + r * columns, to + r * columns, columns);
    return 0;
  }
  const int is_relu = strcmp(operation->name, "relu") == 0;
  for (int64_t i = 0; i < rows * columns; ++i) to[i] = is_relu && from[i] < 0 ? 0 : from[i];
  return is_relu ? 0 : misbehave(model, operation);
}
