/* A toy framework: a chain of operations on a batch of rows, read from a text file, one operation a
 * line, "#" begins a comment:
 *
 *   input N [COUNT]    rows of N numbers (first operation); COUNT: how many operations the file
 *                      has, this one too, so that one that was cut off is noticed
 *   dense N            matrix product with seeded random weights, to N columns
 *   relu | softmax     element by element; row by row
 *
 * and, so that whoever runs workers can be tested against bad ones (CALL counts from 1, default 1):
 *
 *   crash [CALL]       dies of a signal          hang [CALL]    never returns
 *   exit STATUS [CALL] ends the process          fail [CALL]    reports an error
 *   allocate BYTES     takes and keeps memory    sleep MICROSECONDS [CALL]: only then
 *   print              writes a line to stdout, as careless frameworks do */
#ifndef XSP_WORKERS_EXAMPLE_TOY_H_
#define XSP_WORKERS_EXAMPLE_TOY_H_

#include <stddef.h>
#include <stdint.h>

enum { TOY_MAX_OPERATIONS = 64 };

typedef struct toy_operation {
  char name[16];
  int64_t number[2]; /* The words after the name; 0 when missing. */
  int64_t columns;   /* Of the result. */
  float* weights;    /* Of a dense operation: previous columns x columns. */
} toy_operation;

typedef struct toy_model {
  toy_operation operations[TOY_MAX_OPERATIONS];
  int count;
  int64_t calls;
} toy_model;

/* Reads a model; NULL and a message when it cannot. */
toy_model* toy_load(const char* path, uint64_t seed, char* message, size_t capacity);
void toy_free(toy_model* model);

/* Runs one operation on `rows` rows: `from` has `columns` columns, `to` the operation's. Returns 0,
 * or -1 when the operation is one that fails. */
int toy_run(toy_model* model, const toy_operation* operation, int64_t rows, int64_t columns,
            const float* from, float* to);

#endif /* XSP_WORKERS_EXAMPLE_TOY_H_ */
