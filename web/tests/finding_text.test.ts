// What findings say in numbers, and their rows as tables, without a browser.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { evidenceColumns } from '../src/finding_evidence.ts';
import { confidenceText, gainText, thresholdValue } from '../src/finding_text.ts';
import type { FindingGain } from '../src/report_data.ts';

/** As it reads: spaces that do not break are spaces. */
const plain = (text: string | null): string | null => text && text.replaceAll('\u00a0', ' ');

/** A finding's gain of a call of 10 ms. */
function gained(gain_ns: [number, number, number], part: Partial<FindingGain> = {}): { gain_ns: [number, number, number]; gain: FindingGain } {
  return { gain_ns, gain: { text: '', whole: 'call', whole_ns: 1e7, adds_up: true, alone_ns: gain_ns, overlaps: [], method: '', source: '', ...part } };
}

test('a gain is an estimate of two digits, with its part of the whole', () => {
  assert.equal(plain(gainText(gained([8e5, 1.234e6, 1.5e6]))), 'Saves about 1.2 ms a call, 12 % of it');
  assert.equal(plain(gainText(gained([1, 996_000, 2e6]))), 'Saves about 1 ms a call, 10 % of it');
  assert.equal(plain(gainText(gained([1, 3.96e9, 5e9], { whole: 'program', whole_ns: 8e9 }))), 'Saves about 4 s, 50 % of the program');
  assert.equal(plain(gainText(gained([1, 5e5, 5e5], { whole: 'step' }))), 'Saves about 500 \u00b5s a step, 5 % of it');
});

test('a gain that is not known is not shown, one that may be none has a limit', () => {
  assert.equal(gainText({ gain_ns: null, gain: null }), null);
  assert.equal(gainText(gained([0, 0, 0])), null);
  assert.equal(plain(gainText(gained([0, 0, 4.2e5]))), 'Saves at most 420 \u00b5s a call, 4.2 % of it');
});

test('a gain below a thousandth of the whole is none, whatever its time', () => {
  assert.equal(gainText(gained([0, 9_900, 9_900])), null);
  assert.equal(plain(gainText(gained([0, 1e4, 1e4]))), 'Saves about 10 \u00b5s a call, 0.1 % of it');
  assert.equal(plain(gainText(gained([0, 140, 9.1e5]))), 'Saves at most 910 \u00b5s a call, 9.1 % of it');
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
