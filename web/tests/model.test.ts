// What is computed from the document, without a browser.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rows, sumKnown, values } from '../src/columns.ts';
import { csv, json } from '../src/download.ts';
import { neighbour } from '../src/icicle_keys.ts';
import { layout, stackTree, type Node } from '../src/icicle_tree.ts';
import { Model } from '../src/model.ts';
import { inkOn, kHues, kOther, Palette } from '../src/palette.ts';
import { constructTable } from '@tanstack/preact-table';
import { storeReactivityBindings } from '@tanstack/table-core/store-reactivity-bindings';
import { definitions, kFeatures, knownColumns, type TableColumn } from '../src/table.ts';
import { makeLanes, search, spanAt } from '../src/timeline_lanes.ts';
import { empty, fixture, random } from './make_fixture.ts';

test('a dictionary column reads as its texts, -1 as null', () => {
  assert.deepEqual(values({ dict: ['a', 'b'], codes: [1, -1, 0] }), ['b', null, 'a']);
});

test('a column that is left out reads as null', () => {
  assert.deepEqual(rows<{ a: number; b: string }>({ a: [1, 2] }, ['a', 'b']), [{ a: 1, b: null }, { a: 2, b: null }]);
});

test('the sum of nothing known is not known', () => {
  assert.equal(sumKnown([null, null]), null);
  assert.equal(sumKnown([null, 2, 3]), 5);
});

test('ResNet-50 has its layers and its work', () => {
  const view = new Model(fixture({ batches: [1] })).view(1);
  const counted = (type: string): number => view.layers.filter((layer) => layer.type === type).length;
  assert.deepEqual(['conv2d', 'batch_norm', 'relu_', 'add_', 'linear'].map(counted), [53, 53, 49, 16, 1]);
  const work = view.layers.filter((layer) => layer.type === 'conv2d' || layer.type === 'linear').reduce((all, layer) => all + layer.flops!, 0);
  assert.ok(Math.abs(work / 8.18e9 - 1) < 0.005, String(work));
});

test('work is placed under the roof of its data type', () => {
  const { roofs } = new Model(empty());
  const placed = roofs.place({ time: 1e6, flops: 2e8, bytes: 2e6, dtype: 'float32', unit: 'vector' });
  assert.equal(placed.intensity, 100);
  assert.equal(placed.throughput, 2e11);
  assert.equal(placed.bound, 'compute');
  assert.ok(Math.abs(placed.ofRoof! - 2e11 / 410e9) < 1e-12);
  const memory = roofs.place({ time: 1e6, flops: 1e6, bytes: 1e7, dtype: 'float32', unit: 'vector' });
  assert.equal(memory.bound, 'memory');
  assert.ok(Math.abs(memory.ofRoof! - 1e9 / (0.1 * 29e9)) < 1e-12);
});

test('without traffic the intensity is not known, and an unknown data type has no roof', () => {
  const { roofs } = new Model(empty());
  assert.equal(roofs.place({ time: 1, flops: 1, bytes: 0, dtype: 'float32', unit: null }).intensity, null);
  const placed = roofs.place({ time: 1, flops: 1, bytes: 1, dtype: 'float8', unit: null });
  assert.deepEqual([placed.ofRoof, placed.bound], [null, null]);
});

test('a copy without FLOPs is compared with the bandwidth', () => {
  const placed = new Model(empty()).roofs.place({ time: 1e6, flops: 0, bytes: 14.5e6, dtype: 'float32', unit: null });
  assert.equal(placed.bound, 'memory');
  assert.ok(Math.abs(placed.ofRoof! - 0.5) < 1e-12);
});

function all(node: Node): Node[] {
  return [node, ...node.children.flatMap(all)];
}

test('the stack picture loses no time', () => {
  const view = new Model(fixture({ batches: [4] })).view(1);
  const root = stackTree(view)!;
  const parts = root.children.reduce((sum, child) => sum + child.value, 0);
  assert.ok(Math.abs(parts / root.value - 1) < 1e-9);
  assert.equal(root.value, view.layerRunLatency);
  for (const node of all(root)) {
    if (node.kind !== 'layer' || node.note) continue;
    const inside = node.children.reduce((sum, child) => sum + child.value, 0);
    assert.ok(Math.abs(inside - node.value) < 1e-6 * node.value + 1e-3, node.label);
  }
  assert.ok(all(root).some((node) => node.kind === 'layer' && node.note !== ''), 'a layer that its kernels exceed is flagged');
});

test('boxes lie inside their parents and do not overlap', () => {
  const next = random(3);
  const root = stackTree(new Model(fixture({ batches: [1], seed: 11 })).view(1))!;
  const nodes = all(root).filter((node) => node.children.length > 0);
  for (let round = 0; round < 20; round += 1) {
    const zoom = nodes[Math.floor(next() * nodes.length)]!;
    const byDepth = new Map<number, { left: number; width: number }[]>();
    for (const box of layout(zoom, 0.001)) {
      assert.ok(box.left >= -1e-9 && box.left + box.width <= 1 + 1e-9);
      byDepth.set(box.node.depth, [...(byDepth.get(box.node.depth) ?? []), box]);
    }
    for (const row of byDepth.values()) {
      row.sort((a, b) => a.left - b.left);
      for (let index = 1; index < row.length; index += 1)
        assert.ok(row[index]!.left >= row[index - 1]!.left + row[index - 1]!.width - 1e-9);
    }
  }
});

