// What findings say in numbers, and their rows as tables, without a browser.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { evidenceColumns } from '../src/finding_evidence.ts';
import { confidenceText, gainRange, gainText, thresholdValue } from '../src/finding_text.ts';

/** As it reads: spaces that do not break are spaces. */
const plain = (text: string | null): string | null => text && text.replaceAll('\u00a0', ' ');

test('a gain is an estimate of two digits', () => {
  assert.equal(plain(gainText([8e5, 1.234e6, 1.5e6])), 'Saves about 1.2 ms a call');
  assert.equal(plain(gainText([1, 996_000, 2e6])), 'Saves about 1 ms a call');
  assert.equal(plain(gainText([1, 3.96e9, 5e9])), 'Saves about 4 s a call');
  assert.equal(plain(gainRange([8e5, 1.234e6, 1.5e6])), '1.23 ms a call, between 800 \u00b5s and 1.50 ms');
});

test('a gain that is not known is not shown, one that may be none has a limit', () => {
  assert.equal(gainText(null), null);
  assert.equal(gainText([0, 0, 0]), null);
  assert.equal(plain(gainText([0, 0, 4.2e5])), 'Saves at most 420 \u00b5s a call');
});

test('confidence has a word and its number', () => {
  assert.match(confidenceText(1), /^Very high \(1 /);
  assert.match(confidenceText(0.8), /^High \(0\.8 /);
  assert.match(confidenceText(0.5), /^Moderate \(0\.5 /);
  assert.match(confidenceText(0.2), /^Low \(0\.2 /);
});

test('a threshold keeps the digits that its author wrote', () => {
  assert.equal(plain(thresholdValue(0.07, 'share')), '7 %');
  assert.equal(plain(thresholdValue(1.01, '1')), '1.01');
  assert.equal(plain(thresholdValue(12345, 'count')), '12,345');
  assert.equal(plain(thresholdValue(1500, 'ns')), '1.5 \u00b5s');
  assert.equal(plain(thresholdValue(0.5, '')), '0.5');
});

test('numbers of evidence are numbers with units, flags are words, and any other value is text', () => {
  const columns = evidenceColumns([
    { name: 'lost_share', unit: 'share', help: '' }, { name: 'calls', unit: 'count', help: '' }, { name: 'wait_ns', unit: 'ns', help: '' },
    { name: 'is_late', unit: '', help: '' }, { name: 'shape', unit: 'shape', help: '' },
  ], []);
  const row = { lost_share: 0.5, calls: 3, wait_ns: null, is_late: false, shape: '[[4,197]]' };
  assert.deepEqual(columns.map((column) => [column.title, column.unit]), [['lost share', 'ratio'], ['calls', '1'], ['wait', 'ns'], ['is late', undefined], ['shape', undefined]]);
  assert.deepEqual(columns.map((column) => (column.value ?? column.text)!(row)), [0.5, 3, null, 'no', '[[4,197]]']);
});
