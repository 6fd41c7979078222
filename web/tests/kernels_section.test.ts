// The section of kernels, without a browser.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { matching } from '../src/kernels_section.ts';
import { Model } from '../src/model.ts';
import { fixture } from './make_fixture.ts';

test('kernels are filtered by every word', () => {
  const { kernels } = new Model(fixture({ batches: [1] })).view(1);
  assert.equal(matching(kernels, '', 'conv2d').length, kernels.filter((kernel) => kernel.colourType === 'conv2d').length);
  const found = matching(kernels, 'JIT conv2d_0', null);
  assert.ok(found.length > 0 && found.every((kernel) => kernel.layer!.name.startsWith('conv2d_0')));
  assert.equal(matching(kernels, 'jit nowhere', null).length, 0);
});