test('arrow keys walk the stack picture', () => {
  const root = stackTree(new Model(fixture({ batches: [1] })).view(1))!;
  const seen = (): boolean => true;
  const first = neighbour(root, 'ArrowDown', seen)!;
  assert.equal(first, root.children[0]);
  assert.equal(neighbour(first, 'ArrowRight', seen), root.children[1]);
  assert.equal(neighbour(first, 'ArrowLeft', seen), null);
  assert.equal(neighbour(first, 'ArrowUp', seen), root);
  assert.equal(neighbour(first, 'ArrowUp', (item) => item !== root), null);
  assert.equal(neighbour(first, 'Escape', seen), null);
});

test('no two spans of a lane overlap, and every span has a lane', () => {
  const next = random(5);
  const start = Array.from({ length: 400 }, () => Math.floor(next() * 1000));
  const timeline = {
    point_id: 1, run_id: 1, iteration: 0, duration_ns: 1000, tracks: [{ id: 1, kind: 'thread', name: 'a' }, { id: 2, kind: 'stream', name: 'b' }],
    spans: {
      level: start.map(() => ['layer', 'kernel'][Math.floor(next() * 2)]!), type: start.map(() => 't'), name: start.map((_, index) => `n${index}`), start_ns: start,
      duration_ns: start.map(() => (next() < 0.02 ? null : Math.floor(next() * 60))), parent: start.map(() => -1), track: start.map(() => Math.floor(next() * 2)), layer_index: start.map(() => -1),
    },
  };
  const lanes = makeLanes(timeline);
  assert.equal(lanes.lanes.reduce((sum, lane) => sum + lane.spans.length, 0), 400);
  for (const lane of lanes.lanes)
    for (let index = 1; index < lane.spans.length; index += 1)
      assert.ok(lanes.start[lane.spans[index]!]! >= lanes.end[lane.spans[index - 1]!]!);
  assert.equal(search(lanes, 'n39').length, 11);
  const [span] = lanes.lanes[0]!.spans;
  assert.equal(spanAt(lanes, lanes.lanes[0]!, lanes.start[span!]!, 0), span);
});

test('a layer is called as in the tables, what lies in it as its source does', () => {
  const lanes = makeLanes({
    point_id: 1, run_id: 1, iteration: 0, duration_ns: 100, tracks: [{ id: 1, kind: 'thread', name: 'a' }],
    spans: {
      level: ['model', 'layer', 'layer', 'layer'], type: ['predict', 'aten::conv2d', 'aten::convolution', 'aten::relu_'],
      name: ['net', 'aten::conv2d', 'aten::convolution', 'aten::relu_'], start_ns: [0, 10, 20, 60], duration_ns: [100, 40, 20, 10],
      parent: [-1, 0, 1, 0], track: [0, 0, 0, 0], layer_index: [-1, 0, 0, 1],
    },
  }, (index) => ['layer1.0.conv1'][index]);
  assert.deepEqual(lanes.name, ['net', 'layer1.0.conv1', 'aten::convolution', 'aten::relu_']);
  assert.deepEqual(search(lanes, 'layer1.0'), [1]);
  assert.deepEqual(search(lanes, 'conv2d'), [1]);
});

function order<Row extends object>(rows: Row[], column: TableColumn<Row>, descending: boolean): Row[] {
  const table = constructTable({ features: { coreReactivityFeature: storeReactivityBindings(), ...kFeatures } as typeof kFeatures, columns: definitions([column]), data: rows as object[], initialState: { sorting: [{ id: '0', desc: descending }] } });
  return table.getRowModel().rows.map((row) => row.original as Row);
}

test('tables sort numbers as numbers, unknown ones last', () => {
  const column = { title: 'x', value: (row: { x: number | null }) => row.x };
  const sorted = (descending: boolean): (number | null)[] => order([{ x: 2 }, { x: null }, { x: 10 }, { x: 1 }], column, descending).map((row) => row.x);
  assert.deepEqual(sorted(false), [1, 2, 10, null]);
  assert.deepEqual(sorted(true), [10, 2, 1, null]);
  assert.deepEqual(order([{ t: 'conv_10' }, { t: 'conv_9' }], { title: 't', text: (row) => row.t }, false).map((row) => row.t), ['conv_9', 'conv_10']);
});

test('CSV quotes what must be quoted and runs no formula', () => {
  assert.equal(csv(['a', 'b'], [['x,"y"', -1.5], ['=1+1', null]]), 'a,b\r\n"x,""y""",-1.5\r\n\'=1+1,\r\n');
  assert.deepEqual(JSON.parse(json(['a'], [[null], [1]])), [{ a: null }, { a: 1 }]);
});

test('a type keeps its colour; those beyond the seventh share one', () => {
  const palette = new Palette('abcdefghi'.split(''));
  assert.equal(new Set('abcdefg'.split('').map((type) => palette.of(type))).size, kHues.length);
  assert.equal(palette.of('h'), kOther);
  assert.equal(palette.of('never seen'), kOther);
});

test('text on a colour reads: contrast of at least 4.5', () => {
  const luminance = (colour: string): number => {
    const part = (at: number): number => {
      const value = parseInt(colour.slice(at, at + 2), 16) / 255;
      return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
    };
    return 0.2126 * part(1) + 0.7152 * part(3) + 0.0722 * part(5);
  };
  for (const colour of [...kHues, kOther]) {
    const [a, b] = [luminance(colour), luminance(inkOn(colour))].sort((x, y) => y - x);
    assert.ok((a! + 0.05) / (b! + 0.05) >= 4.5, colour);
  }
});

test('a column that is not known in any row is named, not shown', () => {
  const columns = [{ title: 'time', value: (row: number) => row }, { title: 'work', value: () => null }, { title: 'name', text: () => null }];
  assert.deepEqual(knownColumns(columns, [1, 2]).unknown, ['work', 'name']);
  assert.deepEqual(knownColumns(columns, [1, 2]).known.map((column) => column.title), ['time']);
  assert.equal(knownColumns(columns, []).known.length, 3);
});
