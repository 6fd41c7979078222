// What the page of a comparison computes: labels, sums, steps of the waterfall, work of one side.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { contributions, groupings, makeModel } from '../src/compare/compare_model.ts';
import { rankText } from '../src/compare/batches.ts';
import { shares } from '../src/compare/device.ts';
import { kSideColours } from '../src/compare/frame.ts';
import { labels, shortPaths } from '../src/compare/side_labels.ts';
import { withNames } from '../src/compare/rooflines.ts';
import { openAtFirst } from '../src/compare/tree.ts';
import { verdictSentence } from '../src/compare/title.ts';
import { steps } from '../src/compare/waterfall.ts';
import { comparison, kRows, pairOf, several } from './make_compare.ts';

const view = (data = comparison()) => makeModel(data).views[0]!;

test('paths are named by the folders in which they differ', () => {
  assert.deepEqual(shortPaths(['/a/h100/vit.json.gz', '/a/mi300/vit.json.gz']), ['h100', 'mi300']);
  assert.deepEqual(shortPaths(['h100.json.gz', 'x/mi300.pt.trace.json']), ['h100', 'x/mi300']);
  assert.deepEqual(shortPaths(['run#batch=1', 'run#batch=2']), ['run', 'run']);
  assert.deepEqual(shortPaths(['before', 'after']), ['before', 'after']);
  assert.deepEqual(shortPaths(['a/run#1', 'a/run#2']), ['run#1', 'run#2']);
});

test('labels take the traits that tell sides apart, and number those that are equal', () => {
  assert.deepEqual(labels([['run', 'torch', 'batch 1'], ['run', 'onnx', 'batch 1']]), ['torch', 'onnx']);
  assert.deepEqual(labels([['a', 'torch', 'batch 1'], ['a', 'torch', 'batch 2'], ['b', 'torch', 'batch 1']]), ['a, batch 1', 'a, batch 2', 'b, batch 1']);
  assert.deepEqual(labels([['a', null], ['a', null]]), ['a (1)', 'a (2)']);
  assert.deepEqual(labels([['one']]), ['one']);
});

test('a side against itself has two names', () => {
  const data = comparison();
  data.pairs[0]!.sides[1] = { ...data.pairs[0]!.sides[1], side: 0 };
  const own = view(data);
  assert.notEqual(own.a, own.b);
});

test('a verdict that two sessions alone show is limited to them', () => {
  const said = (sessions: { others: number; spread: number | null; included: boolean } | null) => verdictSentence(view(comparison({ pairs: [pairOf(kRows, { verdict: 'slower', sessions })] })));
  assert.match(said({ others: 1, spread: null, included: false }), /is slower than \S+ in these two sessions/);
  for (const sessions of [null, { others: 4, spread: 0.02, included: true }]) assert.doesNotMatch(said(sessions), /sessions/);
});

test('the parts of every grouping add up to the difference of the whole', () => {
  for (const grouping of groupings(view())) {
    const all = contributions(view(), grouping);
    assert.equal(all.reduce((sum, item) => sum + item.difference, 0), 500, grouping);
    assert.ok(all.every((item, index) => index === 0 || Math.abs(item.difference) <= Math.abs(all[index - 1]!.difference)), grouping);
  }
  assert.deepEqual(groupings(view()), ['types', 'modules', 'operators', 'leaves']);
  assert.deepEqual(contributions(view(), 'types').map((item) => [item.name, item.difference, item.detail]), [['aten::linear', 350, 'sum of 2'], ['aten::softmax', 150, 'Encoder / Layer_1']]);
  assert.deepEqual(contributions(view(), 'modules').map((item) => item.name), ['Layer_0', 'Layer_1']);
});

test('the steps of the waterfall begin where the one before ends, and what is not shown is one step', () => {
  const own = view();
  const list = steps(own, 'leaves', 2);
  assert.deepEqual(list.map((step) => step.to - step.from), [450, 100, -50, 500]);
  assert.match(list[2]!.name, /^3.others$/);
  list.slice(1, -1).forEach((step, index) => assert.equal(step.from, list[index]!.to));
  assert.equal(list.at(-2)!.to, 500);
  const unknown = makeModel(comparison({ pairs: [pairOf(kRows, { difference_ns: 520, residual_ns: 20 })] })).views[0]!;
  const rest = steps(unknown, 'leaves', 9).at(-2)!;
  assert.equal(rest.name, 'in no row shown');
  assert.ok(Math.abs(rest.to - rest.from - 20) < 1e-9);
  const pair = pairOf(kRows);
  pair.rows.rows_left_out = 7;
  assert.equal(steps(makeModel(comparison({ pairs: [pair] })).views[0]!, 'leaves', 2).at(-2)!.name, 'all others');
});

test('the parts of a step of the devices add up to it', () => {
  const parts = shares({ steps: 1, total_ns: 100, compute_ns: 40, communication_ns: 30, exposed_communication_ns: 10, copy_ns: 20, idle_ns: 35 });
  assert.deepEqual(parts.map((part) => part.time), [40, 10, 15, 35]);
  const colours = [...parts.map((part) => part.colour).filter((colour) => colour !== null), ...kSideColours];
  assert.equal(new Set(colours).size, 5, 'no activity has the colour of a side');
});

test('the tree opens along the largest difference while there is room', () => {
  const own = view();
  const names = (most: number): (string | null)[] => [...openAtFirst(own.roots, most)].map((node) => node.name);
  assert.deepEqual(names(1), []);
  assert.deepEqual(names(3), ['Encoder', 'Layer_0']);
  assert.equal(openAtFirst(own.roots, 100).size, 6);
  const many = Array.from({ length: 50_000 }, () => ({ ...own.roots[0]!, children: [own.nodes[3]!] }));
  assert.equal(openAtFirst(many, 24).size, 0);
});

test('a rank that is shared says so, one that is not known is none', () => {
  const [row, , unknown] = several().ranks[0]!.rows;
  assert.equal(rankText(row!), '1 (tie)');
  assert.equal(rankText({ ...row!, tied_with: [] }), '1');
  assert.equal(rankText(unknown!), null);
});

test('no name of a roof lies over another, and one that has room stays at its line', () => {
  const peaks = [1e15, 9.9e14, 9.8e14, 9.7e14, 1e13].map((y) => ({ what: 'roof', x: 100, y, _label: 'flops-above' }));
  const rows = withNames([{ what: 'dot', x: 1, y: 1e9 }, { what: 'roof', x: 1, y: 1e12, _label: 'bandwidth-above' }, ...peaks]);
  const names = rows.filter((row) => row.what === 'name').map((row) => row.y as number);
  assert.equal(rows.length, 7 + 6);
  assert.equal(names[0], 1e12);
  // 420 pixels from 1e9 to 1e16.
  const pixels = names.slice(1).map((y) => 420 * (1 - Math.log10(y / 1e9) / 7));
  pixels.slice(1).forEach((at, index) => assert.ok(at - pixels[index]! > 13.9, pixels.join()));
  assert.ok(Math.abs(pixels[4]! - (180 - 9)) < 0.1, pixels.join());
});
