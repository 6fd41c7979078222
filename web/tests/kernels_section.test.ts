// The section of kernels, without a browser.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { layerText } from '../src/layer_text.ts';
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

test('a layer is its index and the end of its path, or one number where that is its name', () => {
  assert.equal(layerText(3, '3'), '3');
  assert.equal(layerText(3, '4'), '3 4');
  assert.equal(layerText(12, 'layer1.0.conv1'), '12 layer1.0.conv1');
  assert.equal(layerText(103, 'BertLMHeadModel_0.BertOnlyMLMHead_0.BertLMPredictionHead_0.Linear_25'), '103 BertLMPredictionHead_0.Linear_25');
  assert.equal(layerText(7, '/bert/encoder/layer.0/attention/self/MatMul'), '7 self/MatMul');
  assert.equal(layerText(7, 'model.decoder.transformer.layers.11.attention'), '7 layers.11.attention');
  assert.equal(layerText(7, 'one_name_without_any_separator_that_is_long'), '7 one_name_without_any_separator_that_is_long');
});
