import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shapeText } from '../src/shape_text.ts';

// The same texts as in src/answer/wording/shape_text_test.cc.
test('what is no tensor is left out', () => {
  assert.equal(shapeText('[[4,3,224,224],[768,3,16,16],[768],[],[],[],[]]'), '[4, 3, 224, 224], [768, 3, 16, 16], [768]');
  assert.equal(shapeText('[4,768]'), '[4, 768]');
  assert.equal(shapeText('[1, 64, 112, 112]'), '[1, 64, 112, 112]');
});

test('nothing is said of nothing', () => {
  for (const nothing of ['[]', '[[],[]]', '[[[]],[]]', null]) assert.equal(shapeText(nothing), null);
});

test('equal shapes are counted, and a list ends somewhere', () => {
  assert.equal(shapeText('[[[32],[32],[32]],[],[8,2]]'), '[32] \u00d7 3, [8, 2]');
  assert.equal(shapeText('[[1],[2],[3],[4],[5],[6],[7]]'), '[1], [2], [3], [4], [5], \u2026 2 more');
});

test('what is no shape is kept', () => {
  for (const other of ['mb1_ic3oc64', '[1,2', '[a]', '[[1]', 'aten::mm']) assert.equal(shapeText(other), other);
});
