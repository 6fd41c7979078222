import assert from 'node:assert/strict';
import { test } from 'node:test';
import { flames, hasStacks, modulesBySamples, samplesIn, search } from '../src/flame_tree.ts';
import { layout } from '../src/icicle_tree.ts';
import type { ReportData } from '../src/report_data.ts';

const kColumns = ['point_id', 'kind', 'depth', 'function', 'module', 'samples', 'share', 'self_samples', 'self_share', 'time_ns', 'layer', 'layer_share', 'rate_hz'];

function documentOf(rows: (string | number | null)[][]): ReportData {
  const table = kColumns.map((_, index) => rows.map((row) => row[index]!));
  return { analyses: [{ id: 'flame_graph', columns: kColumns.map((name) => ({ name })), table }] } as unknown as ReportData;
}

const kRows = [
  [1, 'native', 0, 'main', 'app', 100, 1, 10, 0.1, 1e9, null, 1, 100],
  [1, 'native', 1, '\u00a0\u00a0gemm', 'libblas.so', 60, 0.6, 60, 0.6, 6e8, 'fc1', 0.75, 100],
  [1, 'native', 1, '\u00a0\u00a0relu', 'libtorch.so', 30, 0.3, 10, 0.1, 3e8, null, 1, 100],
  [1, 'native', 2, '\u00a0\u00a0\u00a0\u00a0gemm', 'libblas.so', 20, 0.2, 20, 0.2, 2e8, null, 1, 100],
  [1, 'python', 0, '<module>', 'train.py', 40, 1, 40, 1, 8e8, null, 1, 50],
  [2, 'native', 0, 'main', 'app', 7, 1, 7, 1, null, null, null, null],
];

test('a tree for each kind, callers above what they call', () => {
  const [native, python] = flames(documentOf(kRows), 1);
  assert.equal(native!.rateHz, 100);
  assert.equal(native!.root.value, 100);
  const main = native!.root.children[0]!;
  assert.deepEqual(main.children.map((item) => item.label), ['gemm', 'relu']);
  assert.deepEqual(main.children[1]!.children.map((item) => [item.label, item.value, item.depth]), [['gemm', 20, 3]]);
  assert.ok(main.children[0]!.facts.some((fact) => fact.value.startsWith('fc1')));
  assert.equal(python!.root.value, 40);
  assert.equal(flames(documentOf(kRows), 2)[0]!.root.value, 7);
});

test('without rows there is no flame graph', () => {
  assert.equal(hasStacks(documentOf([])), false);
  assert.equal(hasStacks({ analyses: [] } as unknown as ReportData), false);
  assert.equal(hasStacks(documentOf(kRows)), true);
  assert.deepEqual(flames(documentOf(kRows), 3), []);
});

test('a search finds functions and modules, and counts each sample once', () => {
  const { root } = flames(documentOf(kRows), 1)[0]!;
  assert.equal(samplesIn(root, search(root, 'GEMM')), 80);
  assert.equal(samplesIn(root, search(root, 'libtorch')), 30);
  assert.equal(samplesIn(root, new Set([...search(root, 'relu'), ...search(root, 'gemm')])), 90);
  assert.equal(search(root, ' ').size, 0);
});

test('modules are ordered by samples of their own', () => {
  assert.deepEqual(modulesBySamples(flames(documentOf(kRows), 1)[0]!.root).slice(0, 1), ['libblas.so']);
});

test('widths are shares of samples, and what a function does itself stays free below it', () => {
  const { root } = flames(documentOf(kRows), 1)[0]!;
  const boxes = layout(root, 0.001);
  const gemm = boxes.find((box) => box.node.label === 'gemm' && box.node.depth === 2)!;
  assert.ok(Math.abs(gemm.width - 0.6) < 1e-9);
  const relu = boxes.find((box) => box.node.label === 'relu')!;
  assert.ok(Math.abs(relu.left - 0.6) < 1e-9);
});
