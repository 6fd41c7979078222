import assert from 'node:assert/strict';
import { test } from 'node:test';
import { linearTicks, logTicks, tickText } from '../src/axis.ts';
import { allDigits, coarsePercent, count, date, digits, duration, isShare, kUnknown, percent, plural, quantity, scaleFor } from '../src/format.ts';

test('three significant digits without an exponent', () => {
  assert.deepEqual([39.6123, 2310.4, 12345, 0.0051234, 0, 999.6, 0.99951, -71.25].map(digits),
    ['39.6', '2,310', '12,300', '0.00512', '0', '1,000', '1.00', '\u221271.3']);
});

test('rounding up does not add a fourth digit', () => {
  assert.equal(digits(9.996), '10.0');
  assert.equal(digits(99.96), '100');
  assert.equal(digits(0.09996), '0.100');
});

test('what is not known is a dash, never 0', () => {
  assert.equal(digits(NaN), kUnknown);
  assert.equal(duration(null), kUnknown);
  assert.equal(percent(undefined), kUnknown);
  assert.equal(scaleFor([1, null], 'ns').text(null), kUnknown);
});

test('a single quantity chooses its own prefix', () => {
  assert.equal(duration(39_612_345), '39.6\u00a0ms');
  assert.equal(duration(812), '812\u00a0ns');
  assert.equal(duration(2.5e9), '2.50\u00a0s');
  assert.equal(quantity(4.1e11, 'flop/s'), '410\u00a0GFLOP/s');
  assert.equal(quantity(102537216, 'byte'), '103\u00a0MB');
  assert.equal(quantity(14.13, 'flop/byte'), '14.1\u00a0FLOP/B');
  assert.equal(quantity(27.75, 'item/s'), '27.8\u00a0items/s');
});

test('a column has one prefix for all its values', () => {
  const scale = scaleFor([1_200_000, 800_000, 31_000, 2_500], 'ns');
  assert.equal(scale.unit, '\u00b5s');
  assert.deepEqual([1_200_000, 31_000, 2_500].map((value) => scale.text(value)), ['1,200', '31.0', '2.50']);
});

test('one outlier does not push a column out of four digits', () => {
  assert.equal(scaleFor([1, 1, 1, 1, 1, 1, 1, 5e12], 'byte').unit, 'MB');
});

test('counts keep all their digits, hover keeps every digit', () => {
  assert.equal(scaleFor([1234567, 5], '1').text(1234567), '1,234,567');
  assert.equal(scaleFor([39612345.25], 'ns').full(39612345.25), '39,612,345.25\u00a0ns');
  assert.equal(allDigits(-1234.5), '\u22121,234.5');
  assert.equal(count(1e6), '1,000,000');
});

test('per cent', () => {
  assert.equal(percent(0.7123), '71.2\u00a0%');
  assert.equal(percent(-0.021), '\u22122.10\u00a0%');
  assert.equal(coarsePercent(0.0071), '0.71\u00a0%');
  assert.equal(scaleFor([0.5], 'ratio').text(0.5), '50.0');
});

test('shares are known by their name', () => {
  for (const name of ['latency_share', 'share_of_model', 'roof_fraction', 'occupancy', 'gain_of_next_doubling']) assert.ok(isShare(name), name);
  for (const name of ['batch', 'layer_count', 'shared_bytes', 'generation']) assert.ok(!isShare(name), name);
});

test('dates and plurals', () => {
  assert.equal(date('2026-11-21T10:45:30Z'), '2026-11-21 10:45 UTC');
  assert.equal(date('some day'), 'some day');
  assert.equal(plural(1, 'layer'), '1\u00a0layer');
  assert.equal(plural(53, 'layer'), '53\u00a0layers');
});

test('linear ticks start at zero and cover the range', () => {
  for (const max of [0.3, 7, 99, 1234, 5e8]) {
    const ticks = linearTicks(max);
    assert.equal(ticks[0], 0);
    assert.ok(ticks.length >= 3 && ticks.length <= 7, `${max}: ${ticks}`);
    assert.ok(ticks[ticks.length - 1]! <= max * 1.0001 && ticks[ticks.length - 1]! > max * 0.6);
  }
});

test('logarithmic ticks are powers of ten, thinned when many', () => {
  assert.deepEqual(logTicks(0.01, 100).map((tick) => Math.round(Math.log10(tick))), [-2, -1, 0, 1, 2]);
  assert.ok(logTicks(1e-9, 1e15, 6).length <= 6);
});

test('tick labels carry no needless digits', () => {
  assert.deepEqual([0, 2.5, 10, 2000, 1234567.5].map(tickText), ['0', '2.5', '10', '2,000', '1,234,570']);
});
