import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rungText } from '../src/method_section.ts';
import type { Run } from '../src/model.ts';

const kMeasured = { rung: 'layer', latency_ns: 2e6, overhead_ns: 1e5, overhead_ratio: 0.05, overhead_ratio_low: 0.04, overhead_ratio_high: 0.06, samples: 20 } as Run;

test('a rung has its latency and what its profiling adds', () => {
  assert.match(rungText({ ...kMeasured, disturbed: 3 }), /^2\.00\sms, \+100\s[µμ]s \(5\.00\s%, 4\.00\s% to 6\.00\s%\)$/);
  assert.match(rungText({ ...kMeasured, rung: 'details', disturbed: 0 }), /, times not used$/);
});

// The limits are those of `TooFewUndisturbed` (src/derive/match).
test('a latency of calls with interference is printed as that', () => {
  for (const [samples, disturbed, marked] of [[20, 20, true], [20, 16, true], [20, 15, false], [5, 2, false], [7, 4, true], [0, 0, false]] as const)
    assert.equal(rungText({ ...kMeasured, samples, disturbed }).endsWith('ms, calls with interference'), marked, `${disturbed} of ${samples}`);
});
