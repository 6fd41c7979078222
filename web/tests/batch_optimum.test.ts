// The best batch size as far as intervals tell: the cases of src/answer/report/summary_test.cc.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { batchOptimum, optimumSentence } from '../src/batch_optimum.ts';
import type { Point } from '../src/model.ts';

/** Points of [batch, ms a call], each known within a factor of `within`. */
function points(of: readonly [number, number][], within = 1): Point[] {
  return of.map(([batch, ms]) => ({ batch, latency_ns: ms * 1e6, latency_low_ns: (ms * 1e6) / within, latency_high_ns: ms * 1e6 * within }) as Point);
}

test('one batch size has no best', () => assert.equal(batchOptimum(points([[1, 10]])), null));

test('the batch size with the highest throughput, whatever the order', () =>
  assert.equal(optimumSentence(batchOptimum(points([[8, 40], [1, 10]], 1.02))!), 'highest throughput at batch 8.'));

test('intervals that do not separate find no difference', () =>
  assert.equal(optimumSentence(batchOptimum(points([[1, 5], [8, 40.8]], 1.04))!), 'highest throughput at batch 1; no difference found to batch 8.'));

test('intervals wider than 5 % say nothing of what a doubling gains', () => {
  const of: [number, number][] = [[1, 10], [2, 15], [4, 29], [8, 60]];
  assert.equal(optimumSentence(batchOptimum(points(of, 1.002))!), 'highest throughput at batch 4; past batch 2 the next doubling gains 5 % or less.');
  assert.equal(batchOptimum(points(of, 1.1))!.worth, null);
});
