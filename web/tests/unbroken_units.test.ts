// Lines of sentences that do not break before units, without a browser.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { unbrokenUnits } from '../src/unbroken_units.ts';

/** With `_` for a space that does not break. */
const shown = (text: string): string => unbrokenUnits(text).replaceAll('\u00a0', '_');

test('a number and its unit stay in one line', () => {
  assert.equal(shown('idle 21.0 % of 39.6 ms (1.37 ms to 3.11 \u00b5s), 3 GB/s at 12 FLOP/B, 989 TFLOP/s.'), 'idle 21.0_% of 39.6_ms (1.37_ms to 3.11_\u00b5s), 3_GB/s at 12_FLOP/B, 989_TFLOP/s.');
  assert.equal(shown('56 images/s at 1.98 GHz, 300 W and 70 \u00b0C; 4 MiB, 2 h'), '56_images/s at 1.98_GHz, 300_W and 70_\u00b0C; 4_MiB, 2_h');
});

test('words after a number are no units', () => {
  const words = '106 of 175 layers, 4 samples, 2 minutes, 3 Bytes, batch 8 here, 5 Ws, A100 80 GBx, 2 s/step';
  assert.equal(unbrokenUnits(words), words);
});
